#!/usr/bin/env bash
# Tries examples/in-a-build/fettle.gradle in a project of its own, with the gradle on the PATH (Debian's 4.4.1 is enough, on Java 17): what the
# tasks say without their arguments, and a bench and a gate of a small server.
#
#   bench/in-gradle.sh [--time 5m]      needs a built checkout, gradle and a JDK 17 for it (JAVA_HOME)
#
# A minute and --time. Ends with 1 if anything was not as expected.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
case ${1:-} in
  -h | --help) usage; exit ;;
  --time) time=$2 ;;
  '') time=5m ;;
  *) die "unknown option $1 (see --help)" ;;
esac
need gradle
scratch
project=$work/shop
mkdir -p "$project/src/main/java/shop"
cp "$root/examples/in-a-build/fettle.gradle" "$project/"
cat > "$project/build.gradle" << 'G'
apply plugin: 'java'
apply from: 'fettle.gradle'
sourceCompatibility = 1.8
jar { manifest { attributes 'Main-Class': 'shop.Shop' } }
G
echo "rootProject.name = 'shop'" > "$project/settings.gradle"
server() { # ROUNDS of work for an answer
  cat > "$project/src/main/java/shop/Shop.java" << J
package shop;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class Shop {
  public static void main(String[] a) throws Exception {
    HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(a[0])), 100);
    s.setExecutor(java.util.concurrent.Executors.newFixedThreadPool(8));
    s.createContext("/", x -> {
      long n = System.nanoTime() | 1;
      for (int i = 0; i < $1; i++) { n ^= n << 13; n ^= n >>> 7; n ^= n << 17; }
      byte[] b = (n == 0 ? "none" : "page").getBytes();
      x.sendResponseHeaders(200, b.length); x.getResponseBody().write(b); x.close();
    });
    s.start();
  }
}
J
}
export FETTLE_HOME=${FETTLE_HOME:-$root} GRADLE_USER_HOME=$work/gradle
failed=0
expect() { # NAME CODE TEXT ARGUMENTS
  local name=$1 want=$2 text=$3 code=0
  shift 3
  (cd "$project" && gradle --offline --console=plain -q "$@") > "$work/$name.log" 2>&1 || code=$?
  if [ "$code" = "$want" ] && grep -qF -- "$text" "$work/$name.log"; then
    echo "as expected: $name (Gradle ended with $code)"
  else
    echo "NOT as expected: $name: Gradle ended with $code instead of $want, or did not say '$text':"
    tail -n 12 "$work/$name.log"
    failed=1
  fi
}
server 20000
expect assemble 0 '' assemble
cp "$project/build/libs/shop.jar" "$work/old.jar"
expect no-base 1 'fettle gate has no base' fettleGate
expect no-url 1 'fettle bench has no URL' fettleBench
expect not-there 1 'there is no nowhere.jar' fettleGate -Pfettle.base=nowhere.jar
expect itself 1 'same program' fettleGate "-Pfettle.base=$work/old.jar" '-Pfettle.run={java} -jar {program} {port}'
server 60000
expect slower 1 'ended with 5: worse than is allowed' fettleGate "-Pfettle.base=$work/old.jar" '-Pfettle.run={java} -jar {program} {port}' \
  -Pfettle.connections=8 "-Pfettle.time=$time" -Pfettle.why=0
exit $failed
