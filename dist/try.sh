#!/bin/sh
# Tries a distribution where there is neither Java nor Maven: in a namespace whose root folder holds the C library, a shell, the
# few tools that Fettle asks for, and what the archive unpacks to; nothing else of this machine.
#
#   dist/try.sh ARCHIVE [FETTLE-ARGUMENTS…]      without arguments: tune
#
# Needs root, or a kernel that lets users make namespaces. What Fettle exits with is the exit code.
set -eu
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
archive=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- tune

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/etc" "$root/home" "$root/opt" "$root/data"
# sh and what the launcher, the guard of child processes and the watch use
for tool in sh cat cksum dirname env find kill mkdir mv readlink sed setsid sleep ss taskset; do
  program=$(command -v "$tool" 2>/dev/null) || { echo "try.sh: this machine has no $tool" >&2; exit 3; }
  case $program in /*) ;; *) program=/bin/$tool ;; esac
  cp -L "$program" "$root/bin/$tool"
  ldd "$program" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p'
done | sort -u >"$root/etc/libraries"
# the runtime's own: zlib, libdl, libm and the like, as ldd names them once it is unpacked
tar -C "$root/opt" -xzf "$archive"
set -- "$(ls "$root/opt")" "$@"
for binary in "$root/opt/$1/runtime/bin/java" "$root/opt/$1"/runtime/lib/*.so "$root/opt/$1/runtime/lib/server/libjvm.so"; do
  ldd "$binary" 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p'
done | grep -v "^$root" | grep -E '/(libc|libm|libdl|librt|libpthread|libz|ld-linux[^/]*|libgcc_s)[.-]' | sort -u >>"$root/etc/libraries"
while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done <"$root/etc/libraries"
printf 'root:x:0:0:root:/home:/bin/sh\n' >"$root/etc/passwd"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"

# shellcheck disable=SC2016 # expanded inside
unshare --mount --pid --fork --map-root-user sh -euc '
  root=$1 name=$2
  shift 2
  mount --rbind /dev "$root/dev"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  exec chroot "$root" /bin/env -i PATH=/bin HOME=/home LANG=C.UTF-8 sh -euc "
    for absent in java javac mvn; do
      if command -v \$absent >/dev/null; then echo \"there is a \$absent\" >&2; exit 3; fi
    done
    cd /data
    exec /opt/$name/fettle \"\$@\"" sh "$@"
' sh "$root" "$@"
