#!/usr/bin/env bash
# Compares what load generators report with the truth, on servers whose response times are known.
#
#   bench/truth.sh [--quick] [--modes stall,tail] [--loads 10,40,80] [--seconds N] [--only fettle,wrk,…]
#
# stall: one server with a queue, 50 µs a request (so its capacity is 20,000/s), which stands still for the first 100 ms of
#   each 2 s. For even arrivals at rate λ, ρ = λ · 50 µs, service s, the fluid limit over whole periods P with stalls L is
#   P(R > x) = (L + s - x) / ((1 - ρ) P), so the quantile q is L + s - (1 - ρ) P (1 - q), or s where that is less. The truth
#   shown is the same queue computed request by request (StallTruth), which the tests compare with the formula.
# tail: each answer is delayed by its own draw from a log-normal distribution (median 1 ms, sigma 1.2), whatever else happens;
#   the truth is the server's own record of that very run, so both contain the same sample's luck.
#
# The server spins on CPU 0 and reports how late its own timing was (last column): a difference of that size says nothing. The
# generator runs on CPU 1. Tools with an open model offer 10, 40 and 80 % of the capacity with up to 2,000 connections;
# "closed" ones (wrk; fettle without a rate) run with one connection, and their truth is what the same rate, offered evenly,
# would have seen. oha runs with and without its latency correction; wrk2 if it is on the PATH. Fettle warms up for 4 s
# before it measures, which the server's record leaves out.
#
# A difference is marked where it is over 1 % and over 0.2 ms. Takes about 12 minutes; with --quick (10 and 80 %, 8 s) 6.
# Writes bench/results/truth.md and truth.jsonl.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
modes=stall,tail loads=10,40,80 seconds=12 only=fettle,fettle-closed,wrk,wrk2,oha,oha-corrected,vegeta,k6 transport=auto
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --quick) loads=10,80 seconds=8 ;;
    --modes) modes=$2; shift ;;
    --loads) loads=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --only) only=$2; shift ;;
    --transport) transport=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare curl
build_tools
ulimit -n 20000 2>/dev/null || ulimit -n "$(ulimit -Hn)"
port=$(free_port)
url=http://127.0.0.1:$port/ capacity=20000 connections=2000
rows=$results/truth.jsonl
: > "$rows"
echo 'done = function(s, l, r) io.write(string.format("QUANTILES %d %d %d %d\n", l:percentile(50), l:percentile(99), l:percentile(99.9), l.max)) end' > "$work/wrk.lua"
cat > "$work/k6.js" <<JS
import http from 'k6/http';
export const options = { discardResponseBodies: true, summaryTrendStats: ['p(50)', 'p(99)', 'p(99.9)', 'max'],
  scenarios: { even: { executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), timeUnit: '1s', duration: '${seconds}s',
    preAllocatedVUs: 500, maxVUs: $connections } } };
export default function () { http.get('$url'); }
JS

run() { # TOOL RATE
  case $1 in
    fettle) timed 1 "$root/fettle" bench "$url" --rate "$2/s" -c $connections -d "${seconds}s" --warm-up 4s --transport "$transport" --json ;;
    fettle-closed) timed 1 "$root/fettle" bench "$url" -c 1 -d "${seconds}s" --warm-up 4s --transport "$transport" --json ;;
    wrk) timed 1 wrk -t1 -c1 -d "${seconds}s" -s "$work/wrk.lua" "$url" ;;
    wrk2) timed 1 wrk2 -t1 -c $connections -R "$2" -d "${seconds}s" --latency "$url" ;;
    oha) timed 1 oha --no-tui --output-format json -c $connections -q "$2" -z "${seconds}s" "$url" ;;
    oha-corrected) timed 1 oha --no-tui --output-format json -c $connections -q "$2" --latency-correction -z "${seconds}s" "$url" ;;
    vegeta) echo "GET $url" > "$work/target"
      GOMAXPROCS=1 timed 1 vegeta attack -targets "$work/target" -rate "$2" -duration "${seconds}s" -connections $connections \
        -max-workers $connections -output "$work/vegeta.bin" && vegeta encode -to csv "$work/vegeta.bin" > "$work/vegeta.csv" ;;
    k6) RATE=$2 GOMAXPROCS=1 timed 1 k6 run -q --no-usage-report --summary-export "$work/k6.json" "$work/k6.js" ;;
    *) die "unknown tool $1" ;;
  esac
}

measure() { # MODE LOAD TOOL RATE
  local skip=0 figures truth served
  case $3 in fettle*) skip=3.99 ;; esac
  curl -sf "${url}truth?skip=$skip" >/dev/null
  run "$3" "$4" || return 0
  served=$(curl -sf "${url}truth")
  figures=$(python3 "$bench/figures.py" latency "$3" "$work") || { say "$3: its output was not understood"; return 0; }
  if [ "$1" = stall ]; then
    truth=$( (tool truth.StallTruth "rate=$([ "$4" = 0 ] && python3 -c 'import json,sys; print(json.loads(sys.argv[1])["rate"])' "$figures" || echo "$4")") )
  else
    truth=$served
  fi
  printf '{"mode": "%s", "load": "%s", "tool": "%s", "figures": %s, "truth": %s, "server": %s}\n' \
    "$1" "$2" "$3" "$figures" "$truth" "$served" | tee -a "$rows" >&2
}

have=()
for t in ${only//,/ }; do
  program=${t%%-*}
  if [ "$program" = fettle ] || command -v "$program" >/dev/null; then have+=("$t"); else say "no $t: left out"; fi
done
quiet_check
for mode in ${modes//,/ }; do
  # all its memory at once and no collections: nothing but the schedule may delay an answer
  (TOOL_JAVA_OPTIONS='-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xms4g -Xmx4g' tool truth.TruthServer "port=$port" "mode=$mode" &
    echo $! > "$work/pid"; wait) & child $!
  wait_for "$port"
  server=$(cat "$work/pid"); child "$server"
  taskset -acp 0 "$server" >/dev/null
  ab -q -k -c 16 -t 3 -n 10000000 "$url" >/dev/null 2>&1 || true
  for load in ${loads//,/ }; do
    rate=$((capacity * load / 100))
    for t in $(printf '%s\n' "${have[@]}" | grep -vx -e wrk -e fettle-closed | shuf); do measure "$mode" "$load % ($rate/s)" "$t" "$rate"; done
  done
  for t in "${have[@]}"; do case $t in wrk | fettle-closed) measure "$mode" "closed, 1 connection, $t" "$t" 0 ;; esac; done
  kill "$server" 2>/dev/null || true; wait || true
done
{
  echo "# Reported latency against the truth"
  echo
  echo "$(machine). $seconds s a run, server on CPU 0, generator on CPU 1, transport $transport."
  echo
  python3 "$bench/figures.py" truth "$rows"
} | tee "$results/truth.md"
