# shellcheck shell=sh disable=SC2034
# Finds a JDK 25 or newer. The launcher, .mvn/javac/javac, bench/lib.sh and dist/pack.sh source it; nothing here runs by itself.
#   FETTLE_JAVA_HOME  the JDK to use; nothing else is looked at then
#   FETTLE_JDK_PATH   for tests: homes in place of those in the usual places

# Prints the feature release of a JDK home that has a program, or nothing if it is none.
release() {
  [ -x "$1/bin/$2" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release"
}

consider() {
  version=$(release "$1" "$2")
  [ -n "$version" ] || return 0
  found="$found $version"
  if [ -z "$jdk" ] && [ "$version" -ge 25 ]; then jdk=$1; fi
}

# find_jdk PROGRAM [HOME]: sets jdk to the home of the first JDK that has the program (javac, jlink) and is new enough, or to nothing; and
# found to the releases that there were. HOME is looked at before the usual places.
find_jdk() {
  jdk='' found=''
  if [ -n "${FETTLE_JAVA_HOME:-}" ]; then
    consider "$FETTLE_JAVA_HOME" "$1"
    return 0
  fi
  if [ -n "${2:-}" ]; then consider "$2" "$1"; fi
  if [ -n "${JAVA_HOME:-}" ]; then consider "$JAVA_HOME" "$1"; fi
  onpath=$(command -v javac || true)
  if [ -n "$onpath" ]; then
    consider "$(dirname "$(dirname "$(readlink -f "$onpath" 2>/dev/null || echo "$onpath")")")" "$1"
  fi
  for candidate in ${FETTLE_JDK_PATH-/usr/lib/jvm/* /usr/java/* /opt/* "${HOME:-/nowhere}"/.sdkman/candidates/java/* \
    "${HOME:-/nowhere}"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home}; do
    [ -n "$jdk" ] && break
    consider "$candidate" "$1"
  done
}

# no_jdk [PROGRAM]: says what find_jdk looked at in vain.
no_jdk() {
  what="JDK 25 or newer${1:+ with $1}"
  if [ -n "${FETTLE_JAVA_HOME:-}" ]; then
    echo "FETTLE_JAVA_HOME=$FETTLE_JAVA_HOME is no $what"
  else
    echo "needs a $what; found:${found:- none}"
  fi
}
