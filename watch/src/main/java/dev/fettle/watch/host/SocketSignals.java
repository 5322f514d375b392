package dev.fettle.watch.host;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.LookRate;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The sockets of one process by state and by peer, and the TCP counters of its network namespace. Accepted connections
 * are recognised by the port the process listens on; those it opened itself by its open files, which only the same user
 * can read.
 */
final class SocketSignals implements SignalSource {
    /** Most open files searched for sockets; for a process with more, connections are counted by port only. */
    private static final int MOST_FILES = 20_000;

    /** Most peers distinguished in one look. */
    private static final int MOST_PEERS = 1_000;

    private static final String[] FIGURES = {
        Signals.SOCKETS_ESTABLISHED,
        Signals.SOCKETS_CLOSE_WAIT,
        Signals.SOCKETS_TIME_WAIT,
        Signals.SOCKETS_SYN_RECV,
        Signals.SOCKETS_OTHER
    };

    private final Proc proc;
    private final long pid;
    private final LongSupplier clock;
    private final TcpSockets sockets;
    private final ListenOwner listeners;
    private final LookRate tables = LookRate.fromOutside("sockets");
    private final LookRate files = LookRate.fromOutside("open files");
    private final LookRate counts = LookRate.fromOutside("TCP counters");
    private Set<Integer> ports = Set.of();
    private Set<Long> own = Set.of();
    private boolean allFilesSeen = true;
    private boolean asked;

    SocketSignals(Proc proc, long pid, LongSupplier clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
        this.sockets = new TcpSockets(proc, pid);
        this.listeners = new ListenOwner(proc.root());
    }

    @Override
    public void sample(Sink sink) {
        long begin = clock.getAsLong();
        counters(sink, begin);
        if (tables.due(begin)) {
            if (files.due(begin)) {
                lookForFiles(begin);
            }
            look(sink, begin);
        }
    }

    /** Both: a socket that was opened since the files were looked at is not known to be the target's. */
    @Override
    public void last(Sink sink) {
        long begin = clock.getAsLong();
        lookForFiles(begin);
        look(sink, begin);
    }

    private void look(Sink sink, long begin) {
        long cpu = OwnCpu.nanos();
        var look = new Look();
        // reading the kernel's table costs most: read it once if possible, for accepted and opened connections together
        Optional<String> failed = own.isEmpty()
                ? ports.isEmpty() ? Optional.empty() : sockets.each(ports, look::socket)
                : sockets.each(Set.of(), look::socket);
        if (failed.isPresent()) {
            for (String id : FIGURES) {
                sink.notObserved(id, failed.get());
            }
        } else if (ports.isEmpty() && own.isEmpty()) {
            for (String id : FIGURES) {
                sink.notObserved(id, "it listens on no TCP port that this user can see");
            }
        } else {
            look.report(sink);
        }
        tables.looked(begin, OwnCpu.nanos() - cpu);
    }

    private void counters(Sink sink, long begin) {
        if (!counts.due(begin)) {
            return;
        }
        long cpu = OwnCpu.nanos();
        Map<String, Long> tcp = proc.tcpCounters(pid);
        counter(sink, tcp, Signals.TCP_RETRANSMITS, "RetransSegs");
        counter(sink, tcp, Signals.TCP_SYN_RETRANSMITS, "TCPSynRetrans");
        counter(sink, tcp, Signals.TCP_RESETS, "OutRsts");
        counter(sink, tcp, Signals.ACCEPT_OVERFLOWS, "ListenOverflows");
        counts.looked(begin, OwnCpu.nanos() - cpu);
    }

    private static void counter(Sink sink, Map<String, Long> from, String id, String name) {
        Long value = from.get(name);
        if (value == null) {
            sink.notObserved(id, "this kernel does not count " + name);
        } else {
            sink.value(id, value);
        }
    }

    /** Decides which ports and sockets belong to the process. */
    private void lookForFiles(long begin) {
        long cpuFiles = OwnCpu.nanos();
        if (!asked || ports.isEmpty()) {
            ports = listeners.ports(pid);
            asked = true;
        }
        var found = new HashSet<Long>();
        int looked = 0;
        try (var all = Files.newDirectoryStream(proc.root().resolve(pid + "/fd"))) {
            for (Path file : all) {
                if (++looked > MOST_FILES) {
                    break;
                }
                String target = ListenOwner.target(file);
                if (target.startsWith("socket:[")) {
                    found.add(Long.parseLong(target, "socket:[".length(), target.length() - 1, 10));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            found.clear(); // gone, or another user's
        }
        allFilesSeen = looked <= MOST_FILES;
        own = found;
        files.looked(begin, OwnCpu.nanos() - cpuFiles);
    }

    /** One look at all of them. */
    private final class Look {
        private final Map<String, Integer> counts = new HashMap<>();
        private final Map<String, Map<String, Integer>> peers = new HashMap<>();
        private int held;

        void socket(int state, int local, int remote, TcpSockets.Address peer, long inode, boolean holds) {
            if (ports.contains(local)) {
                held += holds ? 1 : 0;
                seen(state, "from " + peer.text());
            } else if (inode != 0 && own.contains(inode)) {
                held += holds ? 1 : 0;
                seen(state, peer.text() + ":" + remote);
            }
        }

        private void seen(int state, String peer) {
            String figure = figure(state);
            counts.merge(figure, 1, Integer::sum);
            Map<String, Integer> of = peers.computeIfAbsent(figure, f -> new HashMap<>());
            if (of.size() < MOST_PEERS || of.containsKey(peer)) {
                of.merge(peer, 1, Integer::sum);
            }
        }

        private static String figure(int state) {
            return switch (state) {
                case TcpSockets.ESTABLISHED -> Signals.SOCKETS_ESTABLISHED;
                case TcpSockets.CLOSE_WAIT -> Signals.SOCKETS_CLOSE_WAIT;
                case TcpSockets.TIME_WAIT -> Signals.SOCKETS_TIME_WAIT;
                case TcpSockets.SYN_RECV -> Signals.SOCKETS_SYN_RECV;
                default -> Signals.SOCKETS_OTHER;
            };
        }

        /** The kind of the peers of sockets in a state. */
        private static String kind(String figure) {
            return switch (figure) {
                case Signals.SOCKETS_CLOSE_WAIT -> Sighting.PEER_CLOSE_WAIT;
                case Signals.SOCKETS_ESTABLISHED -> Sighting.PEER_ESTABLISHED;
                default -> Sighting.PEER + figure.substring("sockets.".length());
            };
        }

        void report(Sink sink) {
            for (String id : FIGURES) {
                sink.value(id, counts.getOrDefault(id, 0));
            }
            if (sockets.tellsHeld()) {
                sink.value(Signals.SOCKETS_HELD, held);
            } else {
                sink.notObserved(Signals.SOCKETS_HELD, "only sock_diag tells, in the network namespace of Fettle");
            }
            peers.forEach((figure, of) -> {
                String kind = kind(figure);
                of.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                        .limit(8)
                        .forEach(e -> sink.sighting(new Sighting(kind, e.getKey(), e.getValue())));
            });
        }
    }

    @Override
    public List<LookRate.Slowed> slowed() {
        return Stream.of(tables, files, counts)
                .flatMap(r -> r.slowed().stream())
                .toList();
    }

    @Override
    public List<String> notes() {
        var notes = new ArrayList<String>();
        if (!allFilesSeen) {
            notes.add("more than " + MOST_FILES
                    + " files are open: connections that the target made itself are not all counted");
        }
        return notes;
    }
}
