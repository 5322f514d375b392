#!/bin/bash
# Load from two network namespaces of this machine, each with an sshd of its own, to a server on this side of their links:
#   clean   both links as they are: valid, unless the machine is busy
#   delay   100 ms on one link (tc netem): agents-disagree
#   down    one link goes down while the load is sent: agent-lost, and its host sends nothing any more 2 s later
# Needs root, iproute2 with tc, OpenSSH's server, curl, and a JDK 25. It makes and removes namespaces fettle-gen-1 and -2 only.
# usage: bench/hosts/netns.sh [COMMAND...]     COMMAND runs fettle, default ./fettle
set -eu
home=$(cd "$(dirname "$0")/../.." && pwd -P)
fettle=("${@:-$home/fettle}")
w=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
pids=()
end() {
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null || :; done
  for i in 1 2; do
    for p in $(ip netns pids fettle-gen-$i 2>/dev/null); do kill "$p" 2>/dev/null || :; done
    ip netns del fettle-gen-$i 2>/dev/null || :
    ip link del fettle-v$i 2>/dev/null || :
  done
  rm -rf "$w"
}
trap end EXIT

ssh-keygen -q -t ed25519 -N '' -f "$w/user"
ssh-keygen -q -t ed25519 -N '' -f "$w/host"
cp "$w/user.pub" "$w/keys"
mkdir -p /run/sshd
for i in 1 2; do
  ip netns add fettle-gen-$i
  ip link add fettle-v$i type veth peer name eth0 netns fettle-gen-$i
  ip addr add 10.77.$i.1/24 dev fettle-v$i
  ip link set fettle-v$i up
  ip netns exec fettle-gen-$i ip addr add 10.77.$i.2/24 dev eth0
  ip netns exec fettle-gen-$i ip link set eth0 up
  ip netns exec fettle-gen-$i ip link set lo up
  ip netns exec fettle-gen-$i ip route add default via 10.77.$i.1
  mkdir -p "$w/home$i"
  printf '#!/bin/sh\ncd %s && HOME=%s JAVA_HOME=%s exec sh -c "$SSH_ORIGINAL_COMMAND"\n' "$w/home$i" "$w/home$i" "${JAVA_HOME:-}" >"$w/login$i.sh"
  chmod +x "$w/login$i.sh"
  cat >"$w/sshd$i" <<EOF
Port 22
ListenAddress 10.77.$i.2
HostKey $w/host
AuthorizedKeysFile $w/keys
ForceCommand $w/login$i.sh
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
EOF
  ip netns exec fettle-gen-$i /usr/sbin/sshd -D -e -f "$w/sshd$i" 2>"$w/sshd$i.log" &
  pids+=($!)
  echo "10.77.$i.2 $(cat "$w/host.pub")" >>"$w/known"
  printf 'Host gen-%s\n  HostName 10.77.%s.2\n  IdentityFile %s\n  IdentitiesOnly yes\n  UserKnownHostsFile %s\n' $i $i "$w/user" "$w/known" >>"$w/config"
done
printf '#!/bin/sh\nexec ssh -F %s "$@"\n' "$w/config" >"$w/ssh"
chmod +x "$w/ssh"
export FETTLE_SSH=$w/ssh

cat >"$w/S.java" <<'EOF'
import com.sun.net.httpserver.*; import java.net.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*;
public class S {
  public static void main(String[] a) throws Exception {
    var last = new ConcurrentHashMap<String, Long>();
    var s = HttpServer.create(new InetSocketAddress("10.77.1.1", Integer.parseInt(a[0])), 1000);
    s.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    s.createContext("/", x -> {
      last.put(x.getRemoteAddress().getAddress().getHostAddress(), System.nanoTime());
      byte[] b = "hello".getBytes(); x.sendResponseHeaders(200, b.length); x.getResponseBody().write(b); x.close(); });
    s.start();
    Thread.sleep(Long.MAX_VALUE);
  }
}
EOF
"${JAVA_HOME:-/usr}/bin/java" -Xmx128m "$w/S.java" $port &
pids+=($!)
until curl -s -o "$w/null" "http://10.77.1.1:$port/"; do sleep 0.2; done

rules() { # of the JSON of a bench
  grep -o '"rule" *: *"[a-z-]*"' "$1" | sed 's/.*"\([a-z-]*\)"$/\1/' | sort -u | tr '\n' ' '
}
load() { # NAME ARGUMENTS...
  local name=$1
  shift
  "${fettle[@]}" bench "http://10.77.1.1:$port/" --own-host 10.77.1.1 --from gen-1,gen-2 --rate 200/s --json -q "$@" >"$w/$name.json" 2>"$w/$name.err" || :
  printf '%-6s %s\n' "$name" "$(rules "$w/$name.json")"
  sed 's/^/       /' "$w/$name.err" | tail -n 3
}
load clean -d 5s
if ip netns exec fettle-gen-2 tc qdisc add dev eth0 root netem delay 100ms 2>"$w/null"; then
  load delay -d 5s
  ip netns exec fettle-gen-2 tc qdisc del dev eth0 root
else
  echo "delay  skipped: this kernel has no netem"
fi
sending() { [ -n "$(ip netns exec fettle-gen-2 ss -Htn state established "dport = :$port" 2>"$w/null")" ]; }
load down -d 60s &
down=$!
until sending; do sleep 0.2; done
sleep 2
ip link set fettle-v2 down
begun=$(date +%s%N)
while sending; do sleep 0.05; done
echo "       its host had closed its connections $((($(date +%s%N) - begun) / 1000000)) ms after the link was down"
sleep 15
left=$(ip netns pids fettle-gen-2 | xargs -r -n 1 sh -c 'tr "\0" "\n" <"/proc/$0/cmdline" 2>/dev/null | grep -c "^at-host$"' | grep -c '^1$' || :)
echo "       agents left behind the link 15 s later: $left"
ip link set fettle-v2 up
wait $down
