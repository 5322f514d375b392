#!/usr/bin/env bash
# What it costs a server that it is watched as by "fettle watch" and in a trial (its JVM, what its workers do, its threads, the host, its
# sockets): throughput, CPU time a request and p99 watched over those alone, in slices that take turns; and the CPU time that is
# spent on watching, in Fettle and in the server's threads that answer it, which is much less noisy.
#
#   bench/watch-cost.sh [--pairs N] [--slice MS] [--warm N] [--threads N] [--servers "plain tomcat jetty undertow"]
#
# The server on CPU 0, the generator on CPU 1; first the JDK's HTTP server on a pool of 146 threads, then the three servers with
# 200. The first slices (--warm, 12) are not counted: until the JVM has compiled Fettle's own code, watching costs several times as
# much. A slice is longer than the pauses between looks (2 to 5 s), so that as many fall into it as into a watch that never rests. About
# 14 minutes for all. The ratios' median and its 95 % interval; 1 means that it costs nothing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
pairs=15 threads=146 slice=5000 warm=12 servers="plain tomcat jetty undertow"
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --pairs) pairs=$2; shift ;;
    --threads) threads=$2; shift ;;
    --slice) slice=$2; shift ;;
    --warm) warm=$2; shift ;;
    --servers) servers=$2; shift ;;
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

# The JDK's HTTP server.
plain() {
  local port
  port=$(free_port)
  taskset -c 0 "$java" -Xmx256m -cp "$bench/build/fettle-bench.jar:$bench/build/lib/*" dev.fettle.bench.watch.PlainServer \
    port="$port" threads="$threads" & server=$!
  child "$server"
  wait_for "$port"
  echo "JDK HttpServer, $threads threads: $(watched_on 1 watch.WatchCost pid="$server" port="$port" \
    pairs="$pairs" slice="$slice" warm="$warm")"
  unchild "$server"
}

# embedded NAME: one of the three servers.
embedded() {
  taskset -c 0 "$java" -Xmx256m -cp "$root/servers/build/fettle-servers.jar:$root/servers/build/lib/*" dev.fettle.servers.Main \
    server="$1" app=hello threads.max=200 > "$work/$1.out" & server=$!
  child "$server"
  until grep -qs FETTLE-READY "$work/$1.out"; do kill -0 "$server" || die "$1 did not start"; sleep 0.1; done
  port=$(sed -n 's/.*FETTLE-READY.*"port":\([0-9]*\).*/\1/p' "$work/$1.out")
  echo "$1, 200 threads: $(watched_on 1 watch.WatchCost pid="$server" port="$port" pairs="$pairs" slice="$slice" warm="$warm")"
  unchild "$server"
}
for name in $servers; do
  case $name in
    plain) plain ;;
    tomcat) embedded tomcat ;;
    jetty) embedded jetty ;;
    undertow) embedded undertow ;;
    *) die "no server $name (plain, tomcat, jetty, undertow)" ;;
  esac
done
