#!/usr/bin/env bash
# Healthy servers under each collector, in heaps of several sizes, each looked at for some seconds from a fresh start: none of them grows.
#
#   bench/growth.sh [N] [--from K] [--java HOME]...
#
# N looks (default 100), from the K-th on (default 1). Server, collector and heap go round. With --java the targets run on these
# JDKs in turn (default: the one that runs Fettle). A look takes some 25 s. Prints a line for each, and at the end how many looks called
# something growing: live-heap-grows or native-memory-grows. Exit code 1 if any did.
set -euo pipefail
cd "$(dirname "$0")/.."
looks=100; from=1; homes=()
while [ $# -gt 0 ]; do
  case $1 in
    --from) from=$2; shift 2 ;;
    --java) homes+=("$2"); shift 2 ;;
    *) looks=$1; shift ;;
  esac
done
servers=(tomcat jetty undertow)
apps=('app: login' 'app: work')
collectors=(Serial Parallel G1 Z Shenandoah)
heaps=(64m 128m 256m 512m)
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
wrong=0; failed=0
for ((i = from; i < from + looks; i++)); do
  server=${servers[i % 3]}; app=${apps[i / 3 % 2]}; gc=${collectors[i % 5]}; heap=${heaps[i % 4]}
  java=; [ ${#homes[@]} = 0 ] || java="  java: ${homes[i % ${#homes[@]}]}"
  cat > "$folder/plan.yaml" <<PLAN
name: growth
target:
  server: $server
  $app
  jvm: [-Xmx$heap, -XX:+Use${gc}GC]
$java
load: {connections: 50, warm-up: 3s, measure: 10s}
PLAN
  out="$folder/$i.json"
  ./fettle diagnose "$folder/plan.yaml" --no-test --no-profile --json --dir "$folder/runs" > "$out" 2> "$folder/$i.err" || true
  if [ ! -s "$out" ]; then
    failed=$((failed + 1)); echo "$i $server ${app#app: } $gc $heap: no result: $(tail -n 1 "$folder/$i.err")"
  elif grep -Eq '"rule" *: *"(live-heap-grows|native-memory-grows)"' "$out"; then
    wrong=$((wrong + 1)); echo "$i $server ${app#app: } $gc $heap: GROWS"
  else
    echo "$i $server ${app#app: } $gc $heap: nothing grows"
  fi
done
echo "$wrong of $((looks - failed)) looks called something growing; $failed gave no result"
[ "$wrong" = 0 ]
