# start.sh RUN COLUMNS WORD [load]: runs a command of the Fettle that lies next to this script, for one on another machine.
# The Java code replaces CLASS_PATH when it packs this.
set -u
d=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
. "$d/jdk.sh"
find_jdk javac
if [ -z "$jdk" ]; then
  echo "it $(no_jdk)" >&2
  exit 3
fi
umask 077
r=${d%/*}/runs/$1
mkdir -p "$r" || exit 3
touch -c "$d/complete" # when it was last used
COLUMNS=$2
export COLUMNS
# over ssh there is often no locale: then Java can neither name a file 'plän.yaml' nor take such an argument
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX)
    LC_ALL=C.UTF-8
    export LC_ALL
    ;;
esac
cd || exit 3
# what looks runs little code, often; what sends load runs the same code all the time
compiling=-XX:TieredStopAtLevel=1
[ "${4:-}" = load ] && compiling=-XX:AutoBoxCacheMax=65536
"$jdk/bin/java" -Xmx512m -XX:+UseSerialGC -XX:-UsePerfData "$compiling" --enable-native-access=ALL-UNNAMED \
  -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 -Dfettle.home="$d" -cp "CLASS_PATH" dev.fettle.cli.Main at-host "$r" "$3"
code=$?
rm -rf "$r/scratch"
rmdir "$r"/* "$r" 2>/dev/null # where nothing was written
echo "fettle-at-host: down" >&2
exit "$code"
