#!/usr/bin/env bash
# Kills Fettle (kill -9) at random moments of one run, and resumes it each time: nothing may be lost or left.
#
#   bench/kill.sh [TIMES] [SEED]     default: 40 35
#
# The run is a comparison of two thread counts on the bundled login page, in pairs. After each kill, within 30 s: no process that the
# run started is there any more; the journal is whole (SQLite's integrity check); and it has every trial that it had before. The run is
# then resumed and killed again, until all kills are done; the last one runs to its conclusion. Prints a line for each, and exits with 1
# if anything was lost or left.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
case ${1:-} in
  -h | --help) usage; exit ;;
esac
times=${1:-40} seed=${2:-35}
[[ $times =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ ]] || die "TIMES and SEED are whole numbers (see --help)"
need sqlite3 setsid
build_fettle
scratch
RANDOM=$seed
cat > "$work/plan.yaml" <<PLAN
name: killed
target: {server: tomcat, app: login}
load: {connections: 20, warm-up: 1s, measure: 2s}
compare:
  pairs: 40
  variants:
    few: {set: {threads.max: 8}}
    many: {set: {threads.max: 32}}
PLAN
journal=$work/runs/journal.db

# The processes that have this folder in their arguments or environment: Fettle, its guards, its servers.
left() {
  local p
  for p in /proc/[0-9]*; do
    [ "${p#/proc/}" != $$ ] || continue
    if grep -qF -- "$work/runs" "$p/cmdline" "$p/environ" 2>/dev/null || [[ $(readlink "$p/cwd" 2>/dev/null) == "$work/runs"* ]]; then echo "${p#/proc/}"; fi
  done || true
}

trials() { [ -f "$journal" ] && sqlite3 -readonly "$journal" 'select count(*) from trial' || echo 0; }

bad=0 before=0
for ((i = 1; i <= times; i++)); do
  if [ "$i" = 1 ] || [ ! -f "$journal" ]; then how=(compare "$work/plan.yaml"); else how=(resume); fi
  setsid "$root/fettle" "${how[@]}" --dir "$work/runs" > "$work/out" 2>&1 & pid=$!
  child $pid
  after=$((RANDOM % 20000))
  sleep "$((after / 1000)).$(printf %03d $((after % 1000)))"
  most=$(left | wc -l) # what there is to end
  if [ $((RANDOM % 2)) = 0 ]; then what=process; kill -9 "$pid" 2>/dev/null || true; else what=group; kill -9 -- "-$pid" 2>/dev/null || true; fi
  wait "$pid" 2>/dev/null || true
  children=()
  for ((w = 0; w < 300; w++)); do [ -z "$(left)" ] && break; sleep 0.1; done
  still=$(left | tr '\n' ' ')
  whole=$([ -f "$journal" ] && sqlite3 "$journal" 'pragma integrity_check' || echo ok)
  now=$(trials)
  verdict=fine
  [ -z "$still" ] || verdict="LEFT: $still"
  [ "$whole" = ok ] || verdict="BROKEN: $whole"
  [ "$now" -ge "$before" ] || verdict="LOST: $before trials before, $now now"
  [ "$verdict" = fine ] || bad=$((bad + 1))
  echo "$i: the $what after ${after} ms, $now trials kept, $most processes gone after $((w * 100)) ms: $verdict"
  before=$now
done
echo "$bad of $times kills lost or left something; $(trials) trials are kept"
[ "$bad" = 0 ]
