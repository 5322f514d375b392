#!/usr/bin/env bash
# Records the surfaces of the tuner's proof on real servers: the default and every setting of a plan's sweep, in rounds, each in a random
# order of its own. What a running server takes is set there, in one warm JVM for each combination of the other knobs; each round starts
# new ones. A surface that is half recorded is continued.
#
#   bench/surfaces.sh [--rounds N] [--minutes M] [NAME…]        NAME: a plan in bench/tuner/surfaces; all of them by default
#
# A trial measures 0.5 to 0.7 s and takes twice that; a round of one surface some 4 min. Such short trials are noisier than those of a tune, which all
# tuners that are replayed on them share: it takes several rounds. Writes bench/tuner/surfaces/NAME.jsonl.gz.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
rounds=8 minutes=600 names=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --rounds) rounds=$2; shift ;;
    --minutes) minutes=$2; shift ;;
    -*) die "unknown option $1 (see --help)" ;;
    *) names+=("$1") ;;
  esac
  shift
done
surfaces=$bench/tuner/surfaces
if [ ${#names[@]} -eq 0 ]; then
  for f in "$surfaces"/*.yaml; do names+=("$(basename "$f" .yaml)"); done
fi
prepare
build_tools
quiet_check
for name in "${names[@]}"; do
  [ -f "$surfaces/$name.yaml" ] || die "no plan $surfaces/$name.yaml"
  if [ -f "$surfaces/$name.jsonl.gz" ]; then gunzip -c "$surfaces/$name.jsonl.gz" >"$work/$name.jsonl"; fi
  say "$name"
  # what was recorded is kept, however it ends
  from=$work/$name.jsonl to=$surfaces/$name.jsonl.gz
  cleaning=("[ ! -s ${from@Q} ] || gzip -9nc ${from@Q} >${to@Q}" "${cleaning[@]}")
  (tool tuner.RecordSurface home="$root" work="$work/trials" plan="$surfaces/$name.yaml" out="$work/$name.jsonl" rounds="$rounds" minutes="$minutes")
done
