#!/usr/bin/env bash
# A gate of two real releases of a program that nobody here wrote: WireMock's standalone server, from Maven Central.
#
#   bench/gate/releases.sh [--time 10m] [OLD NEW]     versions (3.9.2 3.13.2)
#
# Maven fetches both jars. Both answer /hello from one mapping; 16 clients. Takes --time at most, and half as long again for why. Writes
# bench/results/gate-releases.md: the verdict, and where the difference lies.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
time=10m
case ${1:-} in
  -h | --help) usage; exit ;;
  --time) time=$2; shift 2 ;;
  -*) die "unknown option $1 (see --help)" ;;
esac
old=${1:-3.9.2} new=${2:-3.13.2}
need mvn
scratch
mkdir -p "$results" "$work/root/mappings"
for version in "$old" "$new"; do
  mvn -q -B -ntp dependency:copy -Dartifact="org.wiremock:wiremock-standalone:$version" -DoutputDirectory="$work" \
    || die "Maven can't fetch WireMock $version"
done
cat > "$work/root/mappings/hello.json" << 'J'
{"request": {"method": "GET", "url": "/hello"}, "response": {"status": 200, "body": "hello from wiremock"}}
J
code=0
"$root/fettle" gate "$work/wiremock-standalone-$old.jar" "$work/wiremock-standalone-$new.jar" --path /hello -c 16 --time "$time" \
  --run "{java} -Xms256m -Xmx256m -jar {program} --port {port} --root-dir $work/root --disable-banner --no-request-journal" \
  --dir "$work/.fettle" --markdown "$work/gate.md" || code=$?
{ machine; echo; cat "$work/gate.md"; } > "$results/gate-releases.md"
say "ended with $code (0 no worse, 5 worse, 6 can't tell); written: $results/gate-releases.md"
