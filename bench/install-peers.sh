#!/usr/bin/env bash
# Installs the load generators that the other scripts compare Fettle with, one after the other, at low priority.
#
#   bench/install-peers.sh [NAME…]      default: all that are missing
#
# From Debian's packages: wrk, ab, siege, hey, h2load, nginx (as root). From crates.io: shb, oha. From the Go module proxy:
# k6, vegeta. From Maven Central: JMeter. What is not Debian's, whose packages are signed, has a fixed version and a fixed checksum.
# Those built from source take 5 to 10 minutes each. All but Debian's go to
# ~/.cache/fettle-peers (variable FETTLE_PEERS). wrk2 has no package anywhere; it is used if it is on the PATH.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
case ${1:-} in -h | --help) usage; exit ;; esac
scratch
mkdir -p "$peers_home/bin"

apt_peer() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get install -y --no-install-recommends "$1" >/dev/null
  else
    say "needs Debian's package $1"; return 1
  fi
}
crate() { # NAME VERSION SHA256: what the index says of it is compared first, and its build follows its own lock file
  local name=$1 version=$2 sum=$3 into=$work/crate-$1 found
  mkdir -p "$into/src"
  printf '[package]\nname = "peers"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n%s = "=%s"\n' "$name" "$version" > "$into/Cargo.toml"
  echo 'fn main() {}' > "$into/src/main.rs"
  cargo generate-lockfile --quiet --manifest-path "$into/Cargo.toml" || return
  found=$(awk -v name="name = \"$name\"" '$0 == name { mine = 1 } mine && /^checksum/ { gsub(/"/, ""); print $3; exit }' "$into/Cargo.lock")
  [ "$found" = "$sum" ] || { say "$name $version has the checksum '$found', not $sum: it is not installed"; return 1; }
  nice cargo install --quiet --locked --version "=$version" --root "$peers_home" "$name"
}
go_module() { # MODULE VERSION PACKAGE NAME SUM MOD_SUM: through a module of our own, so that version and checksum are pinned
  mkdir -p "$work/$4" && (cd "$work/$4" && printf 'module peers\ngo 1.24\nrequire %s %s\n' "$1" "$2" > go.mod &&
    printf '%s %s %s\n%s %s/go.mod %s\n' "$1" "$2" "$5" "$1" "$2" "$6" > go.sum &&
    GOFLAGS='-p=1 -mod=mod' GOBIN="$peers_home/bin" nice go install "$3")
}
jmeter() {
  local home=$peers_home/jmeter
  mkdir -p "$home/lib/ext" "$home/lib/junit" "$home/bin"
  (cd "$bench/peers" && JAVA_HOME=$(jdk) mvn -q -B -ntp --strict-checksums -f jmeter-pom.xml dependency:copy-dependencies -DoutputDirectory="$home/lib")
  mv "$home"/lib/ApacheJMeter_*.jar "$home/lib/ext/"
  mv "$home"/lib/ApacheJMeter-*.jar "$home/bin/ApacheJMeter.jar"
  (cd "$home" && "$(jdk)/bin/jar" xf lib/ext/ApacheJMeter_config-*.jar bin)
}

install() {
  say "installing $1"
  case $1 in
    wrk) apt_peer wrk ;;
    ab) apt_peer apache2-utils ;;
    siege) apt_peer siege ;;
    hey) apt_peer hey ;;
    h2load) apt_peer nghttp2-client ;;
    nginx) apt_peer nginx-light ;;
    shb) crate shb 0.6.0 6884acf8edd9fd38083ab2198824c33b7e07c2d61a8fbc883305a55cbf1f6e6b ;;
    oha) crate oha 1.16.0 b8da8c2ee4b1659cf4fd9c753171f4e268c06e9025d9bded417091c128f0a496 ;;
    k6)
      go_module go.k6.io/k6 v1.8.1 go.k6.io/k6 k6 \
        h1:orZsbZ2Od0CVZICs9YpTgkKcxfPghJW8VZtwg0cj8H8= h1:M9GTflK5ArXWBY6ng2ksdV1SXzR6SkW49ryzIHqkyvQ=
      ;;
    vegeta)
      go_module github.com/tsenart/vegeta/v12 v12.12.0 github.com/tsenart/vegeta/v12 vegeta \
        h1:FKMMNomd3auAElO/TtbXzRFXAKGee6N/GKCGweFVm2U= h1:gpdfR++WHV9/RZh4oux0f6lNPhsOH8pCjIGUlcPQe1M=
      ;;
    jmeter) jmeter ;;
    *) die "unknown peer $1" ;;
  esac
}

present() { if [ "$1" = jmeter ]; then [ -f "$peers_home/jmeter/bin/ApacheJMeter.jar" ]; else command -v "$1" >/dev/null; fi; }

[ $# -gt 0 ] || set -- nginx wrk ab siege hey h2load shb oha k6 vegeta jmeter
for name in "$@"; do
  present "$name" || install "$name" || say "WARNING: no $name: it will be left out"
done

{
  wrk -v 2>/dev/null | head -n 1 || true
  ab -V 2>/dev/null | head -n 1 || true
  siege --version 2>/dev/null | head -n 1 || true
  h2load --version 2>/dev/null || true
  for p in hey wrk nghttp2-client apache2-utils siege nginx-light; do dpkg-query -W -f '${Package} ${Version}\n' "$p" 2>/dev/null || true; done
  sed -n 's/^"\([a-z0-9]* [0-9.]*\) .*/\1/p' "$peers_home/.crates.toml" 2>/dev/null || true
  k6 version 2>/dev/null || true
  present vegeta && echo "vegeta v12.12.0"
  present jmeter && echo "JMeter 5.6.3"
} > "$peers_home/versions.txt" || true
cat "$peers_home/versions.txt"
