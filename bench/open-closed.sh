#!/usr/bin/env bash
# The picture of docs/methodology.md: one server, measured by Fettle with a closed load and with an open one.
#
#   bench/open-closed.sh [--seconds N] [--rate R] [--out FILE]
#
# The server answers within 50 µs and stands still for the first 100 ms of each 2 s (see truth.sh). Closed: one connection,
# as fast as it is answered. Open: R arrivals a second (default 1000), whatever the server does. Both for N seconds (default
# 30) after 4 s of warm-up. Takes a bit over a minute. Writes bench/results/open-closed.svg, or FILE.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

seconds=30 rate=1000 out=$results/open-closed.svg
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --seconds) seconds=$2; shift ;;
    --rate) rate=$2; shift ;;
    --out) out=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare ab
build_tools
port=$(free_port)
url=http://127.0.0.1:$port/
quiet_check
(TOOL_JAVA_OPTIONS='-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -Xms4g -Xmx4g' tool truth.TruthServer "port=$port" mode=stall &
  echo $! > "$work/pid"; wait) & child $!
wait_for "$port"
server=$(cat "$work/pid"); child "$server"
taskset -acp 0 "$server" >/dev/null
ab -q -k -c 16 -t 3 -n 10000000 "$url" >/dev/null 2>&1 || true
for way in closed open; do
  if [ $way = open ]; then pace=(--rate "$rate/s" -c 500); else pace=(-c 1); fi
  timed 1 "$root/fettle" bench "$url" "${pace[@]}" -d "${seconds}s" --warm-up 4s --json
  cp "$work/out" "$work/$way.json"
done
python3 "$bench/figures.py" open-closed "$work/closed.json" "$work/open.json" "$out"
echo "$out"
