#!/usr/bin/env bash
# Requests per CPU-second of the generator: fettle bench against its peers, on the same server.
#
#   bench/peers.sh [--quick] [--only wrk,shb,…] [--servers nginx,jetty] [--bytes 20,2048,65536] [--rounds N] [--seconds N]
#                  [--transport auto|nio|io_uring]
#
# The server runs on CPU 0, the generator alone on CPU 1, with one thread (if it can be limited to one) and 64
# keep-alive connections. In each round Fettle and the peers run once each, in random order; the ratio of two runs in the
# same round is one observation. Shown: the median of the ratios with a 95 % bootstrap interval, and both sides' CPU.
# Fettle has two figures: its whole process, including the JVM's start and compilers, and its engine thread alone (what a
# run of a minute comes to). Each peer has one: its whole process.
#
# Fast peers (wrk, shb, ab, h2load) run in each round, oha and hey in half of them, siege, k6 and jmeter in one or two.
# Takes about 25 minutes; with --quick (3 rounds of 3 s) about 12; with --quick --only wrk,shb about 5.
# Writes a table to the terminal and to bench/results/peers.md, each run to bench/results/peers.csv.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
rounds=5 seconds=4 only=wrk,shb,ab,h2load,oha,hey,siege,k6,jmeter servers=nginx,jetty sizes=20,2048,65536 transport=auto
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --quick) rounds=3 seconds=3 ;;
    --only) only=$2; shift ;;
    --servers) servers=$2; shift ;;
    --bytes) sizes=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --transport) transport=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare nginx ab
port=$(free_port)
url=http://127.0.0.1:$port/
csv=$results/peers.csv
echo "server,bytes,round,tool,requests,seconds,cpu_seconds,engine_cpu_seconds,server_cpu_seconds,errors,all_requests,all_seconds" > "$csv"
cat > "$work/k6.js" <<JS
import http from 'k6/http';
export const options = { discardResponseBodies: true };
export default function () { http.get('$url'); }
JS
printf 'connection = keep-alive\nbenchmark = true\nlogging = false\nverbose = false\nparser = false\nlimit = 1024\n' > "$work/siegerc"

sed "s/@PORT@/$port/; s/@SECONDS@/$seconds/" "$bench/peers/plan.jmx" > "$work/plan.jmx"

peer() {
  case $1 in
    fettle) timed 1 "$root/fettle" bench "$url" -c 64 -d "${seconds}s" --transport "$transport" --json ;;
    wrk) timed 1 wrk -t1 -c64 -d "${seconds}s" "$url" ;;
    shb) timed 1 shb -c 64 -z "${seconds}s" "$url" ;;
    ab) timed 1 ab -q -k -c 64 -t "$seconds" -n 100000000 "$url" ;;
    h2load) timed 1 h2load --h1 -t1 -c64 -D "$seconds" "$url" ;;
    oha) timed 1 oha --no-tui --output-format json -c 64 -z "${seconds}s" "$url" ;;
    hey) GOMAXPROCS=1 timed 1 hey -cpus 1 -c 64 -z "${seconds}s" "$url" ;;
    siege) timed 1 siege -R "$work/siegerc" -q -j -c 64 -t "${seconds}S" "$url" ;;
    k6) GOMAXPROCS=1 timed 1 k6 run -q --no-usage-report --vus 64 --duration "${seconds}s" --summary-export "$work/k6.json" "$work/k6.js" ;;
    jmeter) timed 1 "$(jdk)/bin/java" -Xmx1g -jar "$peers_home/jmeter/bin/ApacheJMeter.jar" -n -t "$work/plan.jmx" \
      -j "$work/jmeter.log" ;;
    *) die "unknown peer $1" ;;
  esac
}

in_round() { # which peers run in round N
  local p
  for p in ${only//,/ }; do
    case $p in
      oha | hey) [ $(($1 % 2)) = 1 ] && echo "$p" ;;
      siege | k6 | jmeter) [ "$1" -le $(((rounds + 2) / 5 + 1)) ] && [ "$1" -le 2 ] && echo "$p" ;;
      *) echo "$p" ;;
    esac
  done
}

have=()
for p in ${only//,/ }; do
  if command -v "$p" >/dev/null || { [ "$p" = jmeter ] && [ -f "$peers_home/jmeter/bin/ApacheJMeter.jar" ]; }; then have+=("$p"); else say "no $p: left out (bench/install-peers.sh $p)"; fi
done
only=$(IFS=,; echo "${have[*]}")
quiet_check
for kind in ${servers//,/ }; do
  for bytes in ${sizes//,/ }; do
    "${kind}_start" "$port" 0 "$bytes"
    # the JVM under test compiles first; a page in the cache is in the cache
    timed 1 ab -q -k -c 64 -t "$([ "$kind" = jetty ] && echo 6 || echo 1)" -n 100000000 "$url"
    for ((round = 1; round <= rounds; round++)); do
      for p in $( (echo fettle; in_round "$round") | shuf); do
        before=$(cpu_of "$server")
        peer "$p" || continue
        after=$(cpu_of "$server")
        python3 "$bench/figures.py" peer "$p" "$work" "$seconds" |
          awk -F, -v OFS=, -v s="$kind,$bytes,$round,$p" -v c="$used" -v a="$after" -v b="$before" \
            '{print s, $1, $2, c, $3, a - b, $4, $5, $6}' | tee -a "$csv" >&2
      done
    done
    unchild "$server"
  done
done
{
  echo "# Requests per generator CPU-second"
  echo
  echo "$(machine). $rounds rounds of $seconds s, one thread, 64 connections, server on CPU 0, generator on CPU 1, transport $transport."
  echo
  python3 "$bench/figures.py" peers "$csv"
  echo
  echo '```'
  cat "$peers_home/versions.txt" 2>/dev/null || true
  echo '```'
} | tee "$results/peers.md"
