# Shared by the scripts of this folder: source it. Nothing here runs by itself.
# shellcheck shell=bash

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$bench")
results=${FETTLE_RESULTS:-$bench/results}
peers_home=${FETTLE_PEERS:-$HOME/.cache/fettle-peers}
PATH=$peers_home/bin:$PATH

# Prints a script's leading comment as its help.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

die() { echo "$(basename "$0"): $*" >&2; exit 2; }

say() { echo "# $*" >&2; }

# Ends this script's own children, and them only, however the script ends.
children=()
cleaning=(:)
finish() {
  local code=$? c
  trap - EXIT INT TERM
  for c in ${children[@]+"${children[@]}"}; do kill "$c" 2>/dev/null || true; done
  for c in ${children[@]+"${children[@]}"}; do wait "$c" 2>/dev/null || true; done
  for c in "${cleaning[@]}"; do eval "$c" || true; done
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
child() { children+=("$1"); }
unchild() {
  local kept=() c
  kill "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
  for c in ${children[@]+"${children[@]}"}; do [ "$c" = "$1" ] || kept+=("$c"); done
  children=(${kept[@]+"${kept[@]}"})
}

scratch() { work=$(mktemp -d); cleaning+=("rm -rf '$work'"); }

need() { local p; for p in "$@"; do command -v "$p" >/dev/null || die "needs $p"; done; }

# Warns when something else uses the CPUs: a figure measured then is of that, too.
quiet_check() {
  local before after busy cores
  cores=$(nproc)
  before=$(awk '/^cpu /{print $2+$3+$4+$7+$8+$9, $2+$3+$4+$5+$6+$7+$8+$9}' /proc/stat); sleep 2
  after=$(awk '/^cpu /{print $2+$3+$4+$7+$8+$9, $2+$3+$4+$5+$6+$7+$8+$9}' /proc/stat)
  busy=$(awk -v a="$before" -v b="$after" 'BEGIN{split(a,x);split(b,y); printf "%.1f", 100*(y[1]-x[1])/(y[2]-x[2])}')
  if awk -v b="$busy" 'BEGIN{exit !(b > 5)}'; then
    say "WARNING: $busy % of the $cores CPUs are busy with other work: these figures will not be worth much"
  fi
}

machine() {
  echo "$(nproc) CPUs ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)), Linux $(uname -r), $(date -u +%Y-%m-%d)"
}

# The JDK that Fettle runs on.
jdk() {
  local c v
  for c in "${FETTLE_JAVA_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/* /usr/java/* /opt/* "$HOME"/.sdkman/candidates/java/*; do
    [ -n "$c" ] && [ -x "$c/bin/javac" ] && [ -r "$c/release" ] || continue
    v=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$c/release")
    if [ "${v:-0}" -ge 25 ]; then echo "$c"; return; fi
  done
  die "needs a JDK 25 or newer"
}

build_fettle() { "$root/fettle" --version >/dev/null; }

# Builds this folder's Java tools if they are older than their sources.
build_tools() {
  local stamp=$bench/build/built
  if [ ! -f "$stamp" ] || [ -n "$(find "$bench/pom.xml" "$bench/src/main" "$root/load/src/main" -newer "$stamp" -type f -print -quit)" ]; then
    say "building the tools"
    (cd "$root" && JAVA_HOME=$(jdk) mvn -q -B -ntp -DskipTests -pl bench -am package >&2)
    touch "$stamp"
  fi
}

# tool CLASS ARGS…: runs one of them in place of this process (so run it in a subshell, or in the background).
tool() {
  local class=$1; shift
  exec "$(jdk)/bin/java" ${TOOL_JAVA_OPTIONS:--Xmx1g} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \
    -cp "$bench/build/fettle-bench.jar:$bench/build/lib/*" "dev.fettle.bench.$class" "$@"
}

# wait_for PORT
wait_for() {
  local i
  for ((i = 0; i < 200; i++)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.05
  done
  die "nothing listens on port $1"
}
