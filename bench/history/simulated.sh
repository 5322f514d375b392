#!/usr/bin/env bash
# How often `fettle history` reports a change that is none, over 100 runs with a search after each, how soon it finds a step that is there, and
# whether it names the right run: simulated series with fixed seeds, next to Apache Otava's levels.
#
#   bench/history/simulated.sh [SERIES]     series of each row (1000)
#
# Pure: a minute. Writes bench/results/history-simulated.md.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
cd "$root"
case ${1:-} in
  -h | --help) usage; exit ;;
  '' | [1-9]*) series=${1:-1000} ;;
  *) die "unknown option $1 (see --help)" ;;
esac
mkdir -p "$bench/results"
mvn -q -B -ntp -Droom -pl insight/tests -am -Dtest='ChangePointsErrorRatesTest#grid' -Dfettle.history.grid="$series" \
  -Dsurefire.failIfNoSpecifiedTests=false test | grep -E '^\||^$|ERROR' | tee "$bench/results/history-simulated.md"
