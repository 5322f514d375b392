#!/usr/bin/env bash
# Runs the plans of docs/documents, keeps what they found, and writes it into the pages.
#
#   bench/documents.sh [NAME…]    runs these plans (all, if none is named), keeps the results, and writes the pages
#   bench/documents.sh write      writes the pages from what is kept; a test says if one is not up to date
#   bench/documents.sh list       the plans and their commands
#   bench/documents.sh keep NAME REPORT.json    keeps the result of a run made before
#   bench/documents.sh story      runs bench/faults/story.py, with the faults built for it
#
# All plans and the story together take one and a half to two hours on two CPUs.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
cd "$root"

list() {
  cat <<'PLANS'
jetty-threads-cpu sweep examples/documents/jetty-threads-cpu.yaml
jetty-threads-io sweep examples/documents/jetty-threads-io.yaml
jetty-backlog compare examples/documents/jetty-backlog.yaml
jetty-overload compare examples/documents/jetty-overload.yaml
jetty-os compare examples/documents/jetty-os.yaml own-network
tomcat-attributes compare examples/documents/tomcat-attributes.yaml
tomcat-limit diagnose examples/documents/tomcat-limit.yaml
tomcat-compression compare examples/documents/tomcat-compression.yaml
tomcat-keepalive sweep examples/documents/tomcat-keepalive.yaml
tomcat-tls compare examples/documents/tomcat-tls.yaml
tomcat-closed sweep examples/documents/tomcat-closed.yaml
tomcat-open sweep examples/documents/tomcat-open.yaml
tomcat-files compare examples/static-files.yaml
login-clients compare examples/documents/login-clients.yaml
login-threads tune examples/documents/login-threads.yaml
login-capacity capacity examples/documents/login-capacity.yaml
layers compare examples/layers.yaml
tomcat-grid sweep examples/documents/tomcat-grid.yaml
tomcat-nproc diagnose examples/documents/tomcat-nproc.yaml
tomcat-heap sweep examples/documents/tomcat-heap.yaml
three-servers-think compare examples/documents/three-servers-think.yaml
three-servers-sizes compare examples/documents/three-servers-sizes.yaml
three-servers-defaults compare examples/documents/three-servers-defaults.yaml
judge-jetty-ab judge examples/judge/jetty-ab.txt
judge-tomcat-ab judge examples/judge/tomcat-ab.txt
judge-login-page judge examples/judge/login-page.md
judge-tomcat-jmeter judge examples/judge/tomcat-jmeter.md
judge-three-servers-siege judge examples/judge/three-servers-siege.md
audit-jetty audit examples/documents/settings/jetty.md
audit-tomcat audit examples/documents/settings/tomcat.md
audit-grid audit examples/documents/settings/grid.md
audit-login audit examples/documents/settings/login.md
audit-three-servers audit examples/documents/settings/three-servers.md
check-tomcat-nproc check examples/documents/tomcat-nproc.yaml
story story bench/faults/story.py
PLANS
}

# plan_of NAME: its command, its plan, and own-network if it sets the kernel's own settings
plan_of() { list | awk -v n="$1" '$1 == n { print $2, $3, $4 }'; }

# faults: builds them, which ./fettle does not
faults() { (cd "$root" && JAVA_HOME=$(jdk) mvn -q -B -ntp -DskipTests -pl servers/faults -am package >&2); }

# story: keeps what it told
story() {
  faults
  need python3
  bench/faults/story.py
  cp bench/faults/results/story.json docs/documents/data/story.json
}

documents() { (TOOL_JAVA_OPTIONS="-Dfettle.home=$root" tool documents.Documents "$@"); }

case ${1:-} in
  -h | --help) usage; exit ;;
  list) list; exit ;;
  write) build_tools; documents write; exit ;;
  keep)
    build_tools
    read -r -a of < <(plan_of "$2") || die "no plan '$2'; bench/documents.sh list shows them"
    documents keep "$2" "$3" "${of[@]}"
    documents write
    exit ;;
esac

build_tools
scratch
found=$work/found.json
if [ $# -eq 0 ]; then mapfile -t names < <(list | cut -d' ' -f1); else names=("$@"); fi
for name in "${names[@]}"; do
  read -r -a of < <(plan_of "$name") || true
  set -- ${of[@]+"${of[@]}"}
  [ $# -ge 2 ] || die "no plan '$name'; bench/documents.sh list shows them"
  if [ "$1" = story ]; then story; continue; fi
  case $name in tomcat-closed | tomcat-open) faults ;; esac
  # judge exits with 4 where it refuses figures, diagnose and compare with others where a trial is void: what they print counts
  within=()
  [ "${3:-}" != own-network ] || within=(unshare --map-root-user --net sh -c 'ip link set lo up; exec "$@"' sh)
  ${within[@]+"${within[@]}"} ./fettle "$1" "$2" --json > "$found" || [ -s "$found" ]
  documents keep "$name" "$found" "$@"
done
documents write
