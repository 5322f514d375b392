#!/usr/bin/env bash
# fettle bench/field: programs rebuilt from public reports, each driven before and after its remedy.
#
#   bench/field/run.sh --list              the ids: which are open, which are sealed
#   bench/field/run.sh [ID...]             compiles and drives these cases (default: all)
#   bench/field/run.sh --open | --sealed   all cases of that half
#   bench/field/run.sh --compile [ID...]   only resolves the libraries and compiles
#   bench/field/run.sh --score ID... | --score --open | --score --sealed
#                                          what the first finding of fettle diagnose says of each, and whether it names the cause
#   bench/field/run.sh --start ID [--fixed]   starts one program on a free port and keeps it until Ctrl-C
#
# Prints one line a case: throughput, p99 and failed requests before and after the remedy.
#
#   FIELD_LOAD     the load command; {url}, {connections} and {seconds} are filled in. Its output is read as wrk prints it.
#                  default: wrk -t1 -c{connections} -d{seconds}s --timeout 10s --latency {url}
#   FIELD_SECONDS  how long the measured load lasts (default: 5)
#   FIELD_WARMUP   how long the load before it lasts (default: 2)
#   FIELD_CACHE    where libraries and classes are kept (default: ~/.cache/fettle-field)
#   FIELD_VERBOSE  if set, what the load and the programs printed, too
#   FIELD_JSON     a folder: what fettle diagnose --json printed of each case is kept there
#   FETTLE         the command (default: ./fettle of this checkout)
#   FETTLE_JAVA_HOME  the JDK, 25 or later, if it lies in none of the usual places
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../lib.sh
. "$here/../lib.sh"
programs=$here/programs
cache=${FIELD_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fettle-field}
seed=$(sed -n 's/^seed: `\(.*\)`$/\1/p' "$here/README.md")
seconds=${FIELD_SECONDS:-5}
warmup=${FIELD_WARMUP:-2}
load=${FIELD_LOAD:-wrk -t1 -c\{connections\} -d\{seconds\}s --timeout 10s --latency \{url\}}
java_bin=$(jdk)/bin/
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "FIELD_SECONDS is a whole number, not '$seconds'"
[[ $warmup =~ ^[0-9]+$ ]] || die "FIELD_WARMUP is a whole number, not '$warmup'"

# field ID KEY: the rest of the line of a top-level key; part ID KEY NAME: one entry of a {…} line.
field() { sed -n "s/^$2: *//p" "$programs/$1/case.yaml" | head -n 1; }
part() { field "$1" "$2" | sed -n "s/.*[{,] *$3: *\([^,}]*\).*/\1/p"; }
# A [a, b] list as words.
words() { field "$1" "$2" | sed -e 's/ *#.*//' -e 's/^\[//' -e 's/\] *$//' -e 's/[",]/ /g'; }
ids() { local d; for d in "$programs"/*/case.yaml; do basename "$(dirname "$d")"; done; }
half() { case $(printf '%s' "$seed$1" | sha256sum | cut -c64) in [02468ace]) echo sealed ;; *) echo open ;; esac; }
source_of() { echo "$programs/$1"/*.java; }
main_of() {
  local file package
  file=$(source_of "$1")
  package=$(sed -n 's/^package \(.*\);$/\1/p' "$file" | head -n 1)
  echo "${package:+$package.}$(basename "$file" .java)"
}

# Prints the class path of a case's libraries; Maven resolves each set of them once.
libraries() {
  local libs key lib g a v pom
  libs=$(words "$1" libraries)
  [ -n "${libs// /}" ] || return 0
  key=$(printf '%s' "$libs" | sha256sum | cut -c1-16)
  if [ ! -s "$cache/cp/$key" ]; then
    need mvn
    mkdir -p "$cache/cp"
    pom=$(mktemp -d)
    {
      echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
      echo '<groupId>field</groupId><artifactId>field</artifactId><version>1</version><dependencies>'
      for lib in $libs; do
        IFS=: read -r g a v <<<"$lib"
        echo "<dependency><groupId>$g</groupId><artifactId>$a</artifactId><version>$v</version></dependency>"
      done
      echo '</dependencies></project>'
    } >"$pom/pom.xml"
    # a repository of its own: a build of the project must not find these versions
    mvn -q -B -f "$pom/pom.xml" -Dmaven.repo.local="$cache/m2" dependency:build-classpath -Dmdep.outputFile="$pom/cp" >"$pom/log" 2>&1 ||
      { cat "$pom/log" >&2; rm -rf -- "$pom"; die "$1: the libraries could not be resolved"; }
    mv "$pom/cp" "$cache/cp/$key"
    rm -rf -- "$pom"
  fi
  cat "$cache/cp/$key"
}

# Compiles a case where its source is newer than its classes.
compile() {
  local file out
  file=$(source_of "$1") out=$cache/classes/$1
  if [ ! -e "$out/.done" ] || [ "$file" -nt "$out/.done" ]; then
    rm -rf -- "$out"; mkdir -p "$out"
    "${java_bin}javac" -nowarn -Xlint:none -proc:none -parameters -cp "$(libraries "$1")" -d "$out" "$file" >&2 || return 1
    touch "$out/.done"
  fi
}

free_port() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }

# start ID PORT LOG [ARGS]: starts the program and waits until it says that it is ready; its process is in $pid.
start() {
  local id=$1 port=$2 log=$3 files
  shift 3
  files=$(field "$id" files)
  # shellcheck disable=SC2046
  ( [ -z "$files" ] || ulimit -n "$files"
    cd "$work"
    exec "${java_bin}java" $(words "$id" jvm) -cp "$cache/classes/$id:$(libraries "$id")" "$(main_of "$id")" "$port" "$@" ) >"$log" 2>&1 &
  pid=$!
  child $pid
  for _ in $(seq 1200); do
    grep -q '^ready' "$log" && return 0
    kill -0 $pid 2>/dev/null || break
    sleep 0.1
  done
  tail -n 20 "$log" >&2
  return 1
}

# stop: ends the program in $pid; one that is out of memory may not end when asked to.
stop() {
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  kill -9 "$pid" 2>/dev/null || true
  unchild "$pid"
}

# drive ID PORT SECONDS OUT
drive() {
  local command=$load
  command=${command//\{url\}/http://127.0.0.1:$2$(part "$1" load path)}
  command=${command//\{connections\}/$(part "$1" load connections)}
  command=${command//\{seconds\}/$3}
  bash -c "$command" >"$4" 2>&1 || true
}

# Requests a second, p99 in ms and failed requests, of what wrk printed.
read_wrk() {
  awk '
    /^ *99%/ { p = $2; v = p; sub(/[a-z]+$/, "", v); if (p ~ /us$/) v /= 1000; else if (p ~ /[0-9]s$/) v *= 1000; else if (p ~ /m$/) v *= 60000 }
    /Non-2xx/ { bad += $NF }
    /Socket errors/ { gsub(",", ""); bad += $4 + $6 + $8 + $10 }
    /requests in/ { n = $1; t = $4; sub(/s,?$/, "", t) }
    /^Requests\/sec/ { r = $2 }
    END { if (r == "") print "- - -"; else printf "%.1f %.1f %d\n", r, v, bad }' "$1"
}

run_case() {
  local id=$1 side port out figures=() args
  compile "$id" || { echo "$id: does not compile"; return 1; }
  for side in before after; do
    args=(); [ $side = before ] || args=(--fixed)
    port=$(free_port); out=$work/$id.$side
    if start "$id" "$port" "$out.log" ${args[@]+"${args[@]}"}; then
      [ "$warmup" = 0 ] || drive "$id" "$port" "$warmup" "$out.warm"
      drive "$id" "$port" "$seconds" "$out.out"
      figures+=($(read_wrk "$out.out"))
      [ -z "${FIELD_VERBOSE:-}" ] || { cat "$out.out"; tail -n 15 "$out.log"; } >&2
    else
      figures+=(- - -)
    fi
    stop
  done
  printf '%-22s %-7s %10s %10s %8s   %10s %10s %8s\n' "$id" "$(half "$id")" "${figures[@]}"
}

# score_case ID: diagnoses the program as it is, and prints whether the first finding holds a word of `accept`.
score_case() {
  local id=$1 port out=$work/$1.json
  compile "$id" || { echo "$id: does not compile"; return 1; }
  port=$(free_port)
  if start "$id" "$port" "$work/$id.log"; then
    # it is ended after the diagnosis, whatever this says
    "$fettle" diagnose "http://127.0.0.1:$port$(part "$id" load path)" --pid "$pid" -c "$(part "$id" load connections)" \
      --dir "$work/$id.fettle" --json >"$out" 2>"$work/$id.err" || true
    [ -z "${FIELD_JSON:-}" ] || { mkdir -p "$FIELD_JSON"; cp "$out" "$FIELD_JSON/$id.json"; }
    python3 "$here/score.py" "$id" "$(half "$id")" "$out" "$work/$id.err" "$(field "$id" accept)"
  else
    echo "$id: does not start"
  fi
  stop
}

mode=run only=
case ${1:-} in
  -h | --help) usage; exit ;;
  --list) for id in $(ids); do printf '%-22s %s\n' "$id" "$(half "$id")"; done; exit ;;
  --open | --sealed) only=${1#--}; shift ;;
  --score)
    mode=score; shift
    case ${1:-} in --open | --sealed) only=${1#--}; shift ;; '') die "--score needs --open, --sealed or ids" ;; esac ;;
  --compile) mode=compile; shift ;;
  --start) mode=start; shift ;;
  -*) die "unknown option $1 (see --help)" ;;
esac
need python3 sha256sum
chosen=("$@")
if [ $mode = start ]; then
  [ ${#chosen[@]} -ge 1 ] && [ -e "$programs/${chosen[0]}/case.yaml" ] || die "--start needs an id (see --list)"
  scratch
  compile "${chosen[0]}" || exit 1
  port=$(free_port)
  start "${chosen[0]}" "$port" "$work/log" "${chosen[@]:1}" || exit 1
  echo "http://127.0.0.1:$port$(part "${chosen[0]}" load path)   process $pid"
  wait "$pid"
  exit
fi
if [ ${#chosen[@]} = 0 ]; then mapfile -t chosen < <(ids); fi
[ -z "$only" ] || { kept=(); for id in "${chosen[@]}"; do [ "$(half "$id")" != "$only" ] || kept+=("$id"); done; chosen=(${kept[@]+"${kept[@]}"}); }
for id in "${chosen[@]}"; do [ -e "$programs/$id/case.yaml" ] || die "no case '$id' (see --list)"; done
scratch
failed=0
if [ $mode = compile ]; then
  for id in "${chosen[@]}"; do if compile "$id"; then echo "$id: compiled"; else failed=1; echo "$id: does not compile"; fi; done
  exit $failed
fi
if [ $mode = score ]; then
  fettle=${FETTLE:-$here/../../fettle}
  printf '%-22s %-7s %-5s %s\n' case half right 'first finding'
  for id in "${chosen[@]}"; do score_case "$id" || failed=1; done
  exit $failed
fi
[ -n "${FIELD_LOAD:-}" ] || need wrk
printf '%-22s %-7s %10s %10s %8s   %10s %10s %8s\n' case half 'before/s' 'p99 ms' failed 'fixed/s' 'p99 ms' failed
for id in "${chosen[@]}"; do run_case "$id" || failed=1; done
exit $failed
