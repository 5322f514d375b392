#!/usr/bin/env bash
# Requests per CPU-second of Fettle's engine thread: --transport nio against --transport io_uring, on the same nginx.
#
#   bench/transports.sh [--quick] [--bytes 20,2048,65536] [--rounds N] [--seconds N] [--connections N]
#
# nginx runs on CPU 0, Fettle alone on CPU 1, with one engine thread. In each round both transports run once, in random order;
# their ratio is one observation. Bodies of each size over keep-alive connections, and the smallest also with one connection
# per request. Shown: the median of the ratios with a 95 % bootstrap interval; above 1, io_uring does more with a CPU.
# Takes about 8 minutes, with --quick (3 rounds of 3 s) about 2.
# Writes a table to the terminal and to bench/results/transports.md, each run to bench/results/transports.csv.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
rounds=9 seconds=5 sizes=20,2048,65536 connections=64
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --quick) rounds=3 seconds=3 ;;
    --bytes) sizes=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    --connections) connections=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare nginx
port=$(free_port)
url=http://127.0.0.1:$port/
csv=$results/transports.csv
echo "bytes,connections,round,transport,requests,seconds,engine_cpu_seconds,errors" > "$csv"

# run KIND TRANSPORT ROUND BYTES
run() {
  local more=()
  [ "$1" = kept ] || more=(--no-keep-alive)
  timed 1 "$root/fettle" bench "$url" -c "$connections" -d "${seconds}s" --transport "$2" --json ${more[@]+"${more[@]}"} ||
    die "--transport $2 does not run here: $(tail -n 1 "$work/err")"
  echo "$4,$1,$3,$2,$(python3 "$bench/figures.py" peer fettle "$work" "$seconds")" >> "$csv"
}

# rounds_of KIND BYTES
rounds_of() {
  local round transport
  say "$2 bytes, connections $1"
  for ((round = 1; round <= rounds; round++)); do
    for transport in $(printf 'nio\nio_uring\n' | shuf); do run "$1" "$transport" "$round" "$2"; done
  done
}

quiet_check
smallest=${sizes%%,*}
for bytes in ${sizes//,/ }; do
  nginx_start "$port" 0 "$bytes"
  timed 1 "$root/fettle" bench "$url" -c "$connections" -d 1s --warm-up 0s --json || die "nginx does not answer: $(tail -n 1 "$work/err")"
  rounds_of kept "$bytes"
  [ "$bytes" != "$smallest" ] || rounds_of "one each" "$bytes"
  unchild "$server"
done
{ machine; echo; python3 "$bench/figures.py" transports "$csv"; } | tee "$results/transports.md"
