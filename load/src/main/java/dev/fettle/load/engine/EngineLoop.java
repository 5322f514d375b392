package dev.fettle.load.engine;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.ClientLimits;
import dev.fettle.load.client.Dispatcher;
import dev.fettle.load.client.Loop;
import dev.fettle.load.client.Peer;
import dev.fettle.load.record.Recorder;
import dev.fettle.load.schedule.Alarms;
import dev.fettle.load.schedule.LoadClock;
import dev.fettle.load.schedule.LoopClock;
import dev.fettle.load.schedule.Schedules;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.Transport;
import dev.fettle.load.transport.TransportFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One engine thread's work: its own connections, dispatcher, transport and recorder, and the loop that drives them. */
final class EngineLoop implements Loop, OpenDispatcher.Growth {

    private static final int STARTS_BETWEEN_POLLS = 32;
    /** Time-outs need no precision: the loop sleeps at least this long while it waits for one. */
    private static final long COARSE_NANOS = 2_000_000;
    /**
     * A loop that wakes up later than this after a sleep was stalled: by its JVM, by the kernel, or with the whole
     * machine.
     */
    private static final long STALLED_NANOS = 2_000_000;

    /** The loop's part of the load: the number of its thread, and its connections. */
    record Share(int thread, int firstConnection, int connections) {}

    private final PeerFactory peerFactory;
    private final Share share;
    private final Part part;
    private final boolean open;
    private final ClientLimits terms;
    private final long drainNanos;
    private final LoopClock clock;
    private final Dispatcher dispatcher;
    private final Recorder recorder;
    private final Transport transport;
    private final Budget budget;
    private final Runnable onQuiet;
    private final Alarms alarms = new Alarms();
    private final Alarms timeouts = new Alarms();
    private final HeldClients held = new HeldClients();
    private final Set<String> notes = new CopyOnWriteArraySet<>();
    private final List<Peer> peers = new ArrayList<>();
    private int live;
    private boolean over;
    private boolean timeUp;
    /** When answers are no longer awaited; known once the load's time is up. */
    private long hardEnd = Long.MAX_VALUE;

    private LoadClock course;
    /** When the load last resumed after a pause. */
    private long wentOnAt;
    /** How many peers have been found quiet during this pause. */
    private int quietPeers;

    private volatile boolean stopped;
    private volatile boolean ended;
    /** Set by another thread. */
    private volatile LoadClock wanted;
    /** The course in whose pause nothing is under way. */
    private volatile @Nullable LoadClock quietIn;

    /**
     * @param scripts of all loops
     * @param transports of all loops
     * @param onQuiet told, on the engine thread, that {@link #isQuietIn} has become true
     */
    EngineLoop(
            LoadSpec spec,
            LoadClock course,
            ScriptFactory scripts,
            TransportFactory transports,
            Share share,
            LongSupplier nanoTime,
            Runnable onQuiet)
            throws IOException {
        this.peerFactory = Wiring.peers(spec, scripts);
        this.share = share;
        this.part = spec.part();
        this.course = course;
        this.wanted = course;
        this.onQuiet = onQuiet;
        open = spec.arrivals() instanceof Arrivals.Open;
        terms = new ClientLimits(
                spec.wire().inFlight(),
                spec.keepAlive(),
                !open && spec.keepAlive(),
                spec.connectTimeout().toNanos(),
                spec.responseTimeout().toNanos(),
                spec.arrivals() instanceof Arrivals.Closed closed
                        ? closed.think().toNanos()
                        : 0,
                scripts.stepCount());
        drainNanos = spec.drain().toNanos();
        clock = new LoopClock(nanoTime);
        recorder = new Recorder(nanoTime, scripts.stepCount(), this::openAge, this::loadTime);
        budget = Budget.ofOneOf(spec.threads());
        transport = transports.open(recorder, clock, budget);
        dispatcher = open
                ? new OpenDispatcher(Schedules.of(spec, share.thread()), course, clock, recorder, this)
                : new ClosedDispatcher(Schedules.requests(spec, share.thread()), course, held);
    }

    /**
     * Runs until the load ends. Called on the engine thread.
     *
     * @param startNanos start of the run as {@code nanoTime} gave it
     */
    void run(long startNanos) throws IOException {
        clock.start(startNanos);
        recorder.begin(startNanos);
        try {
            loop();
        } finally {
            try {
                leave(clock.read());
            } finally {
                // anyone who takes windows waits for this
                recorder.end();
            }
        }
    }

    private void leave(long now) {
        // closing thousands of connections takes a while, during which nothing is offered: that time belongs to no
        // window
        recorder.over();
        peers.forEach(peer -> peer.abandon(now));
        transport.close();
        // stopped early: what falls due later was not offered
        dispatcher.follow(course.endingIn(0, now));
        recorder.unsent(dispatcher.unsent());
    }

    private long openAge(long nanoTime) {
        long now = clock.at(nanoTime);
        long sum = 0;
        for (Peer peer : peers) {
            sum += peer.clients().age(now);
        }
        return sum;
    }

    private long loadTime(long nanoTime) {
        return course.at(clock.at(nanoTime));
    }

    /** Makes {@link #run} end soon. Callable from any thread. */
    void stop() {
        stopped = true;
        transport.wakeup();
    }

    /** Follows this course from now on. Callable from any thread. */
    void follow(LoadClock next) {
        wanted = next;
        transport.wakeup();
    }

    /** Whether nothing is under way here during this course's pause, or the loop has ended. Callable from any thread. */
    boolean isQuietIn(LoadClock pausing) {
        return ended || quietIn == pausing;
    }

    /** Its thread has ended. */
    void ended() {
        ended = true;
    }

    /** Opens a closed load's connections until it is over; a pause interrupts that. Those that are open go on meanwhile. */
    private void startAll() throws IOException {
        while (canGrow() && !stopped && !course.isPaused() && !dispatcher.isOver(clock.last())) {
            grow(clock.read());
            if (peers.size() % STARTS_BETWEEN_POLLS == 0) {
                transport.poll(0);
                recorder.answer();
                follow();
                ring(clock.read());
            }
        }
    }

    /** Wakes the clients whose time has come. */
    private void ring(long now) {
        alarms.ring(now);
        timeouts.ring(now);
        if (!course.isPaused()) {
            held.release(wentOnAt, clock);
        }
    }

    private void loop() throws IOException {
        long now = clock.read();
        while ((!over || live > 0) && !stopped && now < hardEnd) {
            recorder.answer();
            follow();
            if (!open && !over && canGrow()) {
                startAll();
                now = clock.read();
            }
            ring(now);
            dispatcher.dispatch(now);
            finish(now);
            lookForQuiet();
            long idle = idleNanos();
            long awakeAt = clock.last() + idle;
            int events = transport.poll(idle);
            // with events, a handler has just read the clock
            now = events > 0 ? clock.last() : clock.read();
            if (timeUp) {
                stalled(now - awakeAt);
            }
        }
    }

    /**
     * While only answers are awaited, no send shows that this thread was stalled. Answers were then looked at that much
     * later, so they are awaited for that much longer.
     */
    private void stalled(long nanos) {
        if (nanos > STALLED_NANOS) {
            hardEnd += nanos;
            long waiting = 0;
            for (Peer peer : peers) {
                waiting += peer.clients().underWay();
            }
            for (long i = 0; i < waiting; i++) {
                recorder.sendLag(nanos);
            }
        }
    }

    private void follow() {
        LoadClock next = wanted;
        if (next != course) {
            if (course.isPaused() && !next.isPaused()) {
                wentOnAt = clock.read();
            }
            course = next;
            quietPeers = 0;
            dispatcher.follow(next);
        }
    }

    /** A peer that is quiet during a pause stays quiet, so each is checked until it is. */
    private void lookForQuiet() {
        if (!course.isPaused() || quietIn == course) {
            return;
        }
        while (quietPeers < peers.size() && peers.get(quietPeers).isQuiet()) {
            quietPeers++;
        }
        if (quietPeers == peers.size()) {
            quietIn = course;
            onQuiet.run();
        }
    }

    /** How long to sleep if nothing happens. */
    private long idleNanos() {
        if (over && live == 0 || !course.isPaused() && !held.isEmpty()) {
            return 0;
        }
        long now = clock.last();
        long exact = Math.min(alarms.next(), dispatcher.nextDue());
        // while it only waits for answers it wakes often, to notice when it was stalled
        long coarse = timeUp ? COARSE_NANOS : Math.max(Math.min(timeouts.next(), deadline()) - now, COARSE_NANOS);
        return Math.clamp(exact - now, 0, coarse);
    }

    /** When the load's time is up, or after that the end of the drain; a pause has no end of its own. */
    private long deadline() {
        if (timeUp) {
            return hardEnd;
        }
        return course.isPaused() ? Long.MAX_VALUE : course.runTime(course.end());
    }

    /** Ends clients with nothing left to do: once when no more iterations are given out, and again when the time is up. */
    private void finish(long now) {
        boolean up = isTimeUp(now);
        if (up && !timeUp) {
            timeUp = true;
            long late = course.at(now) - course.end();
            hardEnd = now - late + drainNanos;
            stalled(late);
            dispatcher.end(now, hardEnd);
            over = true;
            peers.forEach(peer -> peer.clients().sweep(true));
        } else if (!over && dispatcher.isOver(now)) {
            over = true;
            peers.forEach(peer -> peer.clients().sweep(false));
        }
    }

    @Override
    public boolean canGrow() {
        return peers.size() < share.connections();
    }

    @Override
    public void grow(long now) {
        int number = Math.toIntExact(part.number(share.firstConnection() + peers.size()));
        Peer peer = peerFactory.peer(this, number);
        peers.add(peer);
        live++;
        peer.start(now);
    }

    @Override
    public ClientLimits terms() {
        return terms;
    }

    @Override
    public LoopClock clock() {
        return clock;
    }

    @Override
    public Recorder recorder() {
        return recorder;
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    @Override
    public Alarms alarms() {
        return alarms;
    }

    @Override
    public Alarms timeouts() {
        return timeouts;
    }

    @Override
    public boolean isPaused() {
        return course.isPaused();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public boolean isTimeUp(long now) {
        return course.isOver(now);
    }

    @Override
    public void hold(Client client) {
        held.add(client);
    }

    @Override
    public long backOffNanos(int failuresInRow, ErrorKind kind) {
        return open && kind != ErrorKind.OTHER ? 0 : BackOff.nanos(failuresInRow, kind);
    }

    @Override
    public Budget budget() {
        return budget;
    }

    @Override
    public void note(String text) {
        if (!notes.contains(text)) {
            notes.add(text);
        }
    }

    /** The notes so far. Callable from any thread. */
    Set<String> notes() {
        return notes;
    }

    @Override
    public void retired() {
        live--;
    }
}
