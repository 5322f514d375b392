package dev.fettle.watch.host;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sockets of one process by state and by peer, and the TCP counters of its network namespace. Accepted connections
 * are recognised by the port the process listens on; those it opened itself by its open files, which only the same user
 * can read.
 */
final class SocketSignals implements SignalSource {
    /** Most peers of a kind distinguished in one look. */
    private static final int MOST_PEERS = 1_000;

    /** Most peers of a kind that one sample reports. */
    private static final int MOST_TOLD = 8;

    private static final String HERE_ONLY = "only sock_diag reports it, in the network namespace of Fettle";

    private static final String[] STATES = {
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
    private final SamplingRate tables = SamplingRate.ofSockets();
    private final SamplingRate files = SamplingRate.fromOutside("open files");
    private final SamplingRate counts = SamplingRate.fromOutside("TCP counters");
    /** Those it listens on now: a server may open its own long after one for management. */
    private Set<Integer> ports = Set.of();

    /** Those of them that another process listens on, too, at another address. */
    private Set<Integer> shared = Set.of();

    /** For a process with too many files to look at each, connections are counted by port only. */
    private OwnSockets own = new OwnSockets(Set.of(), true);

    /** What was last read of each connection that it opened, by inode. */
    private Map<Long, TcpSockets.Travel> travels = new HashMap<>();

    /** The connections that it had opened at the last look that knew all its files; empty before the first. */
    private Optional<Set<Long>> outgoing = Optional.empty();

    /** Of each service: connections that were new at such a look, and open ones, over all of them but the first. */
    private final Map<String, Double> newTo = new HashMap<>();

    private final Map<String, Double> openTo = new HashMap<>();

    private boolean travelled;
    private double tripSeconds;
    private double sent;
    private double sentAgain;

    SocketSignals(Proc proc, long pid, LongSupplier clock) {
        this.proc = proc;
        this.pid = pid;
        this.clock = clock;
        this.sockets = new TcpSockets(proc, pid);
    }

    @Override
    public void sample(Sink sink) {
        long begin = clock.getAsLong();
        counters(sink, begin);
        if (tables.due(begin)) {
            boolean fresh = files.due(begin);
            if (fresh) {
                lookForFiles(begin);
            }
            look(sink, begin, fresh);
        }
    }

    /** Both: a socket that was opened since the files were looked at is not known to be the target's. */
    @Override
    public void last(Sink sink) {
        long begin = clock.getAsLong();
        lookForFiles(begin);
        look(sink, begin, true);
    }

    /** The table is gauged; the counters grow. */
    @Override
    public void gap() {
        counts.rested();
    }

    /** @param fresh whether its files were read just before: else what it opened since is not known to be its own */
    private void look(Sink sink, long begin, boolean fresh) {
        long cpu = OwnCpu.nanos();
        var look = new Count();
        // reading the kernel's table costs most: once, for accepted and opened connections together
        Optional<String> failed = own.inodes().isEmpty()
                ? Optional.of("it has no socket that this user can see")
                : sockets.each(Set.of(), look);
        failed.ifPresentOrElse(
                why -> {
                    for (String id : STATES) {
                        sink.notObserved(id, why);
                    }
                    sink.notObserved(Signals.SOCKETS_UNTAKEN, why);
                    sink.notObserved(Signals.SOCKETS_OPENED, why);
                },
                () -> {
                    look.report(sink);
                    look.travelled(sink);
                    if (fresh && own.all()) {
                        look.opened(sink);
                    }
                });
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
        counter(sink, tcp, Signals.TCP_OPENS, "ActiveOpens");
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
        own = OwnSockets.of(proc.root(), pid);
        ports = Set.of();
        shared = Set.of();
        if (!own.inodes().isEmpty()) {
            Map<Long, Integer> listening = sockets.listening();
            ports = ports(listening, true);
            shared = ports(listening, false);
            shared.retainAll(ports);
        }
        files.looked(begin, OwnCpu.nanos() - cpuFiles);
    }

    private Set<Integer> ports(Map<Long, Integer> listening, boolean mine) {
        var found = new HashSet<Integer>();
        listening.forEach((inode, port) -> {
            if (own.inodes().contains(inode) == mine) {
                found.add(port);
            }
        });
        return found;
    }

    /** One look at all of them. */
    private final class Count implements TcpSockets.Each {
        private final Map<String, Integer> counts = new HashMap<>();
        private final Map<String, Map<String, Integer>> peers = new HashMap<>();
        /** Apart, as they are many: they would crowd out the services behind the target. */
        private final Map<String, Map<String, Integer>> clients = new HashMap<>();

        private int held;

        /** The connections that it opened and that have a file, with their peers. */
        private final Map<Long, String> outgoingNow = new HashMap<>();

        /** The connection that the target opened and that was passed on last; 0 if it opened none. */
        private long opened;

        private String openedTo = "";

        /** Of the target's connection that was passed on last; empty if it was not the target's, or is closed. */
        private Optional<String> open = Optional.empty();

        private final Map<String, Double> untaken = new HashMap<>();
        private final Map<Long, TcpSockets.Travel> now = new HashMap<>();
        private final Map<String, Double> trips = new HashMap<>();
        private final Map<String, Double> again = new HashMap<>();

        @Override
        public void socket(int state, int local, int remote, TcpSockets.Address peer, long inode, boolean holds) {
            boolean mine = inode != 0 && own.inodes().contains(inode);
            opened = 0;
            open = Optional.empty();
            if (ports.contains(local) && (mine || inode == 0 || !isAnothers(local))) {
                held += holds ? 1 : 0;
                String client = Sighting.client(peer.text());
                seen(clients, state, client);
                open = state == TcpSockets.ESTABLISHED ? Optional.of(client) : open;
            } else if (mine) {
                held += holds ? 1 : 0;
                openedTo = peer.text() + ":" + remote;
                opened = inode;
                seen(peers, state, openedTo);
                open = state == TcpSockets.ESTABLISHED ? Optional.of(openedTo) : open;
                outgoingNow.put(inode, openedTo);
            }
        }

        @Override
        public void untaken(long bytes) {
            if (bytes > 0) {
                open.filter(p -> fits(untaken, p)).ifPresent(p -> untaken.merge(p, (double) bytes, Double::sum));
            }
        }

        @Override
        public void travels(Supplier<Optional<TcpSockets.Travel>> travel) {
            if (opened != 0) {
                travel.get().ifPresent(t -> travelled(opened, openedTo, t));
            }
        }

        /** A connection that was opened since the last look has sent all of it since then. */
        private void travelled(long inode, String peer, TcpSockets.Travel t) {
            TcpSockets.Travel before = travels.getOrDefault(inode, travelled ? new TcpSockets.Travel(0, 0, 0) : t);
            now.put(inode, t);
            double more = Math.max(0, t.sent() - before.sent());
            double lost = Math.max(0, t.again() - before.again());
            sent += more;
            sentAgain += lost;
            tripSeconds += more * t.tripMicros() / 1e6;
            if (fits(trips, peer)) {
                trips.merge(peer, t.tripMicros() / 1e3, Math::min);
                if (lost > 0) {
                    again.merge(peer, lost, Double::sum);
                }
            }
        }

        void travelled(Sink sink) {
            if (!sockets.tellsHeld()) {
                sink.notObserved(Signals.SOCKETS_TRIPS, HERE_ONLY);
                sink.notObserved(Signals.SOCKETS_SENT, HERE_ONLY);
                sink.notObserved(Signals.SOCKETS_SENT_AGAIN, HERE_ONLY);
                return;
            }
            travels = now;
            travelled = true;
            sink.value(Signals.SOCKETS_TRIPS, tripSeconds);
            sink.value(Signals.SOCKETS_SENT, sent);
            sink.value(Signals.SOCKETS_SENT_AGAIN, sentAgain);
            tell(sink, Sighting.PEER_ROUND_TRIP, trips);
            tell(sink, Sighting.PEER_SENT_AGAIN, again);
        }

        /** Which of those that it has open were not there at the look before: a client that keeps its connections opens few. */
        void opened(Sink sink) {
            outgoing.ifPresent(before -> {
                outgoingNow.forEach((inode, peer) -> {
                    if (!before.contains(inode) && fits(newTo, peer)) {
                        newTo.merge(peer, 1.0, Double::sum);
                    }
                });
                peers.getOrDefault(Signals.SOCKETS_ESTABLISHED, Map.of()).forEach((peer, n) -> {
                    if (fits(openTo, peer)) {
                        openTo.merge(peer, (double) n, Double::sum);
                    }
                });
            });
            outgoing = Optional.of(Set.copyOf(outgoingNow.keySet()));
            tell(sink, Sighting.PEER_OPENED, newTo);
            tell(sink, Sighting.PEER_LOOKED, openTo);
            sink.value(
                    Signals.SOCKETS_OPENED,
                    newTo.values().stream().mapToDouble(n -> n).sum());
        }

        /** Whether there is room for a peer: only so many are kept. */
        private static boolean fits(Map<String, ?> of, String peer) {
            return of.size() < MOST_PEERS || of.containsKey(peer);
        }

        private static void tell(Sink sink, String kind, Map<String, Double> of) {
            of.entrySet().stream()
                    .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                    .limit(MOST_TOLD)
                    .forEach(e -> sink.sighting(new Sighting(kind, e.getKey(), e.getValue())));
        }

        @Override
        public void again() {
            opened = 0;
            open = Optional.empty();
            untaken.clear();
            counts.clear();
            peers.clear();
            clients.clear();
            outgoingNow.clear();
            held = 0;
        }

        /** Of a port of this process alone, a connection that it accepted since its files were looked at is its own, too. */
        private boolean isAnothers(int port) {
            return own.all() && shared.contains(port);
        }

        private void seen(Map<String, Map<String, Integer>> among, int state, String peer) {
            String figure = figure(state);
            counts.merge(figure, 1, Integer::sum);
            Map<String, Integer> of = among.computeIfAbsent(figure, f -> new HashMap<>());
            if (fits(of, peer)) {
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

        void report(Sink sink) {
            for (String id : STATES) {
                sink.value(id, counts.getOrDefault(id, 0));
            }
            if (sockets.tellsHeld()) {
                sink.value(Signals.SOCKETS_HELD, held);
            } else {
                sink.notObserved(Signals.SOCKETS_HELD, HERE_ONLY);
            }
            sink.value(
                    Signals.SOCKETS_UNTAKEN,
                    untaken.values().stream().mapToDouble(n -> n).max().orElse(0));
            tell(sink, Sighting.PEER_UNTAKEN, untaken);
            peers.forEach((figure, of) -> most(sink, peer(figure), of));
            clients.forEach((figure, of) -> most(sink, client(figure), of));
        }

        private static void most(Sink sink, String kind, Map<String, Integer> of) {
            of.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .limit(MOST_TOLD)
                    .forEach(e -> sink.sighting(new Sighting(kind, e.getKey(), e.getValue())));
        }

        /** The kind of the peers of sockets in a state. */
        private static String peer(String figure) {
            return switch (figure) {
                case Signals.SOCKETS_CLOSE_WAIT -> Sighting.PEER_CLOSE_WAIT;
                case Signals.SOCKETS_ESTABLISHED -> Sighting.PEER_ESTABLISHED;
                default -> Sighting.PEER + figure.substring("sockets.".length());
            };
        }

        /** The kind of the clients of sockets in a state. */
        private static String client(String figure) {
            return switch (figure) {
                case Signals.SOCKETS_CLOSE_WAIT -> Sighting.CLIENT_CLOSE_WAIT;
                case Signals.SOCKETS_ESTABLISHED -> Sighting.CLIENT_ESTABLISHED;
                default -> Sighting.CLIENT + figure.substring("sockets.".length());
            };
        }
    }

    @Override
    public List<SamplingRate.Slowed> slowed() {
        return Stream.of(tables, files, counts)
                .flatMap(r -> r.slowed().stream())
                .toList();
    }

    @Override
    public List<String> notes() {
        var notes = new ArrayList<String>();
        if (!own.all()) {
            notes.add("more than " + OwnSockets.MOST_FILES
                    + " files are open: connections that the target made itself are not all counted");
        }
        if (!sockets.sawAll()) {
            notes.add("there are more than " + TcpSockets.MOST
                    + " sockets in its network namespace: its connections are not all counted");
        }
        if (own.all() && !shared.isEmpty()) {
            notes.add("another process listens on port "
                    + shared.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "))
                    + ", too: connections accepted since the target's open files were last read are not counted");
        }
        return notes;
    }
}
