#!/usr/bin/env bash
# Requests per CPU-second of the generator: fettle bench against wrk -t1 and ab -k, on the same nginx, interleaved.
#
#   bench/engine-vs-peers.sh [PAIRS] [SECONDS]      default: 5 pairs of 8 s
#
# nginx answers "return 200" on CPU 0; each generator runs alone on CPU 1 with 64 connections. CPU time is that of the
# generator's whole process, user and system. Of Fettle's, two figures: the whole process, JVM start-up and compilers
# included, and the engine thread alone (what a run of a minute comes to).
set -euo pipefail
pairs=${1:-5} seconds=${2:-8}
here=$(cd "$(dirname "$0")/.." && pwd)
for program in nginx wrk ab taskset; do
  command -v "$program" >/dev/null || { echo "needs $program (apt install nginx-light wrk apache2-utils util-linux)" >&2; exit 3; }
done
work=$(mktemp -d)
port=18080
cat > "$work/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $work/pid; error_log $work/error.log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000;
  server { listen 127.0.0.1:$port backlog=1024; location / { return 200 "hello, world of load\n"; } } }
CONF
taskset -c 0 nginx -c "$work/nginx.conf" -p "$work" & nginx=$!
trap 'kill "$nginx" 2>/dev/null; wait "$nginx" 2>/dev/null; rm -rf "$work"' EXIT
url=http://127.0.0.1:$port/
until curl -sf -o /dev/null "$url" 2>/dev/null || (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
"$here/fettle" --version >/dev/null

# runs a command on CPU 1; prints the CPU seconds it used
cpu() { local t; TIMEFORMAT='%U %S'; t=$( { time taskset -c 1 "$@" >"$work/out" 2>"$work/err"; } 2>&1 ); awk '{print $1 + $2}' <<<"$t"; }

fettle() {
  local c; c=$(cpu "$here/fettle" bench "$url" -c 64 -d "${seconds}s" --json)
  python3 - "$work/out" "$c" <<'PY'
import json, sys
b = json.load(open(sys.argv[1])); n = b["responses"]
print("fettle", n / float(sys.argv[2]), n / (b["generatorCpuShare"] * b["elapsedSeconds"]), n / b["elapsedSeconds"])
PY
}
wrk_() { local c; c=$(cpu wrk -t1 -c64 -d "${seconds}s" "$url"); awk -v c="$c" -v s="$seconds" '/requests in/ {print "wrk", $1 / c, $1 / c, $1 / s}' "$work/out"; }
ab_() { local c; c=$(cpu ab -q -k -c 64 -t "$seconds" -n 100000000 "$url"); awk -v c="$c" -v s="$seconds" '/Complete requests/ {print "ab", $3 / c, $3 / c, $3 / s}' "$work/out"; }

for ((i = 1; i <= pairs; i++)); do
  order="fettle wrk_ ab_"; ((i % 2)) || order="ab_ wrk_ fettle"
  for g in $order; do $g | sed "s/^/$i /" | tee -a "$work/rows"; done
done
python3 - "$work/rows" <<'PY'
import math, random, statistics, sys
rows = [l.split() for l in open(sys.argv[1])]
at = {(int(i), g): (float(a), float(b)) for i, g, a, b, _ in rows}
pairs = sorted({i for i, _ in at}); rnd = random.Random(1)
def ratio(f):
    logs = [math.log(f(i)) for i in pairs]
    boot = sorted(statistics.fmean(rnd.choices(logs, k=len(logs))) for _ in range(10000))
    return "%.3f [%.3f, %.3f]" % (math.exp(statistics.median(logs)), math.exp(boot[250]), math.exp(boot[9749]))
print(f"requests per generator CPU-second, median ratio [95 % bootstrap interval] of {len(pairs)} pairs:")
for peer in ("wrk", "ab"):
    print("  whole process / %-4s" % peer, ratio(lambda i: at[i, "fettle"][0] / at[i, peer][0]))
    print("  engine thread / %-4s" % peer, ratio(lambda i: at[i, "fettle"][1] / at[i, peer][0]))
PY
