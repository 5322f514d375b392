#!/usr/bin/env bash
# A/A: how often a tune claims an improvement where there is none to find. At most 1 of 20 may.
#
#   bench/aa.sh             on simulated surfaces, flat ones with 5 % noise among them, and how close it comes to the best on those that
#                           have one; pure, so it takes seconds
#   bench/aa.sh --real [N [FIRST]]  N whole tunes (10) of a real Tomcat by knobs that change nothing there, with seeds from FIRST (1) on;
#                           some 3 min each
set -euo pipefail
. "$(dirname "$0")/lib.sh"
cd "$root"
case ${1:-} in
  -h | --help) usage; exit ;;
  '' | --real) ;;
  *) die "unknown option $1 (see --help)" ;;
esac

if [ -z "${1:-}" ]; then
  mvn -q -B -ntp -Droom -pl insight/tests -am -Dtest='TuneErrorRatesTest,TuneExperimentTest,StatisticsTest' \
    -Dsurefire.failIfNoSpecifiedTests=false test | { grep -E 'A/A|of the best|coverage|ERROR' || true; }
  exit
fi

prepare
quiet_check
claimed=0 runs=${2:-10} first=${3:-1}
for ((seed = first; seed < first + runs; seed++)); do
  # far more connections than there are clients, and requests on a connection without end or nearly so: nothing differs
  cat >"$work/aa-$seed.yaml" <<PLAN
name: aa-$seed
target: {server: tomcat, app: work, options: {wait: 5ms, cpu: 0.1ms}, jvm: [-Xms256m, -Xmx256m]}
load: {connections: 64, expect: {status: 200}, warm-up: 16s, measure: 5s}
hold: {backlog: 1024}
knobs:
  connections.max: {from: 1000, to: 100000}
  keepalive.requests: [-1, 1000000]
  threads.max: [190, 200, 210, 220]
budget: {trials: 8, time: 5m, pairs: 4}
seed: $seed
PLAN
  ./fettle tune "$work/aa-$seed.yaml" --dir "$work/runs" --json >"$work/aa-$seed.json" 2>"$work/aa-$seed.log" || true
  python3 - "$work/aa-$seed.json" "$seed" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
found = run["conclusion"]
ratio = found.get("ratio")
interval = "%.3f [%.3f, %.3f], %d pairs" % (ratio["estimate"], ratio["low"], ratio["high"], len(found["pairs"])) if ratio and "low" in ratio else "no duel"
void = sum(not t.get("valid") for t in run["trials"])
print("%3s  %-22s %-34s %2d trials, %d void  %4.0f s" % (sys.argv[2], found["result"], interval, len(run["trials"]), void, run["tookSeconds"]))
PY
  if grep -q '"result" : "improved"' "$work/aa-$seed.json"; then claimed=$((claimed + 1)); fi
done
echo "claimed: $claimed of $runs"
