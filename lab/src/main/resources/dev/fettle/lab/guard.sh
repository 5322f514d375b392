# Runs "$@" as a child and ends it when our standard input closes: then Fettle is gone, however it went. Started as the
# leader of a process group of its own, so that whatever the command starts is ended with it.
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
echo "FETTLE-GUARD $child"
(
  while read -r _ <&3; do :; done
  trap '' TERM # from here on to the end, also when the child goes first and the guard wants to end us
  kill -TERM "$child" 2>/dev/null
  tries=0
  while kill -0 "$child" 2>/dev/null && [ "$tries" -lt 30 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -KILL 0
) &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
