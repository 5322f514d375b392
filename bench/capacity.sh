#!/usr/bin/env bash
# fettle capacity, repeated, on a server whose limit is known: spread, bias and coverage of the interval.
#
#   bench/capacity.sh [REPEATS] [BUDGET] [HOLD] [THREADS] [WAIT] [P99]     default: 10 3m 60s 8 10ms 100ms
#   bench/capacity.sh 10 3m 60s 50 50ms 300ms                              a queue that takes minutes to grow
#
# The server is the bundled Tomcat with THREADS threads, each request holding one for WAIT without using the CPU, and a queue: an
# M/D/c system. How long a thread is really held is measured with a closed load that keeps all of them busy, before and after each
# search. That search's true limit, the highest rate that meets p99 < P99 in the long run, comes from a simulation of that
# system for an hour: it uses nothing from Fettle except the holding time. Writes bench/results/capacity.md.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
case ${1:-} in
  -h | --help) usage; exit ;;
  -*) die "unknown option $1 (see --help)" ;;
esac
repeats=${1:-10} budget=${2:-3m} hold=${3:-60s} threads=${4:-8} wait=${5:-10ms} p99=${6:-100ms}
[[ $repeats =~ ^[1-9][0-9]*$ ]] || die "REPEATS is a whole number, not '$repeats'"
[[ $threads =~ ^[1-9][0-9]*$ ]] || die "THREADS is a whole number, not '$threads'"
[[ $wait =~ ^[0-9]+ms$ ]] || die "WAIT is in milliseconds, like 10ms, not '$wait'"
[[ $p99 =~ ^[0-9]+ms$ ]] || die "P99 is in milliseconds, like 100ms, not '$p99'"
prepare
mkfifo "$work/in"
quiet_check
taskset -c 0 "$(jdk)/bin/java" -cp "$root/servers/build/fettle-servers.jar:$root/servers/build/lib/*" dev.fettle.servers.Main \
  server=tomcat app=work "app.wait=$wait" app.cpu=0ms "threads.max=$threads" backlog=1000 stop.on.eof=true \
  <"$work/in" >"$work/ready" 2>"$work/log" & child $!
exec 3>"$work/in"   # the server ends when this closes, however this script ends
for _ in $(seq 300); do grep -q FETTLE- "$work/ready" && break; sleep 0.1; done
grep -q FETTLE-READY "$work/ready" || { cat "$work/ready" "$work/log" >&2; exit 1; }
port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$work/ready" | head -n 1)
url=http://127.0.0.1:$port/

fettle() { taskset -c "$(($(nproc) - 1))" "$root/fettle" "$@"; }
ceiling() { fettle bench "$url" -c "$((4 * threads))" -d 5s --json >"$work/bench.json" 2>/dev/null || true; python3 -c 'import json,sys; b=json.load(open(sys.argv[1])); print(b["responses"]/b["elapsedSeconds"])' "$work/bench.json"; }

for _ in 1 2 3; do ceiling >/dev/null; done   # warms the server up
ceilings=("$(ceiling)")
for ((i = 1; i <= repeats; i++)); do
  fettle capacity "$url" --slo "p99<$p99,errors<0.1%" --budget "$budget" --hold "$hold" --seed $((1000 * i)) --json \
    >"$work/run-$i.json" 2>"$work/run-$i.log" || true
  python3 -c 'import json,sys; c=json.load(open(sys.argv[1]))["capacity"]; l=c.get("limit",{}); print("%2s  %-15s %7.1f/s  limit %7.1f [%7.1f, %7.1f]  %d probes" % (sys.argv[2], c["outcome"], c["ratePerSecond"], l.get("medianPerSecond",0), l.get("lowPerSecond",0), l.get("highPerSecond",0), len(c["probes"])))' "$work/run-$i.json" "$i" | tee -a "$work/searches" >&2
  ceilings+=("$(ceiling)")
done

{
  echo "# fettle capacity on a server whose limit is known"
  echo
  echo "$(machine). $repeats searches of at most $budget, the answer held for $hold; $threads threads, $wait each, p99 < $p99."
  echo
  echo '```'
  cat "$work/searches"
python3 - "$work" "$threads" "${p99%ms}" "${ceilings[@]}" <<'PY'
import heapq, json, math, random, statistics, sys
work, threads, bound = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]) / 1000
ceilings = [float(c) for c in sys.argv[4:]]

def met(rate, hold, seconds=3600):
    rnd = random.Random(7)
    free, t, late, n = [0.0] * threads, 0.0, 0, 0
    while t < seconds:
        t += rnd.expovariate(rate)
        done = max(t, free[0]) + hold
        heapq.heapreplace(free, done)
        late += done - t > bound
        n += 1
    return late <= 0.01 * n

def limit(ceiling):
    low, high = 0.5 * ceiling, 1.02 * ceiling
    for _ in range(11):
        middle = (low + high) / 2
        low, high = (middle, high) if met(middle, threads / ceiling) else (low, middle)
    return (low + high) / 2

mean = statistics.fmean(ceilings)
share = limit(mean) / mean              # of the ceiling: hardly depends on it
runs = [json.load(open(f"{work}/run-{i}.json"))["capacity"] for i in range(1, len(ceilings))]
truths = [share * (a + b) / 2 for a, b in zip(ceilings, ceilings[1:])]
print(f"threads / holding time: {mean:.1f}/s, from {min(ceilings):.1f} to {max(ceilings):.1f}")
print(f"true limit, by simulation: {statistics.fmean(truths):.1f}/s ({100 * share:.1f} % of that)")
found = [(r, t) for r, t in zip(runs, truths) if r["outcome"] == "found"]
print(f"found: {len(found)} of {len(runs)}")
if found:
    for name, of in (("answer", lambda r: r["ratePerSecond"]), ("limit (median)", lambda r: r["limit"]["medianPerSecond"])):
        v = [of(r) / t for r, t in found]
        spread = statistics.stdev(v) if len(v) > 1 else float("nan")
        print(f"{name:15} against the true limit: mean {100 * (statistics.fmean(v) - 1):+5.1f} %  spread (sd) {100 * spread:4.1f} %  from {100 * (min(v) - 1):+.1f} to {100 * (max(v) - 1):+.1f} %")
    print("interval holds the true limit:", sum(r["limit"]["lowPerSecond"] <= t <= r["limit"]["highPerSecond"] for r, t in found), "of", len(found))
    print("answer above the true limit:  ", sum(r["ratePerSecond"] > t for r, t in found), "of", len(found))
    print("probes a search, mean:        ", round(statistics.fmean(len(r["probes"]) for r, _ in found), 1))
PY
  echo '```'
} | tee "$results/capacity.md"
