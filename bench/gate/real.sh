#!/usr/bin/env bash
# Real gates of a Spring Boot jar into which a loss was put, quiet or next to a neighbour: what each says, and after how many minutes.
# Next to them the habit of the field on the same jars: two runs of `fettle bench` on fresh processes and a threshold of 5 %.
#
#   bench/gate/real.sh [--server tomcat] [--gates 1] [--time 10m] [--neighbour] [CELL...]
#
# A cell is KIND:AMOUNT. Default: cpu:0 cpu:3 cpu:5 cpu:10 (per cent of the page's CPU time). Others: lock:30 (per cent of the work that is
# held under one lock), alloc:20000 (bytes a request), statement:1 (one more wait of so many milliseconds), start:1500 (milliseconds of a start).
# The neighbour burns a third of one CPU, in bursts of a second. Needs a built checkout and the example's jar (examples/boot). A gate takes
# --time at most, and half as long again for why; with the defaults four gates, 40 minutes at most. Writes bench/results/gate-real.md.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
server=tomcat gates=1 time=10m neighbour=
cells=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit ;;
    --server) server=$2; shift 2 ;;
    --gates) gates=$2; shift 2 ;;
    --time) time=$2; shift 2 ;;
    --neighbour) neighbour=yes; shift ;;
    -*) die "unknown option $1 (see --help)" ;;
    *:*) cells+=("$1"); shift ;;
    *) die "a cell is KIND:AMOUNT, not $1 (see --help)" ;;
  esac
done
[ ${#cells[@]} -gt 0 ] || cells=(cpu:0 cpu:3 cpu:5 cpu:10)
case $server in tomcat | jetty) ;; *) die "--server $server: tomcat or jetty" ;; esac
jar=$root/examples/boot/$server-4.1/build/boot-$server-4.1.jar
[ -f "$jar" ] || die "there is no $jar: mvn -q -B -f examples/boot package"
. "$root/dist/jdk.sh"
find_jdk javac
scratch
mkdir -p "$results"
out=$results/gate-real.md

# A copy of the jar with the page of that loss.
put() { # KIND AMOUNT FILE
  local d=$work/put
  rm -rf "$d" && mkdir -p "$d/libs" "$d/BOOT-INF/classes" "$d/src"
  (cd "$d/libs" && "$jdk/bin/jar" xf "$jar" BOOT-INF/lib)
  sed "s/@KIND@/$1/; s/@AMOUNT@/$2/" "$bench/gate/Put.java" > "$d/src/WorkController.java"
  "$jdk/bin/javac" -nowarn -parameters --release 17 -cp "$d/libs/BOOT-INF/lib/*" -d "$d/BOOT-INF/classes" "$d/src/WorkController.java"
  cp "$jar" "$3"
  "$jdk/bin/jar" uf "$3" -C "$d" BOOT-INF/classes
}

burst() { # a third of one CPU
  while :; do timeout 1 sh -c 'while :; do :; done' || true; sleep 2; done
}

field() { # A FILE: its throughput as one run of a tool says
  "$root/fettle" bench --json -c 8 -d 10s "http://127.0.0.1:$1/work?cpu=0.3" 2> "$work/field.log" \
    | sed -n 's/.*"throughputPerSecond" *: *\([0-9.]*\).*/\1/p' | head -n 1
}

once() { # FILE: starts it, one run, stops it
  local port=18471 pid x
  "$jdk/bin/java" -jar "$1" --server.port=$port > "$work/app.log" 2>&1 & pid=$!
  child "$pid"
  for _ in $(seq 100); do curl -fs "http://127.0.0.1:$port/work" > /dev/null && break; sleep 0.2; done
  field $port > /dev/null
  x=$(field $port)
  unchild "$pid"
  echo "${x:-0}"
}

put none 0 "$work/old.jar"
[ -n "$neighbour" ] || quiet_check
if [ -n "$neighbour" ]; then burst & child $!; fi
{
  echo "Spring Boot 4.1 on $server, /work?cpu=0.3, 8 clients, --time $time${neighbour:+, next to a neighbour}. $(machine)"
  echo
  echo "| put in | answer | CPU per request | throughput | pairs | minutes | why | two runs and 5 % |"
  echo "|---|---|--:|--:|--:|--:|---|---|"
} | tee "$out"
for cell in "${cells[@]}"; do
  put "${cell%%:*}" "${cell#*:}" "$work/new.jar"
  for _ in $(seq "$gates"); do
    code=0
    "$root/fettle" gate "$work/old.jar" "$work/new.jar" --path '/work?cpu=0.3' -c 8 --time "$time" --dir "$work/.fettle" --json \
      > "$work/gate.json" 2> "$work/gate.log" || code=$?
    case $code in 0 | 5 | 6) ;; *) tail -n 5 "$work/gate.log" >&2; die "the gate of $cell ended with $code" ;; esac
    a=$(once "$work/old.jar") b=$(once "$work/new.jar")
    python3 - "$cell" "$work/gate.json" "$a" "$b" << 'P' | tee -a "$out"
import json, sys
cell, file, a, b = sys.argv[1:]
c = json.load(open(file))['conclusion']
def change(name):
    m = next((m for m in c['metrics'] if m['metric'] == name), None)
    if not m or not m['pairs']: return '–'
    i = m['change']
    text = lambda v: f"{100 * (v - 1):+.1f} %" if isinstance(v, (int, float)) else '–'
    return text(i['estimate']) + (f" [{text(i.get('low'))} to {text(i.get('high'))}]" if isinstance(i.get('low'), (int, float)) else '')
why = c.get('why') or {}
first = next(iter(why.get('methods', [])), None)
named = first['method'].split('.')[-2] + '.' + first['method'].split('.')[-1] + ' ' + first['kind'] if first else 'no method'
a, b = float(a), float(b)
habit = 'no figure' if not (a and b) else f"{100 * (b / a - 1):+.1f} %: " + ('fails' if b < 0.95 * a else 'passes')
print(f"| {cell} | {c['result'].replace('_', ' ')} | {change('cpu')} | {change('throughput')} | {c['pairs']} + {c['basePairs']} |"
      f" {c['seconds'] / 60:.1f} | {named} | {habit} |")
P
  done
done
say "written: $out"
