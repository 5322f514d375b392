#!/usr/bin/env bash
# A/A on simulated surfaces: how often a tune of a flat surface with 5 % noise claims an improvement (at most 1 of 20 may),
# and how close it comes to the best on surfaces that have one. Pure, so it runs in seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -q -B -ntp -pl model,insight -Dtest='TuneErrorRatesTest,TuneExperimentTest,StatisticsTest' -Dsurefire.failIfNoSpecifiedTests=false test |
  { grep -E 'A/A|of the best|coverage|ERROR' || true; }
