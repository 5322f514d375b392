#!/usr/bin/env bash
# Holds the search of `fettle history` against Apache Otava's, at Otava's levels: on every series that Otava's own tests search, and on 600
# random ones. Ends with 1 if any point differs.
#
#   bench/history/otava.sh FOLDER     FOLDER: a checkout of https://github.com/apache/otava, with its tests
#
# Needs Python 3.10 with the packages apache-otava and pytest ($PYTHON: another one than python3). Writes bench/results/history-otava.md.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
case ${1:-} in
  -h | --help | '') usage; exit ;;
esac
[ -f "$1/otava/analysis.py" ] || die "$1 is no checkout of Otava"
build_tools
java=$(jdk)/bin/java
mkdir -p "$bench/results"
"${PYTHON:-python3}" "$bench/history/against_otava.py" "$1" "$java" -cp "$bench/build/fettle-bench.jar:$bench/build/lib/*" \
  dev.fettle.bench.history.ChangePoints | tee "$bench/results/history-otava.md"
