package dev.fettle.load;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** One engine thread's work: its own connections, schedule, transport and recorder, and the loop that drives them. */
final class EngineLoop {

    private static final long SCAN_NANOS = 5_000_000;
    private static final long SCAN_NANOS_PER_CONNECTION = 2_000;
    private static final int STARTS_BETWEEN_POLLS = 32;

    private final boolean keepAlive;
    private final long connectTimeoutNanos;
    private final long responseTimeoutNanos;
    private final long endNanos;
    private final LoopClock clock;
    private final Schedule schedule;
    private final WindowRecorder recorder;
    private final Transport transport;
    private final List<Peer> connections = new ArrayList<>();
    private final ArrayDeque<Peer> parked = new ArrayDeque<>();
    private int live;
    private volatile boolean stopped;

    /**
     * @param scripts of all loops
     * @param transports of all loops
     * @param firstClient number of this loop's first client
     * @param count connections of this loop
     * @param schedule of this loop
     * @param startNanos start of the run as {@code nanoTime} gave it
     */
    EngineLoop(
            LoadSpec spec,
            ScriptFactory scripts,
            TransportFactory transports,
            int firstClient,
            int count,
            Schedule schedule,
            LongSupplier nanoTime,
            long startNanos)
            throws IOException {
        this.schedule = schedule;
        keepAlive = spec.keepAlive();
        connectTimeoutNanos = spec.connectTimeout().toNanos();
        responseTimeoutNanos = spec.responseTimeout().toNanos();
        endNanos = spec.maxDuration().plus(spec.drain()).toNanos();
        clock = new LoopClock(nanoTime, startNanos);
        recorder = new WindowRecorder(nanoTime, startNanos, scripts.stepCount(), this::openAge);
        transport = transports.open(recorder, clock);
        for (int i = 0; i < count; i++) {
            connections.add(new Connection(this, scripts.script(firstClient + i)));
        }
        live = count;
    }

    /** Runs to the end of the load. On the engine thread. */
    void run() throws IOException {
        recorder.begin();
        try {
            clock.read();
            startAll();
            loop();
        } finally {
            long now = clock.read();
            connections.forEach(connection -> connection.abandon(now));
            transport.close();
            recorder.end();
        }
    }

    private long openAge(long nanoTime) {
        long now = clock.at(nanoTime);
        long sum = 0;
        for (Peer connection : connections) {
            sum += connection.age(now);
        }
        return sum;
    }

    /** Makes {@link #run} end soon. From any thread. */
    void stop() {
        stopped = true;
        transport.wakeup();
    }

    private void startAll() throws IOException {
        for (int i = 0; i < connections.size() && !stopped; i++) {
            connections.get(i).start();
            if (i % STARTS_BETWEEN_POLLS == STARTS_BETWEEN_POLLS - 1) {
                transport.poll(0);
                recorder.answer();
            }
        }
    }

    private void loop() throws IOException {
        long scanEvery = SCAN_NANOS + SCAN_NANOS_PER_CONNECTION * connections.size();
        long nextScan = 0;
        long now = clock.read();
        while (live > 0 && !stopped && now < endNanos) {
            recorder.answer();
            if (now >= nextScan) {
                for (Peer connection : connections) {
                    connection.scan(now);
                }
                nextScan = now + scanEvery;
            }
            unpark(now);
            long wait = Math.min(nextScan, Math.min(schedule.nextDue(), endNanos)) - now;
            int events = transport.poll(Math.max(0, wait));
            // with events, a handler has just read the clock
            now = events > 0 ? clock.last() : clock.read();
        }
    }

    private void unpark(long now) {
        while (!parked.isEmpty() && parked.getFirst().unpark(now)) {
            parked.removeFirst();
        }
    }

    boolean keepAlive() {
        return keepAlive;
    }

    long connectTimeoutNanos() {
        return connectTimeoutNanos;
    }

    long responseTimeoutNanos() {
        return responseTimeoutNanos;
    }

    LoopClock clock() {
        return clock;
    }

    Schedule schedule() {
        return schedule;
    }

    WindowRecorder recorder() {
        return recorder;
    }

    Transport transport() {
        return transport;
    }

    void park(Peer connection) {
        parked.addLast(connection);
    }

    void retired() {
        live--;
    }
}
