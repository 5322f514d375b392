# start.sh RUN COLUMNS WORD: runs a command of the Fettle that lies next to this script, for one on another machine.
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
touch "$d/complete" # when it was last used
COLUMNS=$2
export COLUMNS
cd || exit 3
"$jdk/bin/java" -Xmx512m -XX:+UseSerialGC -XX:-UsePerfData -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
  -cp "CLASS_PATH" dev.fettle.cli.Main at-host "$r" "$3"
code=$?
rmdir "$r"/* "$r" 2>/dev/null # where nothing was written
exit "$code"
