#!/usr/bin/env bash
# How well Fettle keeps an open schedule: achieved against offered rate, and how late requests leave.
#
#   bench/schedule.sh [--rates 1000,5000,10000,20000,30000,40000,50000] [--seconds N] [--poisson] [--transport KIND]
#
# nginx on CPU 0, Fettle on CPU 1 with one thread. Wanted: achieved within 0.1 % of offered, lag below 1 ms at p99; lines that
# miss either are marked. Before each run, a program that only reads the clock shows how late the machine itself makes a
# program, including what the hypervisor and other processes take. With --poisson the number of arrivals is itself random (its
# standard deviation is the root of the expected number), so the achieved rate then says less. Takes 7 runs of 10 s after the
# usual warm-up: about 2.5 minutes.
# Writes bench/results/schedule.md and schedule.jsonl.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
rates=1000,5000,10000,20000,30000,40000,50000 seconds=10 extra=() transport=auto
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --rates) rates=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --poisson) extra=(--poisson) ;;
    --transport) transport=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare nginx
rows=$results/schedule.jsonl
: > "$rows"
quiet_check
port=$(free_port)
nginx_start "$port" 0 20
for rate in ${rates//,/ }; do
  say "$rate/s"
  own=$(taskset -c 1 python3 "$bench/figures.py" gaps 3)
  timed 1 "$root/fettle" bench "http://127.0.0.1:$port/" --rate "$rate/s" -c 500 -d "${seconds}s" --transport "$transport" --json \
    ${extra[@]+"${extra[@]}"} || true
  python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); d["rate"]=int(sys.argv[2]); d["gaps"]=json.loads(sys.argv[3]); [d.pop(k, None) for k in ("series","histogramHdrV2Base64","serviceHistogramHdrV2Base64")]; print(json.dumps(d))' \
    "$work/out" "$rate" "$own" >> "$rows"
done
{
  echo "# Schedule accuracy"
  echo
  echo "$(machine). $seconds s a run, even arrivals${extra[0]+, made Poisson}, nginx on CPU 0, Fettle on CPU 1, transport $transport."
  echo
  python3 "$bench/figures.py" schedule "$rows"
} | tee "$results/schedule.md"
