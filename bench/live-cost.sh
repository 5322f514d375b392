#!/usr/bin/env bash
# What the live page costs: "fettle bench" with the page open in a real browser, and with a page that nobody opens, each against none; in
# rounds that take turns. The target's throughput and p99, and the CPU time that Fettle used a second.
#
#   bench/live-cost.sh [--rounds N] [--time S] [--rate R] [--browser CPU] [--sides "none unopened open"]
#
# Tomcat on CPU 0, Fettle on CPU 1, and the browser (Debian's chromium, without a window) on CPU 1, too, unless --browser says
# another: on CPU 0 it takes time from the target itself. With --rate 0 (the default) 20 clients load it as fast as they can; else an open
# load. About 9 minutes. Ratios to a round's "none": their median and its 95 % interval by signs; 1 means that it costs nothing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
rounds=8 time=20 rate=0 cpu=1 sides="none unopened open"
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --rounds) rounds=$2; shift ;;
    --time) time=$2; shift ;;
    --rate) rate=$2; shift ;;
    --browser) cpu=$2; shift ;;
    --sides) sides=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
[ "$time" -ge 10 ] || die "--time is at least 10"
prepare chromium
quiet_check
port=$(free_port)
taskset -c 0 "$(jdk)/bin/java" -Xmx256m -cp "$root/servers/build/fettle-servers.jar:$root/servers/build/lib/*" dev.fettle.servers.Main \
  server=tomcat app=hello threads.max=50 port="$port" > "$work/server.out" 2>&1 & server=$!
child "$server"
wait_for "$port"
load=(-c 20)
[ "$rate" = 0 ] || load+=(--rate "$rate/s")

# side NAME: one bench; a line "NAME rate p99 cpu" to the results.
side() {
  local name=$1 page=() browser='' link='' pid i
  [ "$name" = none ] || page=(--live-page)
  taskset -c 1 "$root/fettle" bench "http://127.0.0.1:$port/" "${load[@]}" -d "${time}s" --pid "$server" --no-dump --json ${page[@]+"${page[@]}"} \
    > "$work/out" 2> "$work/err" & pid=$!
  child "$pid"
  if [ "$name" = open ]; then
    for ((i = 0; i < 200; i++)); do
      link=$(sed -n 's/^live page *//p' "$work/err" | head -n 1)
      [ -z "$link" ] || break
      sleep 0.05
    done
    [ -n "$link" ] || die "the page did not open: $(tail -n 2 "$work/err")"
    taskset -c "$cpu" chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
      --user-data-dir="$work/profile" --window-size=1280,2000 --remote-debugging-port=0 "$link" > "$work/browser.out" 2>&1 & browser=$!
    child "$browser"
  fi
  # not its start, and before its end, since what has ended has no CPU time any more
  sleep 5
  i=$(cpu_of "$pid")
  sleep "$((time - 7))"
  i=$(awk -v a="$i" -v b="$(cpu_of "$pid")" 'BEGIN{print b - a}')
  wait "$pid" || [ $? -eq 4 ] || die "bench failed: $(tail -n 2 "$work/err")"
  [ -z "$browser" ] || unchild "$browser"
  python3 - "$name" "$i" "$((time - 7))" "$work/out" <<'PY' | tee -a "$work/rows"
import json, sys
name, cpu, seconds, file = sys.argv[1:]
found = json.load(open(file))
print(name, found["throughputPerSecond"], found["latency"]["p99Millis"], float(cpu) / float(seconds))
PY
}

for ((round = -1; round < rounds; round++)); do
  [ "$round" -ge 0 ] || say "a first round, which is not counted"
  order=$sides
  [ $((round % 2)) -eq 0 ] || order=$(tr ' ' '\n' <<< "$sides" | tac | tr '\n' ' ')
  for name in $order; do side "$name"; done
  [ "$round" -ge 0 ] || : > "$work/rows"
done
machine
python3 - "$work/rows" <<'PY'
import sys
rows = {}
for line in open(sys.argv[1]):
    name, *figures = line.split()
    rows.setdefault(name, []).append([float(f) for f in figures])

def interval(all):
    """The median, and its 95 % interval by signs."""
    s, n = sorted(all), len(all)
    k, below, p = 0, 0.0, 0.5 ** n
    while k < n // 2 and below + p <= 0.025:
        below, p, k = below + p, p * (n - k) / (k + 1), k + 1
    middle = (s[(n - 1) // 2] + s[n // 2]) / 2
    return f"{middle:.4f} [{s[max(0, k - 1)]:.4f}, {s[min(n - 1, n - k)]:.4f}]"

none = rows.get("none", [])
for name in rows:
    cpu = interval([r[2] for r in rows[name]])
    if name == "none":
        print(f"none: {interval([r[0] for r in none])}/s, Fettle {cpu} CPUs")
        continue
    print(f"{name}: throughput {interval([a[0] / b[0] for a, b in zip(rows[name], none)])}"
          f", p99 {interval([a[1] / b[1] for a, b in zip(rows[name], none)])}"
          f", Fettle {interval([a[2] - b[2] for a, b in zip(rows[name], none)])} CPUs more")
PY
