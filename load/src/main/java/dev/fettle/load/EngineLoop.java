package dev.fettle.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.LongSupplier;

/** One engine thread's work: its own connections, dispatcher, transport and recorder, and the loop that drives them. */
final class EngineLoop implements OpenDispatcher.Growth {

    private static final int STARTS_BETWEEN_POLLS = 32;
    /** Time-outs need no precision: waiting for one, the loop sleeps at least so long. */
    private static final long COARSE_NANOS = 2_000_000;
    /** Requests are written together up to so many bytes. */
    private static final int WRITE_TOGETHER = 64 * 1024;

    /** Which of a load's loops it is. */
    record Share(int thread, int firstConnection, int connections) {}

    private final LoadSpec spec;
    private final PeerFactory peerFactory;
    private final Share share;
    private final boolean open;
    private final int stepCount;
    private final long thinkNanos;
    private final long connectTimeoutNanos;
    private final long responseTimeoutNanos;
    private long endNanos;
    private long hardEnd;
    private final LoopClock clock;
    private final Dispatcher dispatcher;
    private final WindowRecorder recorder;
    private final Transport transport;
    private final ByteBuffer repeatedRequest;
    private final int requestLength;
    private final Alarms alarms = new Alarms();
    private final Alarms timeouts = new Alarms();
    private final Set<String> notes = new CopyOnWriteArraySet<>();
    private final List<Peer> peers = new ArrayList<>();
    private int live;
    private boolean over;
    private boolean timeUp;
    private volatile boolean stopped;
    /** Asked for by another thread. */
    private volatile long soonerEnd = Long.MAX_VALUE;

    /**
     * @param scripts of all loops
     * @param transports of all loops
     */
    EngineLoop(LoadSpec spec, ScriptFactory scripts, TransportFactory transports, Share share, LongSupplier nanoTime)
            throws IOException {
        this.spec = spec;
        this.peerFactory = PeerFactory.of(spec, scripts);
        this.share = share;
        thinkNanos = spec.arrivals() instanceof Arrivals.Closed closed
                ? closed.think().toNanos()
                : 0;
        connectTimeoutNanos = spec.connectTimeout().toNanos();
        responseTimeoutNanos = spec.responseTimeout().toNanos();
        endNanos = Schedules.end(spec);
        hardEnd = endNanos + spec.drain().toNanos();
        clock = new LoopClock(nanoTime);
        recorder = new WindowRecorder(nanoTime, scripts.stepCount(), this::openAge);
        transport = transports.open(recorder, clock);
        open = spec.arrivals() instanceof Arrivals.Open;
        dispatcher = spec.arrivals() instanceof Arrivals.Open
                ? new OpenDispatcher(Schedules.of(spec, share.thread()), clock, recorder, this)
                : new ClosedDispatcher(Schedules.requests(spec, share.thread()), endNanos);
        stepCount = scripts.stepCount();
        boolean pipelining = spec.wire().protocol() == Protocol.HTTP_1_1 && inFlight() > 1;
        ByteBuffer request = pipelining ? scripts.script(0).request() : ByteBuffer.allocate(0);
        requestLength = request.remaining();
        repeatedRequest = requestLength == 0 ? request : repeated(request);
    }

    private ByteBuffer repeated(ByteBuffer request) {
        int times = Math.clamp(WRITE_TOGETHER / requestLength, 1, inFlight());
        ByteBuffer many = ByteBuffer.allocateDirect(times * requestLength);
        for (int i = 0; i < times; i++) {
            many.put(request.duplicate());
        }
        return many;
    }

    /**
     * Runs to the end of the load. On the engine thread.
     *
     * @param startNanos start of the run as {@code nanoTime} gave it
     */
    void run(long startNanos) throws IOException {
        clock.start(startNanos);
        recorder.begin(startNanos);
        try {
            if (!open) {
                startAll();
            }
            loop();
        } finally {
            long now = clock.read();
            // closing thousands of connections takes a while, in which nothing is offered: it belongs to no window
            recorder.over();
            peers.forEach(peer -> peer.abandon(now));
            transport.close();
            recorder.unsent(dispatcher.unsent());
            recorder.end();
        }
    }

    private long openAge(long nanoTime) {
        long now = clock.at(nanoTime);
        long sum = 0;
        for (Peer peer : peers) {
            sum += peer.age(now);
        }
        return sum;
    }

    /** Makes {@link #run} end soon. From any thread. */
    void stop() {
        stopped = true;
        transport.wakeup();
    }

    /** Moves the end of the load to so long after its start, if that is sooner. From any thread. */
    synchronized void endAt(long nanos) {
        soonerEnd = Math.min(soonerEnd, nanos);
        transport.wakeup();
    }

    private void startAll() throws IOException {
        while (canGrow() && !stopped) {
            grow(clock.read());
            if (peers.size() % STARTS_BETWEEN_POLLS == 0) {
                transport.poll(0);
                recorder.answer();
            }
        }
    }

    private void loop() throws IOException {
        long now = clock.read();
        while ((!over || live > 0) && !stopped && now < hardEnd) {
            recorder.answer();
            if (soonerEnd < endNanos) {
                endSooner();
            }
            alarms.ring(now);
            timeouts.ring(now);
            dispatcher.dispatch(now);
            finish(now);
            int events = transport.poll(idleNanos(Math.min(hardEnd, over ? hardEnd : endNanos)));
            // with events, a handler has just read the clock
            now = events > 0 ? clock.last() : clock.read();
        }
    }

    private void endSooner() {
        endNanos = soonerEnd;
        hardEnd = endNanos + spec.drain().toNanos();
        dispatcher.endAt(endNanos);
    }

    /** How long to sleep when nothing happens. */
    private long idleNanos(long deadline) {
        if (over && live == 0) {
            return 0;
        }
        long now = clock.last();
        long exact = Math.min(alarms.next(), dispatcher.nextDue());
        long coarse = Math.max(Math.min(timeouts.next(), deadline) - now, COARSE_NANOS);
        return Math.clamp(exact - now, 0, coarse);
    }

    /** Ends what has nothing left to do, once when nothing more is given out and once when the time is up. */
    private void finish(long now) {
        boolean up = isTimeUp(now);
        if (up && !timeUp) {
            timeUp = true;
            dispatcher.end(now, hardEnd);
            over = true;
            peers.forEach(peer -> peer.sweep(true));
        } else if (!over && dispatcher.isOver(now)) {
            over = true;
            peers.forEach(peer -> peer.sweep(false));
        }
    }

    @Override
    public boolean canGrow() {
        return peers.size() < share.connections();
    }

    @Override
    public void grow(long now) {
        int number = share.firstConnection() + peers.size();
        Peer peer = peerFactory.peer(this, number);
        peers.add(peer);
        live++;
        peer.start(now);
    }

    /** Whether nothing more is given out; those under way may still wait for their answers. */
    boolean isOver() {
        return over;
    }

    /** The load's end has come: nothing is begun any more. */
    boolean isTimeUp(long now) {
        return now >= endNanos;
    }

    /** Whether connections are opened before there is a request for them. */
    boolean opensAhead() {
        return !open && spec.keepAlive();
    }

    boolean keepAlive() {
        return spec.keepAlive();
    }

    int inFlight() {
        return spec.wire().inFlight();
    }

    int stepCount() {
        return stepCount;
    }

    /** How long a client of the closed model thinks between two iterations. */
    long thinkNanos() {
        return thinkNanos;
    }

    long connectTimeoutNanos() {
        return connectTimeoutNanos;
    }

    long responseTimeoutNanos() {
        return responseTimeoutNanos;
    }

    /**
     * How long a client pauses that has lost its socket. In the open model it does not: every request that is due is tried,
     * and there are no more failures than requests. But who lacks something on this host gives it time.
     */
    long backOffNanos(int failuresInRow, ErrorKind kind) {
        return open && kind != ErrorKind.OTHER ? 0 : BackOff.nanos(failuresInRow, kind);
    }

    /** Several of the load's only request, one behind the other, for pipelining; from 0 to the capacity. */
    ByteBuffer repeatedRequest() {
        return repeatedRequest;
    }

    /** Bytes of one of {@link #repeatedRequest()}. */
    int requestLength() {
        return requestLength;
    }

    LoopClock clock() {
        return clock;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Who thinks or backs off. */
    Alarms alarms() {
        return alarms;
    }

    /** Who waits for the server: looked at with a delay of some milliseconds. */
    Alarms timeouts() {
        return timeouts;
    }

    /** Something that the user should know. Said once, however often it is noted. */
    void note(String text) {
        if (!notes.contains(text)) {
            notes.add(text);
        }
    }

    /** What was noted. From any thread. */
    Set<String> notes() {
        return notes;
    }

    WindowRecorder recorder() {
        return recorder;
    }

    Transport transport() {
        return transport;
    }

    /** A peer has closed for good. */
    void retired() {
        live--;
    }
}
