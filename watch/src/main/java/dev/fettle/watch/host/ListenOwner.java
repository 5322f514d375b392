package dev.fettle.watch.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the owner of a listening socket: a port that answers may be someone else's. See proc(5), {@code /proc/net/tcp}.
 */
public final class ListenOwner {
    private static final String LISTEN = "0A";

    private final Path proc;

    /** Reads the live {@code /proc}. */
    public ListenOwner() {
        this(Path.of("/proc"));
    }

    ListenOwner(Path proc) {
        this.proc = proc;
    }

    /**
     * Whether a port of this process's network namespace is listened on by other processes only: neither by the given one nor
     * by what it started, but by this process, by something else that it started, or by one that is older than the given one.
     * A younger one may serve for it, as a container's proxy does. False if it is unknown who listens.
     */
    public boolean isOfAnother(long pid, int port) {
        SortedSet<Long> owners = owners(port);
        Optional<ProcessHandle> given = ProcessHandle.of(pid);
        if (owners.isEmpty() || given.isEmpty()) {
            return false;
        }
        long self = ProcessHandle.current().pid();
        return owners.stream()
                .map(ProcessHandle::of)
                .allMatch(o -> o.isPresent()
                        && !descends(o.get(), pid)
                        && (descends(o.get(), self) || startedBefore(o.get(), given.get())));
    }

    /**
     * The process that listens on a port, of a given one and all that it started. If several share the socket, the one
     * that started the others. Empty if none of them does, or if it is unknown.
     */
    public OptionalLong serving(long pid, int port) {
        SortedSet<Long> owners = owners(port);
        return owners.stream()
                .flatMap(o -> ProcessHandle.of(o).stream())
                .filter(o -> descends(o, pid))
                .filter(o -> o.pid() == pid
                        || o.parent()
                                .filter(p -> owners.contains(p.pid()) && descends(p, pid))
                                .isEmpty())
                .mapToLong(ProcessHandle::pid)
                .findFirst();
    }

    private static boolean descends(ProcessHandle process, long from) {
        return Stream.iterate(Optional.of(process), Optional::isPresent, p -> p.flatMap(ProcessHandle::parent))
                .anyMatch(p -> p.get().pid() == from);
    }

    private static boolean startedBefore(ProcessHandle one, ProcessHandle other) {
        var first = one.info().startInstant();
        var second = other.info().startInstant();
        return first.isPresent() && second.isPresent() && first.get().isBefore(second.get());
    }

    /**
     * Whether a process holds a socket that listens on a port. Also true if that is unknown: no process listens any more, or the
     * process's files are not readable.
     */
    public boolean mayBe(long pid, int port) {
        Set<String> sockets = listening(Long.toString(pid), port);
        if (sockets.isEmpty()) {
            return true;
        }
        try (Stream<Path> files = Files.list(proc.resolve(pid + "/fd"))) {
            for (Path file : files.toList()) {
                if (sockets.contains(target(file))) {
                    return true;
                }
            }
            return false;
        } catch (IOException | UncheckedIOException e) {
            return true;
        }
    }

    /**
     * Whether a process's listening sockets take connections to an address: another process may listen on the same port of another
     * one. Also true if that is unknown, as of a process in another network namespace, whose ports may be passed on.
     */
    public boolean takes(long pid, InetSocketAddress address) {
        Set<InetAddress> on = addresses(pid, address.getPort());
        return address.isUnresolved() || on.isEmpty() || on.stream().anyMatch(own -> takes(own, address.getAddress()));
    }

    private static boolean takes(InetAddress own, InetAddress address) {
        return own.equals(address)
                || own.isAnyLocalAddress() && (own instanceof Inet6Address || address instanceof Inet4Address);
    }

    /**
     * The addresses of this machine at which a process listens on a port, IPv4 and loopback first; none if unknown, or if its network
     * namespace is another one.
     */
    public Set<InetAddress> addresses(long pid, int port) {
        if (!new Proc(proc).sharesNetwork(pid).orElse(false)) {
            return Set.of();
        }
        Set<Long> held = OwnSockets.of(proc, pid).inodes();
        var found = new ArrayList<InetAddress>();
        each(Long.toString(pid), (local, at, inode) -> {
            if (at == port && held.contains(inode)) {
                found.add(local);
            }
        });
        found.sort(Comparator.comparing((InetAddress a) -> !a.isLoopbackAddress())
                .thenComparing(a -> a instanceof Inet6Address)
                .thenComparing(InetAddress::getHostAddress));
        return new LinkedHashSet<>(found);
    }

    /** The TCP ports that a process listens on; none if unknown. */
    public SortedSet<Integer> ports(long pid) {
        Map<Long, Integer> listening = new TcpSockets(new Proc(proc), pid).listening();
        listening.keySet().retainAll(OwnSockets.of(proc, pid).inodes());
        return new TreeSet<>(listening.values());
    }

    /**
     * Of the given ports, the one with the most open connections in the process's network namespace, without those of this process, which
     * asks a JVM over its port for management. Among equals the one with the largest backlog, as a server's is larger than that of a port
     * for management; else the first.
     */
    public Optional<Integer> busiest(long pid, SortedSet<Integer> ports) {
        var open = new HashMap<Integer, Integer>();
        var sockets = new TcpSockets(new Proc(proc), pid);
        Set<Integer> own = connectedFrom(sockets, ports);
        sockets.each(ports, new TcpSockets.Each() {
            @Override
            public void socket(int state, int local, int remote, TcpSockets.Address peer, long inode, boolean held) {
                if (state == TcpSockets.ESTABLISHED && !own.contains(remote)) {
                    open.merge(local, 1, Integer::sum);
                }
            }

            @Override
            public void again() {
                open.clear();
            }
        });
        return ports.stream()
                .max(Comparator.<Integer>comparingInt(p -> open.getOrDefault(p, 0))
                        .thenComparingInt(p -> new ListenQueue(p)
                                .state()
                                .map(ListenQueue.State::limit)
                                .orElse(0))
                        .thenComparing(Comparator.reverseOrder()));
    }

    /** The local ports from which this process is connected to one of those ports. */
    private Set<Integer> connectedFrom(TcpSockets sockets, Set<Integer> ports) {
        Set<Long> mine = OwnSockets.of(proc, ProcessHandle.current().pid()).inodes();
        var found = new HashSet<Integer>();
        sockets.each(Set.of(), (state, local, remote, peer, inode, held) -> {
            if (ports.contains(remote) && mine.contains(inode)) {
                found.add(local);
            }
        });
        return found;
    }

    /**
     * The processes that hold a socket listening on a port of this process's network namespace; none if unknown.
     * Processes of other users can't be inspected.
     */
    public SortedSet<Long> owners(int port) {
        Set<String> sockets = listening("self", port);
        var owners = new TreeSet<Long>();
        if (sockets.isEmpty()) {
            return owners;
        }
        try (Stream<Path> processes = Files.list(proc)) {
            processes
                    .map(p -> p.getFileName().toString())
                    .filter(name -> name.matches("[0-9]+"))
                    .map(Long::valueOf)
                    .filter(pid -> holds(pid, sockets))
                    .forEach(owners::add);
        } catch (IOException e) {
            return owners; // no /proc
        }
        return owners;
    }

    private boolean holds(long pid, Set<String> sockets) {
        try (Stream<Path> files = Files.list(proc.resolve(pid + "/fd"))) {
            return files.anyMatch(f -> sockets.contains(target(f)));
        } catch (IOException | UncheckedIOException e) {
            return false; // gone, or someone else's
        }
    }

    /** What a file descriptor below {@code /proc/PID/fd} is: {@code socket:[INODE]}; empty if it is closed. */
    static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // closed in the meantime
        }
    }

    /** {@code socket:[INODE]} of each socket listening on the port. */
    private Set<String> listening(String pid, int port) {
        return listening(pid).entrySet().stream()
                .filter(e -> e.getValue() == port)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** {@code socket:[INODE]} of each listening socket, with its port. */
    private Map<String, Integer> listening(String pid) {
        var sockets = new HashMap<String, Integer>();
        each(pid, (local, port, inode) -> sockets.put("socket:[" + inode + "]", port));
        return sockets;
    }

    /** Receives a listening socket. */
    private interface Listening {
        void socket(InetAddress local, int port, long inode);
    }

    private void each(String pid, Listening to) {
        for (String table : List.of("tcp", "tcp6")) {
            try {
                for (String line : Files.readAllLines(proc.resolve(pid + "/net/" + table), StandardCharsets.US_ASCII)) {
                    // sl local_address rem_address st queues timer retransmits uid timeout inode
                    String[] f = line.trim().split(" +");
                    if (f.length > 9 && f[3].equals(LISTEN)) {
                        int port = Integer.parseInt(f[1].substring(f[1].lastIndexOf(':') + 1), 16);
                        to.socket(InetAddress.getByAddress(TcpSockets.bytes(f[1])), port, Long.parseLong(f[9]));
                    }
                }
            } catch (IOException e) {
                continue; // no IPv6 here, or the process is gone
            }
        }
    }
}
