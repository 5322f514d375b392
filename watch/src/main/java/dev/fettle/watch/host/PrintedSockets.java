package dev.fettle.watch.host;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The TCP sockets of a machine at one moment or several, as {@code ss -tan}, {@code ss -lnt}, {@code ss -ti} and {@code netstat -tan} print them.
 * They have no time: moments of one text count as a second apart.
 *
 * @param moments one for each table
 * @param unread lines that could not be read
 */
public record PrintedSockets(List<Moment> moments, int unread) {
    private static final int MOST_MOMENTS = 600;

    /** Sockets of a table that are counted: a machine with more has run out of ports long before. */
    private static final int MOST_SOCKETS = 1_000_000;

    private static final int MOST_CHARACTERS = 4000;
    private static final int MOST_PEERS = 50_000;
    private static final int MOST_REPORTED = 5;
    private static final long NANOS = 1_000_000_000;

    /** The first port that Linux takes for connections that a program opens. */
    private static final int EPHEMERAL = 32_768;

    /** A socket that listens: how many connections wait in it, and may; 0 if that is not printed. */
    public record Listener(String address, long waiting, long limit) {
        boolean isFull() {
            return limit > 0 && waiting >= limit;
        }
    }

    /**
     * One table.
     *
     * @param states how many sockets are in each state, as {@code ss} names it
     * @param peers the peers of sockets by state, and how many of them each has; clients as {@link Sighting#client}
     */
    public record Moment(List<Listener> listeners, Map<String, Long> states, Map<String, Map<String, Long>> peers) {
        long in(String state) {
            return states.getOrDefault(state, 0L);
        }

        /** That in which the most wait, for its size. */
        Optional<Listener> fullest() {
            return listeners.stream()
                    .max((a, b) -> a.isFull() == b.isFull()
                            ? Long.compare(a.waiting, b.waiting)
                            : Boolean.compare(a.isFull(), b.isFull()));
        }
    }

    public PrintedSockets {
        moments = List.copyOf(moments);
    }

    /** Whether a line is the head of such a table. */
    public static boolean isHead(String line) {
        return line.length() < MOST_CHARACTERS
                && line.contains("Recv-Q")
                && line.contains("Send-Q")
                && line.contains("Local Address");
    }

    /**
     * Reads all tables of a text.
     *
     * @throws IOException if there is none, or it can't be read
     */
    public static PrintedSockets read(BufferedReader in) throws IOException {
        var moments = new ArrayList<Moment>();
        Optional<Table> table = Optional.empty();
        int unread = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (isHead(line)) {
                table.filter(_ -> moments.size() < MOST_MOMENTS).ifPresent(t -> moments.add(t.made()));
                table = Optional.of(new Table(line));
            } else if (table.isPresent() && !line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
                unread += table.get().add(line) ? 0 : 1;
            }
        }
        table.ifPresent(t -> moments.add(t.made()));
        if (moments.stream().allMatch(m -> m.states.isEmpty())) {
            throw new IOException("there is no TCP socket in it: ss -tan prints them, with its head");
        }
        return new PrintedSockets(moments, unread);
    }

    /** A table while it is read. */
    private static final class Table {
        private final boolean stateFirst;

        /** Sockets by local port, peer and state, until all that listen are known. */
        private record Open(int port, String peer, String state) {}

        private final Map<Open, Long> open = new HashMap<>();
        private final List<Listener> listeners = new ArrayList<>();
        private final Set<Integer> listening = new HashSet<>();
        private final Map<String, Long> states = new TreeMap<>();
        private int sockets;

        /** netstat has the state last. */
        Table(String head) {
            stateFirst = head.contains("Netid")
                    || head.strip().startsWith("State")
                    || head.strip().startsWith("Recv-Q");
            onlyEstablished = head.strip().startsWith("Recv-Q");
        }

        /** {@code ss state established} prints no states. */
        private final boolean onlyEstablished;

        boolean add(String line) {
            if (line.length() > MOST_CHARACTERS) {
                return false;
            }
            String[] w = line.strip().split("[ \t]+", 9);
            int at = 0;
            if (w[0].equals("tcp") || w[0].equals("tcp6")) {
                at = 1;
            } else if (w[0].startsWith("u_")
                    || w[0].startsWith("udp")
                    || w[0].equals("nl")
                    || w[0].equals("unix")
                    || w[0].equals("Active")
                    || w[0].startsWith("raw")
                    || w[0].startsWith("p_")
                    || w[0].startsWith("icmp")) {
                return true; // of another kind
            }
            String state = "ESTAB";
            if (stateFirst && !onlyEstablished) {
                if (at >= w.length) {
                    return false;
                }
                state = named(w[at++]);
            }
            if (w.length < at + 4) {
                return false;
            }
            Optional<Long> received = number(w[at]);
            Optional<Long> sent = number(w[at + 1]);
            if (!stateFirst) {
                if (w.length < at + 5) {
                    return false;
                }
                state = named(w[at + 4]);
            }
            if (received.isEmpty() || sent.isEmpty() || sockets++ > MOST_SOCKETS) {
                return false;
            }
            String local = w[at + 2];
            String peer = w[at + 3];
            states.merge(state, 1L, Long::sum);
            int port = port(local);
            if (state.equals("LISTEN")) {
                listening.add(port);
                listeners.add(new Listener(local, received.get(), stateFirst ? sent.get() : 0));
            } else if (open.size() < MOST_PEERS) {
                String host = peer.substring(0, Math.max(0, peer.lastIndexOf(':')));
                // a port that the kernel chose says nothing of who it is
                open.merge(
                        new Open(port < EPHEMERAL ? port : 0, port(peer) < EPHEMERAL ? peer : host, state),
                        1L,
                        Long::sum);
            }
            return true;
        }

        private static String named(String state) {
            return switch (state.toUpperCase(Locale.ROOT).replace('_', '-')) {
                case "ESTABLISHED" -> "ESTAB";
                case "FIN-WAIT1" -> "FIN-WAIT-1";
                case "FIN-WAIT2" -> "FIN-WAIT-2";
                case String s -> s;
            };
        }

        private static Optional<Long> number(String text) {
            return !text.isEmpty() && text.length() < 12 && text.chars().allMatch(c -> c >= '0' && c <= '9')
                    ? Optional.of(Long.parseLong(text))
                    : Optional.empty();
        }

        /** 0 if it is not printed as a number. */
        private static int port(String address) {
            return number(address.substring(address.lastIndexOf(':') + 1))
                    .filter(p -> p < 65_536)
                    .map(Long::intValue)
                    .orElse(0);
        }

        Moment made() {
            var peers = new HashMap<String, Map<String, Long>>();
            open.forEach((o, n) -> peers.computeIfAbsent(o.state, _ -> new HashMap<>())
                    .merge(listening.contains(o.port) ? Sighting.client(host(o.peer)) : o.peer, n, Long::sum));
            return new Moment(List.copyOf(listeners), Map.copyOf(states), peers);
        }

        private static String host(String peer) {
            int colon = peer.lastIndexOf(':');
            return colon > 0 && peer.indexOf(':') == colon ? peer.substring(0, colon) : peer;
        }
    }

    /** What they show: the states, and the accept queue that is fullest. */
    public Timeline timeline() {
        var out = new TimelineRecorder(1000, () -> 0);
        out.measuringBegins();
        for (int i = 0; i < moments.size(); i++) {
            Moment m = moments.get(i);
            long from = i * NANOS;
            long to = from + NANOS;
            m.fullest().ifPresent(l -> {
                out.span(Signals.ACCEPT_QUEUE, from, to, l.waiting);
                if (l.limit > 0) {
                    out.span(Signals.ACCEPT_LIMIT, from, to, l.limit);
                }
            });
            if (m.states.keySet().stream().allMatch("LISTEN"::equals)) {
                continue; // ss -lnt: nothing is known of the others
            }
            out.span(Signals.SOCKETS_ESTABLISHED, from, to, m.in("ESTAB"));
            out.span(Signals.SOCKETS_CLOSE_WAIT, from, to, m.in("CLOSE-WAIT"));
            out.span(Signals.SOCKETS_TIME_WAIT, from, to, m.in("TIME-WAIT"));
            out.span(Signals.SOCKETS_SYN_RECV, from, to, m.in("SYN-RECV"));
        }
        Moment last = moments.getLast();
        var seen = new ArrayList<Sighting>();
        last.fullest()
                .filter(l -> l.waiting > 0)
                .ifPresent(l -> seen.add(new Sighting(Sighting.LISTENER, l.address, l.waiting)));
        peers(last, "ESTAB", Sighting.PEER_ESTABLISHED, Sighting.CLIENT_ESTABLISHED, seen);
        peers(last, "CLOSE-WAIT", Sighting.PEER_CLOSE_WAIT, Sighting.CLIENT_CLOSE_WAIT, seen);
        return out.timeline().withSightings(seen);
    }

    private static void peers(Moment m, String state, String peer, String client, List<Sighting> to) {
        Map<Boolean, List<Map.Entry<String, Long>>> all = m.peers.getOrDefault(state, Map.of()).entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .collect(Collectors.partitioningBy(e -> new Sighting(client, e.getKey(), 0).ofClient()));
        all.forEach((ofClient, some) -> some.stream()
                .limit(MOST_REPORTED)
                .forEach(e -> to.add(new Sighting(ofClient ? client : peer, e.getKey(), e.getValue()))));
    }

    /** In words: {@code 2 moments, 812 established, 300 in CLOSE_WAIT}. */
    public String about() {
        Moment m = moments.getLast();
        return (moments.size() == 1 ? "one moment" : moments.size() + " moments, the last with") + " "
                + m.states.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(4)
                        .map(e -> e.getValue() + " " + e.getKey())
                        .collect(Collectors.joining(", "));
    }
}
