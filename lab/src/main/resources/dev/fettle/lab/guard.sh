# guard.sh MARKER ID COMMAND...
# Runs the command as a child and ends it when our standard input closes: then Fettle is gone, however it went. Started as
# the leader of a process group of its own, so that whatever the command starts is ended with it. What leaves the group, as a
# daemon does, is known by two things that it inherits: FETTLE_CHILD in its environment, and the marker, open as descriptor 9
# (a program that shows its state in its command line, such as redis-server, writes over its environment). Fettle's Strays
# looks for the same, for a child that ended by itself, and this script with it; here it is for a Fettle that was killed.
marker=$1
id=$2
shift 2
exec 3<&0
FETTLE_CHILD=$id "$@" </dev/null 3<&- 9>>"$marker" &
child=$!
printf '%s\n%s\n' "$child" "$id" >>"$marker"
user=$(id -u)
# Whether a process may be one of ours: root's may have become another user's, as a database does.
ours() { [ "$user" = 0 ] || [ -O "$1" ]; }
# Signals each of ours outside the group once, and names it: what is in the group is ended with it.
strays() {
  {
    for p in /proc/[0-9]*; do
      if ours "$p" && [ "$p/fd/9" -ef "$marker" ]; then echo "$p"; fi
    done
    grep -lszxF "FETTLE_CHILD=$id" /proc/[0-9]*/environ 2>/dev/null | sed 's|/environ$||'
  } | sort -u | while read -r p; do
    stat=
    { read -r stat <"$p/stat"; } 2>/dev/null
    rest=${stat##*) } # STATE PPID GROUP ...
    rest=${rest#* * }
    if [ -n "$stat" ] && ours "$p" && [ "${rest%% *}" != "$$" ]; then
      kill "$1" "${p#/proc/}" 2>/dev/null && echo "$p"
    fi
  done
}
(
  while read -r _ <&3; do :; done
  trap '' TERM # from here on to the end, also when the child goes first and the guard wants to end us
  kill -TERM "$child" 2>/dev/null
  strays -TERM >/dev/null
  tries=0
  while [ "$tries" -lt 30 ] && { kill -0 "$child" 2>/dev/null || [ -n "$(strays -0)" ]; }; do
    sleep 0.1
    tries=$((tries + 1))
  done
  strays -KILL >/dev/null
  kill -KILL 0
) &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
