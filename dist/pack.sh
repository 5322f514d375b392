#!/bin/sh
# Makes a Java runtime, puts what was built beside it, in the folders of a checkout, and packs both; called by 'mvn -Pdist'.
#   pack.sh NAME TIMESTAMP JAVA_HOME MODULES
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
build=$root/dist/build
to=$build/$1
rm -rf "$build"
mkdir -p "$to"

# Maven may run on an older Java than it compiles with.
. "$root/dist/jdk.sh"
find_jdk jlink "$3"
if [ -z "$jdk" ]; then
  hint=''
  if [ -z "${FETTLE_JAVA_HOME:-}" ]; then hint='; set JAVA_HOME'; fi # else that is not looked at
  echo "pack.sh: $(no_jdk jlink)$hint" >&2
  exit 1
fi
"$jdk/bin/jlink" --add-modules "$4" --strip-java-debug-attributes --no-man-pages --no-header-files --compress zip-6 --generate-cds-archive \
  --output "$to/runtime"

# Copies the files and folders that are named, with the path they have in a checkout.
take() {
  for part; do
    if [ ! -e "$root/$part" ]; then echo "pack.sh: $part is not built" >&2; exit 1; fi
    mkdir -p "$to/$(dirname "$part")"
    cp -R "$root/$part" "$to/$part"
  done
}
take fettle README.md CHANGELOG.md LICENSE dist/Dockerfile dist/jdk.sh docs agent/build/fettle-agent.jar \
  cli/build/fettle-cli.jar cli/build/lib servers/build/fettle-servers.jar servers/build/lib \
  servers/faults/build/fettle-faults.jar servers/faults/build/lib
for server in tomcat jetty undertow; do take "servers/war/$server/build/lib"; done
(cd "$root" && find examples -maxdepth 1 -type f) | while read -r example; do take "$example"; done
take examples/war examples/judge examples/documents model/src/main/resources/dev/fettle/plan.schema.json

# What the launcher would do first, so that it need not write into a folder that may belong to another user.
"$to/runtime/bin/java" -cp "$to/cli/build/fettle-cli.jar" dev.fettle.cli.ModernJar "$to"/cli/build/lib/picocli-*.jar

# The class paths of WARs repeat libraries of the sample apps: one copy of each, under several names.
for jar in "$to"/servers/war/*/build/lib/*.jar "$to"/servers/faults/build/lib/*.jar; do
  for same in "$to/servers/build/lib/${jar##*/}" "$to/cli/build/lib/${jar##*/}" "$to"/servers/war/*/build/lib/"${jar##*/}"; do
    if [ ! "$same" -ef "$jar" ] && cmp -s "$same" "$jar"; then ln -f "$same" "$jar"; break; fi
  done
done

archive=$build/$1.tar.gz
tar -C "$build" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$2" -cf - "$1" | gzip -9n >"$archive"
(cd "$build" && sha256sum "$1.tar.gz" >"$1.tar.gz.sha256")
echo "dist: $archive: $(du -h "$archive" | cut -f1), unpacked $(du -sh "$to" | cut -f1)"
