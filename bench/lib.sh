# Shared by the scripts of this folder: source it. Nothing here runs by itself.
# shellcheck shell=bash

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$bench")
results=${FETTLE_RESULTS:-$bench/results}
peers_home=${FETTLE_PEERS:-${HOME:-/nowhere}/.cache/fettle-peers}
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

# A web server that has dropped root privileges must be able to read it.
scratch() { work=$(mktemp -d); chmod 755 "$work"; cleaning+=('rm -rf -- "$work"'); }

need() { local p; for p in "$@"; do command -v "$p" >/dev/null || die "needs $p"; done; }

# Warns when something else uses the CPUs: figures measured then include it.
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
jdk() (
  . "$root/dist/jdk.sh"
  find_jdk javac
  [ -n "$jdk" ] || die "$(no_jdk)"
  echo "$jdk"
)

# The start of every measuring script: the server's CPU and the generator's, Fettle built, a scratch folder, a place for results.
prepare() {
  need taskset python3 "$@"
  [ "$(nproc)" -ge 2 ] || die "needs two CPUs: one for the server, one for the generator"
  build_fettle
  scratch
  mkdir -p "$results"
}

build_fettle() { "$root/fettle" --version >/dev/null; }

# Builds this folder's Java tools if they are older than their sources.
build_tools() {
  local stamp=$bench/build/built
  if [ ! -f "$stamp" ] || [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main -newer "$stamp" -type f -print -quit)" ]; then
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

# A port of loopback that nobody listens on: two of these scripts, or another program, may run at the same time.
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# wait_for PORT
wait_for() {
  local i
  for ((i = 0; i < 600; i++)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
    sleep 0.05
  done
  die "nothing listens on port $1"
}

# ---- servers

# nginx_start PORT CPU BYTES: "return 200" for small bodies, a file from the page cache for large ones. Sets server.
nginx_start() {
  local port=$1 cpu=$2 bytes=$3
  mkdir -p "$work/www"
  head -c "$bytes" /dev/zero | tr '\0' x > "$work/www/index.html"
  {
    echo "daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.log; worker_rlimit_nofile 200000;"
    echo "events { worker_connections 100000; }"
    echo "http { access_log off; keepalive_requests 1000000000; keepalive_timeout 1h; default_type text/plain; open_file_cache max=10;"
    echo "  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;"
    echo "  sendfile on; server { listen 127.0.0.1:$port backlog=4096;"
    if [ "$bytes" -le 4096 ]; then
      echo "    location / { return 200 \"$(cat "$work/www/index.html")\"; } } }"
    else
      echo "    root $work/www; } }"
    fi
  } > "$work/nginx.conf"
  taskset -c "$cpu" nginx -c "$work/nginx.conf" -p "$work" & server=$!
  child "$server"
  wait_for "$port"
}

# jetty_start PORT CPU BYTES: embedded Jetty, its own defaults. Sets server.
jetty_start() {
  local port=$1 cpu=$2 bytes=$3
  taskset -c "$cpu" "$(jdk)/bin/java" -Xmx512m -cp "$root/servers/build/fettle-servers.jar:$root/servers/build/lib/*" \
    dev.fettle.servers.Main server=jetty app=payload \
    "app.bytes=$bytes" "port=$port" > "$work/jetty.log" 2>&1 & server=$!
  child "$server"
  wait_for "$port"
}

# CPU seconds that a process and its children have used so far.
cpu_of() {
  local pid ticks=0 more
  for pid in "$1" $(cat "/proc/$1/task"/*/children 2>/dev/null); do
    more=$(awk '{sub(/^.*\) /, ""); print $12 + $13}' "/proc/$pid/stat" 2>/dev/null || echo 0)
    ticks=$((ticks + ${more:-0}))
  done
  awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" 'BEGIN{print t / hz}'
}

# timed CPU COMMAND…: runs it on that CPU, output in $work/out and $work/err; sets used to its CPU seconds, user and system.
timed() {
  local on=$1 code=0 TIMEFORMAT='%U %S'; shift
  used=$({ time taskset -c "$on" "$@" > "$work/out" 2> "$work/err"; } 2>&1) || code=$?
  used=$(awk '{print $1 + $2}' <<< "$used")
  # with 4, fettle has measured and says that something disturbed it: that is what interleaved rounds are for
  [ "$code" -eq 0 ] || [ "$code" -eq 4 ] || { say "$1 failed: $(tail -n 2 "$work/err")"; return 1; }
}
