#!/usr/bin/env bash
# Healthy servers under each collector, in heaps of several sizes, each observed for some seconds at an age of some seconds: none of them
# grows.
#
#   bench/growth.sh [N] [--from K] [--java HOME]...
#
# N observations (default 100), from the K-th on (default 1). Server, application, collector, heap, age and JDK go round, each at a pace of
# its own. The targets run on the JDKs of --java in turn (default: the one that runs Fettle). One takes some 25 s. Prints a line for
# each, and at the end in how many something was said to grow: live-heap-grows or native-memory-grows. Exit code 1 if in any.
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
ages=(1s 3s 15s) # of warm-up before the measurement
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
wrong=0; failed=0; void=0
for ((i = from; i < from + looks; i++)); do
  server=${servers[i % 3]}; app=${apps[i / 3 % 2]}; gc=${collectors[i % 5]}; heap=${heaps[i % 4]}
  age=${ages[(i + i / 15) % 3]}
  home=; java=; [ ${#homes[@]} = 0 ] || { home=${homes[(i + i / 4) % ${#homes[@]}]}; java="  java: $home"; }
  cat > "$folder/plan.yaml" <<PLAN
name: growth
target:
  server: $server
  $app
  jvm: [-Xmx$heap, -XX:+Use${gc}GC]
$java
load: {connections: 50, warm-up: $age, measure: 10s}
PLAN
  out="$folder/$i.json"
  ./fettle diagnose "$folder/plan.yaml" --no-test --no-profile --json --dir "$folder/runs" > "$out" 2> "$folder/$i.err" || true
  what="$i $server ${app#app: } $gc $heap after $age${home:+ on $home}"
  found=$(python3 bench/figures.py growth "$out" 2>&1) || found="no result: $(tail -n 1 "$folder/$i.err")"
  case $found in
    GROWS*) wrong=$((wrong + 1)) ;;
    'nothing grows'*) ;;
    void*) void=$((void + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
  echo "$what: $found"
done
echo "$wrong of $((looks - failed)) observations found something growing; $void of them were void, $failed more gave no result"
[ "$wrong" = 0 ]
