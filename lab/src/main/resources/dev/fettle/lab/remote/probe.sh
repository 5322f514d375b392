# Prints what is known of a machine, a fact a line: KEY VALUE. It changes nothing. jdk.sh comes before it.
fact() { printf '%s %s\n' "$1" "$(printf '%s' "$2" | tr '\n' ' ')"; }
first() { [ -r "$1" ] && head -n 1 "$1"; }
cpu() {
  first /proc/stat | sed "s/^cpu */cpu$1 /"
  cat /proc/[0-9]*/stat 2>/dev/null | sed "s/^/process$1 /"
}
fact system "$(uname -s)"
fact kernel "$(uname -r)"
fact machine "$(uname -m)"
cpu 1
find_jdk javac
fact jdks "$found"
[ -n "$jdk" ] && fact jdk "$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$jdk/release")"
fact cpus "$(nproc)"
fact memory "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)"
fact files "$(ulimit -Hn)"
fact io_uring "$(first /proc/sys/kernel/io_uring_disabled)"
fact governor "$(cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor 2>/dev/null | sort -u)"
fact ports "$(first /proc/sys/net/ipv4/ip_local_port_range)"
fact somaxconn "$(first /proc/sys/net/core/somaxconn)"
for i in /sys/class/net/*; do
  [ "${i##*/}" = lo ] || fact mtu "${i##*/}=$(first "$i/mtu")"
done
at=${XDG_CACHE_HOME:-$HOME/.cache}
while [ ! -d "$at" ] && [ "$at" != / ]; do at=$(dirname "$at"); done
fact disk "$(df -Pk "$at" | awk 'NR == 2 { print $4 }')"
[ -w "$at" ] || fact unwritable "$at"
for tool in mktemp setsid sha256sum ss tar taskset; do
  command -v "$tool" >/dev/null 2>&1 || fact missing "$tool"
done
sleep 1
cpu 2
fact complete yes
