#!/bin/sh
# Tries what goes into other people's builds, as they would use it, offline and in a Maven repository of its own:
#   fettle-junit in a Spring Boot test on a random port (passed, failed and aborted), and fettle-maven-plugin's gate, bench and capacity.
#   bench/in-a-build.sh [--online] [--time 8m]     needs a built checkout (mvn -DskipTests package); --online: Maven may fetch what is missing
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
. "$root/dist/jdk.sh"
find_jdk javac
time=8m
offline=-o
if [ "${1:-}" = --online ]; then
  offline=
  shift
fi
if [ "${1:-}" = --time ]; then time=$2; fi
work=$root/bench/build/in-a-build
rm -rf "$work"
mkdir -p "$work/home"
echo "one repository for this: hard links to ~/.m2/repository"
cp -al "$HOME/.m2/repository" "$work/m2"
rm -rf "$work/m2/dev/fettle"
mvn="mvn $offline -B -ntp -q -Dmaven.repo.local=$work/m2"
export JAVA_HOME="$jdk" FETTLE_CALM=off FETTLE_NO_BUILD=1
(cd "$root" && $mvn -DskipTests -pl junit,maven-plugin -am install)
cp -R "$root/examples/in-a-build" "$work/shop"
cd "$work/shop"
home=-Dfettle.home=$root

failed=0
# What a build ends with, and what it must have said.
expect() { # NAME CODE TEXT
  if [ "$code" = "$2" ] && grep -qF -- "$3" "$work/$1.log"; then
    echo "as expected: $1 (Maven ended with $code)"
  else
    echo "NOT as expected: $1: Maven ended with $code instead of $2, or did not say '$3'; see $work/$1.log"
    failed=1
  fi
}
run() { # NAME ARGUMENTS
  name=$1
  shift
  code=0
  mvn $offline -B -ntp "-Dmaven.repo.local=$work/m2" "$home" "$@" >"$work/$name.log" 2>&1 || code=$?
}

run junit test
expect junit 0 'Tests run: 2, Failures: 0, Errors: 0, Skipped: 1'
run junit-broken test -Dshop.slo='p99<1us'
expect junit-broken 1 'Tests run: 2, Failures: 1, Errors: 0, Skipped: 1'
home=-Dfettle.home=/nowhere
run junit-no-command test
home=-Dfettle.home=$root
expect junit-no-command 1 'there is no program /nowhere/fettle'

run package package -DskipTests
cp target/shop-1.jar "$work/old.jar"
sed -i 's/"shop.busy", 200/"shop.busy", 900/' src/main/java/dev/fettle/examples/shop/Shop.java
run gate-without-base verify -DskipTests
expect gate-without-base 1 'fettle gate has no base'
run gate-skipped verify -DskipTests -Dfettle.skip
expect gate-skipped 0 'fettle.skip is set'
run gate-slower verify -DskipTests "-Dfettle.base=$work/old.jar" "-Dfettle.time=$time"
expect gate-slower 1 'the head is slower than the base (exit code 5)'
run gate-itself verify -DskipTests "-Dfettle.base=target/shop-1.jar" "-Dfettle.time=$time"
expect gate-itself 1 'there is no result'

"$jdk/bin/java" -jar "$work/old.jar" --server.port=18457 >"$work/app.log" 2>&1 &
app=$!
trap 'kill $app 2>/dev/null || :' EXIT
for _ in $(seq 60); do
  if grep -q 'Started Shop' "$work/app.log"; then break; fi
  sleep 1
done
run bench fettle:bench -Dfettle.url=http://127.0.0.1:18457/price -Dfettle.connections=4 -Dfettle.duration=3s '-Dfettle.failIf=errors>0.1%'
expect bench 0 'BUILD SUCCESS'
run bench-broken fettle:bench -Dfettle.url=http://127.0.0.1:18457/price -Dfettle.duration=3s '-Dfettle.failIf=p99>1us'
expect bench-broken 1 'a condition of <failIf> is met (exit code 5)'
run bench-void fettle:bench -Dfettle.url=http://127.0.0.1:18457/no-such-page -Dfettle.duration=3s
expect bench-void 1 'the result is void'
run capacity fettle:capacity -Dfettle.url=http://127.0.0.1:18457/price '-Dfettle.slo=p99<1s' -Dfettle.budget=30s -Dfettle.atLeast=1000000/s
expect capacity 1 'fettle capacity'
exit $failed
