#!/usr/bin/env bash
# What it costs a server that the threads of its pool are looked at: throughput watched over throughput alone, in slices that
# take turns.
#
#   bench/watch-cost.sh [--pairs N] [--threads N]
#
# The server on CPU 0, the generator on CPU 1; first the JDK's HTTP server on a pool of 146 threads, then Tomcat with 200.
# About 2.5 minutes. The ratios' median and its 95 % interval; 1 means that it costs nothing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
pairs=20 threads=146
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --pairs) pairs=$2; shift ;;
    --threads) threads=$2; shift ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift
done
prepare
build_tools
quiet_check
java=$(jdk)/bin/java

# watched_on CPU CLASS ARGS…: a tool, with all its threads on one CPU.
watched_on() { taskset -pc "$1" "$BASHPID" >/dev/null; shift; tool "$@"; }

taskset -c 0 "$java" -Xmx256m -cp "$bench/build/fettle-bench.jar:$bench/build/lib/*" dev.fettle.bench.watch.PlainServer \
  port=18080 threads="$threads" & server=$!
child "$server"
wait_for 18080
echo "JDK HttpServer, $threads threads: $(watched_on 1 watch.WatchCost pid="$server" prefix=worker- port=18080 pairs="$pairs")"
unchild "$server"

taskset -c 0 "$java" -Xmx256m -cp "$root/servers/build/fettle-servers.jar:$root/servers/build/lib/*" dev.fettle.servers.Main \
  server=tomcat app=hello threads.max=200 > "$work/tomcat.out" & server=$!
child "$server"
until grep -q FETTLE-READY "$work/tomcat.out"; do kill -0 "$server" || die "Tomcat did not start"; sleep 0.1; done
port=$(sed -n 's/.*FETTLE-READY.*"port":\([0-9]*\).*/\1/p' "$work/tomcat.out")
echo "Tomcat, 200 threads: $(watched_on 1 watch.WatchCost pid="$server" prefix=http-nio- port="$port" pairs="$pairs")"
