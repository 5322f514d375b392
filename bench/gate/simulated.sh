#!/usr/bin/env bash
# How often `fettle gate` says what is not so, and how often and when it tells: simulated gates of ten minutes on builds that lose 0, 1, 2, 3, 5
# and 10 % of CPU time per request, on a quiet machine, next to a neighbour, on one that swings, and on a hosted runner. Next to it what
# two habits say of the same builds on the same machines: a run of each and a threshold of 5 %; a run against a stored figure of
# another day. Then losses of other kinds: a lock, more allocation, one more statement, a slower start.
#
#   bench/gate/simulated.sh [GATES]     gates of each cell (200)
#
# Pure, on a virtual clock: some minutes. Writes bench/results/gate-simulated.md.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
cd "$root"
case ${1:-} in
  -h | --help) usage; exit ;;
  '' | [1-9]*) gates=${1:-200} ;;
  *) die "unknown option $1 (see --help)" ;;
esac
mkdir -p "$bench/results"
mvn -q -B -ntp -Droom -pl insight/tests -am -Dtest='GateErrorRatesTest#grid+kindsOfLosses' \
  -Dfettle.gate.grid="$gates" -Dfettle.gate.kinds="$gates" \
  -Dsurefire.failIfNoSpecifiedTests=false test | grep -E '^\||ERROR' | tee "$bench/results/gate-simulated.md"
