package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A network and a server without sockets, whose time passes only while the engine polls: what a load does is then exact. It
 * answers each request so long after it was sent, as many at once as there are.
 */
final class SimulatedServer implements TransportFactory, Transport {

    private static final ByteBuffer ANSWER = ByteBuffer.allocateDirect(64)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(ScriptedServer.OK.getBytes(ISO_8859_1))
            .flip();

    private record Event(long at, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    private final long serviceNanos;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final TreeMap<Long, Integer> sent = new TreeMap<>();
    private final List<Long> connects = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();
    private long now;
    private long number;
    private long connectNanos;
    private final List<SimulatedLink> links = new ArrayList<>();
    private boolean dead;

    private record Stop(long at, long length) {}

    SimulatedServer(long serviceNanos) {
        this.serviceNanos = serviceNanos;
    }

    /** Has something done at a moment of the run. */
    void at(long nanos, Runnable what) {
        events.add(new Event(nanos, number++, what));
    }

    long nanoTime() {
        return now;
    }

    /** The engine is stopped at this moment for so long; what happens meanwhile it sees afterwards. */
    void stop(long nanos, long length) {
        stops.add(new Stop(nanos, length));
    }

    /** Each connect takes the engine so long. */
    void connectsTake(long nanos) {
        connectNanos = nanos;
    }

    /** At this moment the server ends all connections; from then on each new one is refused at once. */
    void dies(long nanos) {
        at(nanos, () -> {
            dead = true;
            links.forEach(SimulatedLink::end);
        });
    }

    /** When requests were sent, each as often as there were. */
    List<Long> sent() {
        List<Long> all = new ArrayList<>();
        sent.forEach((when, count) -> {
            for (int i = 0; i < count; i++) {
                all.add(when);
            }
        });
        return all;
    }

    /** When connections were opened. */
    List<Long> connects() {
        return connects;
    }

    @Override
    public Transport open(Recorder recorder, LoopClock clock, Budget budget) {
        return this;
    }

    @Override
    public String note() {
        return "transport: simulated";
    }

    @Override
    public Link newLink(Handler handler) {
        SimulatedLink link = new SimulatedLink(handler);
        links.add(link);
        return link;
    }

    @Override
    public int poll(long maxNanos) {
        Event next = events.peek();
        long until = now + Math.min(maxNanos, Long.MAX_VALUE - now);
        long wakes = next == null ? until : Math.min(until, Math.max(now, next.at));
        if (!stops.isEmpty() && stops.getFirst().at() <= wakes) {
            Stop stop = stops.removeFirst();
            now = Math.max(wakes, stop.at() + stop.length());
            return 0;
        }
        if (next == null || next.at > until) {
            now = until;
            return 0;
        }
        int handled = 0;
        do {
            events.remove();
            now = Math.max(now, next.at);
            next.what.run();
            handled++;
            next = events.peek();
        } while (connectNanos > 0 && next != null && next.at <= now); // while it connects, it polls seldom
        return handled;
    }

    @Override
    public void wakeup() {}

    @Override
    public int openLinks() {
        return 0;
    }

    @Override
    public void close() {}

    private final class SimulatedLink implements Link {
        private final Handler handler;
        private int opened;
        private boolean up;

        SimulatedLink(Handler handler) {
            this.handler = handler;
        }

        @Override
        public void connect() {
            if (dead) {
                handler.broke(ErrorKind.REFUSED, new ConnectException("Connection refused"));
                return;
            }
            now += connectNanos;
            connects.add(now);
            opened++;
            up = true;
            at(now, handler::connected);
        }

        @Override
        public void send(ByteBuffer bytes) {
            sent.merge(now, 1, Integer::sum);
            int connection = opened;
            at(now + serviceNanos, () -> {
                if (connection == opened) {
                    handler.received(ANSWER.duplicate().order(ByteOrder.LITTLE_ENDIAN));
                }
            });
        }

        @Override
        public boolean sending() {
            return false;
        }

        @Override
        public void close() {
            opened++;
            up = false;
        }

        private void end() {
            if (up) {
                handler.ended();
            }
        }
    }
}
