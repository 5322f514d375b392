#!/usr/bin/env bash
# Memory and CPU of Fettle at 1,000, 10,000 and 30,000 connections, and over a long run.
#
#   bench/scale.sh [--connections 1000,10000,30000] [--seconds N] [--minutes N] [--rate R]
#
# nginx on CPU 0, Fettle on CPU 1, from four loopback addresses. Three figures per size: busy (closed model, all connections at
# once), idle (all connections open, 100 requests a second over them: open connections that do nothing should cost nothing), and
# memory (resident; the Java heap's part is at most 512 MB). Then a run of --minutes (default 10; 0 skips it) at
# 5,000 requests a second: resident memory and open files every 5 s, and the trend of its second half.
# Takes about 2 minutes plus the long run. Writes bench/results/scale.md and scale-long.csv.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
sizes=1000,10000,30000 seconds=10 minutes=10 rate=5000
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --connections) sizes=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --minutes) minutes=$2; shift ;;
    --rate) rate=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
[ "$seconds" -ge 8 ] || die "a run shorter than 8 s is over before it can be looked at"
prepare nginx
most=$(tr , '\n' <<< "$sizes" | sort -n | tail -n 1)
ulimit -n $((most + 2000)) 2>/dev/null || ulimit -n "$(ulimit -Hn)"
[ "$(ulimit -n)" -gt "$most" ] || die "$(ulimit -n) open files are too few for $most connections: raise it with ulimit -n"
sources=127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5
port=$(free_port)
url=http://127.0.0.1:$port/
quiet_check
nginx_start "$port" 0 20

# watched SECONDS ARGS…: runs fettle bench and samples its memory; sets peak (MB), established (connections), share (of a CPU)
watched() {
  local long=$1 pid used_before used_after; shift
  taskset -c 1 "$root/fettle" bench "$url" "$@" --source "$sources" --json > "$work/out" 2> "$work/err" & pid=$!
  child "$pid"
  peak=0 established=0
  sleep $((long / 2))
  established=$(ls "/proc/$pid/fd" | wc -l)
  used_before=$(cpu_of "$pid"); sleep 2; used_after=$(cpu_of "$pid")
  share=$(awk -v a="$used_after" -v b="$used_before" 'BEGIN{printf "%.2f", (a - b) / 2}')
  peak=$(awk '/VmHWM/{printf "%d", $2 / 1024}' "/proc/$pid/status") || die "the run ended before it could be looked at"
  wait "$pid" || say "$(tail -n 1 "$work/err")"
}
figure() { python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2], {}, {"d": d}))' "$work/out" "$1"; }

{
  echo "# Scale"
  echo
  echo "$(machine). nginx on CPU 0, Fettle on CPU 1, $seconds s a run."
  echo
  echo "| connections | load | open files | resident MB | share of a CPU | responses/s | p99 ms | errors |"
  echo "|--:|---|--:|--:|--:|--:|--:|--:|"
} | tee "$results/scale.md"
for size in ${sizes//,/ }; do
  watched "$seconds" -c "$size" -d "${seconds}s"
  figure "f\"| $size | busy | $established | $peak | $share | {d['responses'] / d['elapsedSeconds']:,.0f} | {d['latency'].get('p99Millis', 0):.1f} | {d['failed']} |\"" | tee -a "$results/scale.md"
  # each thinks so long that there are about 100 requests a second in all
  watched "$seconds" -c "$size" -d "${seconds}s" --think "$((size / 100))s"
  figure "f\"| $size | idle | $established | $peak | $share | {d['responses'] / d['elapsedSeconds']:,.0f} | {d['latency'].get('p99Millis', 0):.1f} | {d['failed']} |\"" | tee -a "$results/scale.md"
done

if [ "$minutes" -gt 0 ]; then
  csv=$results/scale-long.csv
  echo "seconds,resident_mb,open_files,cpu_seconds" > "$csv"
  taskset -c 1 "$root/fettle" bench "$url" -c 100 --rate "$rate/s" -d "${minutes}m" --json > "$work/out" 2> "$work/err" & pid=$!
  child "$pid"
  start=$SECONDS
  while kill -0 "$pid" 2>/dev/null && sleep 5; do
    mb=$(awk '/VmRSS/{printf "%.1f", $2 / 1024}' "/proc/$pid/status" 2>/dev/null) || break
    [ -n "$mb" ] || break
    echo "$((SECONDS - start)),$mb,$(ls "/proc/$pid/fd" 2>/dev/null | wc -l),$(cpu_of "$pid")" >> "$csv"
  done
  wait "$pid" || say "$(tail -n 1 "$work/err")"
  {
    echo
    python3 - "$csv" "$work/out" <<'PY'
import csv, json, statistics, sys
rows = [(float(r["seconds"]), float(r["resident_mb"])) for r in csv.DictReader(open(sys.argv[1]))]
d = json.load(open(sys.argv[2]))
half = rows[len(rows) // 2:]
slope = statistics.linear_regression([r[0] for r in half], [r[1] for r in half]).slope * 60 if len(half) > 2 else float("nan")
print(f"{d['elapsedSeconds'] / 60:.0f} minutes at {d['responses'] / d['elapsedSeconds']:,.0f}/s: resident {half[0][1]:.0f} MB at half-time, "
      f"{half[-1][1]:.0f} MB at the end, trend of the second half {slope:+.2f} MB a minute; {d['failed']} errors.")
PY
  } | tee -a "$results/scale.md"
fi
