package dev.fettle.load.record;

import dev.fettle.load.WrongAnswer;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.Fingerprint;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens on one engine thread, into a {@link Tally} that only this thread touches. To get a window, another thread
 * offers an empty tally; between two batches the engine thread hands over the full one in exchange. So recording needs neither
 * locks nor atomics. Durations are in nanoseconds.
 */
public final class Recorder {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final LongSupplier nanoTime;
    private final LongUnaryOperator openAge;
    private final LongUnaryOperator loadTime;
    private final ArrayBlockingQueue<Tally> full = new ArrayBlockingQueue<>(1);
    private Tally tally;
    private long cpuBefore;
    private long openBefore;
    private long loadTimeBefore;
    private volatile @Nullable Tally offered;
    private volatile boolean ended;
    /** Whether the last window has already ended. Used only by the engine thread. */
    private boolean over;

    /**
     * A recorder of one engine thread.
     *
     * @param stepCount number of steps recorded separately
     * @param openAge gives for a moment the summed ages of the attempts then in flight
     * @param loadTime gives for a moment the load's time, of which only differences are meaningful
     */
    public Recorder(LongSupplier nanoTime, int stepCount, LongUnaryOperator openAge, LongUnaryOperator loadTime) {
        this.nanoTime = nanoTime;
        this.openAge = openAge;
        this.loadTime = loadTime;
        this.tally = new Tally(stepCount);
    }

    /** How late a request left although it was due and a connection was free: the generator's own delay. */
    public void sendLag(long nanos) {
        record(tally.sendLag, nanos);
    }

    /** A request was due while no connection was free, and had to wait for one. */
    public void held() {
        tally.held++;
    }

    /** Time from sending a request to the first byte of its final response. */
    public void firstByte(long nanos) {
        record(tally.firstByte, nanos);
    }

    /** Time from sending a request to the end of its valid response. */
    public void service(long nanos) {
        record(tally.service, nanos);
    }

    /** An attempt of a step ended. Only called when there are several steps. */
    public void step(int step, boolean valid, long latencyNanos) {
        if (valid) {
            record(tally.steps[step], latencyNanos);
        } else {
            tally.stepsFailed[step]++;
        }
    }

    /** Requests that were due by the end and never sent. */
    public void unsent(long count) {
        tally.unsent += count;
    }

    /** Time of a successful connect, TLS handshake included. */
    public void connected(long nanos) {
        record(tally.connect, nanos);
    }

    /** A connection that the server closed in an orderly way is being opened again. */
    public void reconnecting() {
        tally.reconnects++;
    }

    /** Bytes were read; with TLS, as encrypted on the wire. */
    public void read(int bytes) {
        tally.bytesRead += bytes;
    }

    /** Bytes were written; with TLS, as encrypted on the wire. */
    public void wrote(int bytes) {
        tally.bytesWritten += bytes;
    }

    /** A complete response had this status, valid or not. */
    public void status(int status) {
        tally.statuses[status]++;
    }

    /**
     * A complete answer, valid or not.
     *
     * @param print the hash of its body, if it belongs to the sample
     */
    public void answer(int step, Answer answer, Fingerprint print) {
        AnswerTable table = tally.answers[step];
        table.add(answer.status(), answer.bodyLength());
        if (print.isSampled()) {
            table.add(answer.status(), print.length(answer.bodyLength()), print.hash(), print.isUnzipped());
        }
    }

    /** A request that named itself to the server by this id has ended. */
    public void traced(int step, long high, long low, long nanos, boolean valid) {
        tally.answers[step].traced(high, low, nanos, valid);
    }

    /** Whether a sample of a wrong answer to this step is wanted. */
    public boolean wantsWrong(int step) {
        return tally.answers[step].wantsWrong();
    }

    /** A sample of a wrong answer to this step. */
    public void wrong(int step, WrongAnswer answer) {
        tally.answers[step].add(answer);
    }

    /** An attempt ended in a valid response. */
    public void valid(long latencyNanos) {
        tally.responses++;
        tally.busyNanos += latencyNanos;
        record(tally.latency, latencyNanos);
    }

    /**
     * An attempt failed.
     *
     * @return whether an {@link #example} of this kind is wanted
     */
    public boolean failed(ErrorKind kind, long nanos) {
        tally.failed++;
        tally.busyNanos += nanos;
        tally.errors[Tally.index(kind)]++;
        record(tally.failedLatency, nanos);
        return tally.examples[Tally.index(kind)] == null;
    }

    /**
     * An attempt failed that nobody knew to be one while it was under way. So no earlier window counts a part of its time: this one
     * counts what lies within itself.
     *
     * @return whether an {@link #example} of this kind is wanted
     */
    public boolean failedAhead(ErrorKind kind, long nanos) {
        tally.busyNanos -= Math.max(0, nanos - (nanoTime.getAsLong() - tally.startNanos));
        return failed(kind, nanos);
    }

    /** An example of a failure of this kind. */
    public void example(ErrorKind kind, String text) {
        tally.examples[Tally.index(kind)] = text;
    }

    /**
     * An attempt was given up at the end of the run.
     *
     * @param nanos since it was due
     * @param awaited since it was sent, or since its connection was asked for
     */
    public void abandoned(long nanos, long awaited) {
        tally.abandoned++;
        tally.busyNanos += nanos;
        record(tally.abandonedAge, awaited);
    }

    /** Time spent polling with nothing to do. */
    public void spun(long nanos) {
        tally.spinNanos += nanos;
    }

    /** Time to handle one batch of events; the last event in it waited that long. */
    public void lag(long nanos) {
        if (nanos > tally.maxLagNanos) {
            tally.maxLagNanos = nanos;
        }
    }

    /** The engine thread begins; the first window starts then. */
    public void begin(long startNanos) {
        tally.startNanos = startNanos;
        loadTimeBefore = loadTime.applyAsLong(startNanos);
        cpuBefore = THREADS.getCurrentThreadCpuTime();
    }

    /** Hands the tally over if a window is asked for. Called by the engine thread between batches. */
    public void answer() {
        Tally fresh = offered;
        if (fresh != null) {
            offered = null;
            seal();
            fresh.startNanos = tally.endNanos;
            full.add(tally);
            tally = fresh;
        }
    }

    /** The load is over: the last window ends now, although requests under way are still to be recorded as abandoned. */
    public void over() {
        stop();
        over = true;
    }

    /** The engine thread ends; from now on the tally belongs to the taking thread. */
    public void end() {
        seal();
        ended = true;
    }

    /** Asks the engine thread for its tally. Called by one thread at a time; {@link #take} must follow. */
    public void offer(Tally fresh) {
        if (!ended) {
            offered = fresh;
        }
    }

    /** Takes what the engine thread has handed over, and gives {@code fresh} in its place. */
    public Tally take(Tally fresh) throws InterruptedException {
        while (true) {
            // read before the queue: a thread that ends has answered before that, if at all
            boolean over = ended;
            Tally handed = over ? full.poll() : full.poll(10, TimeUnit.MILLISECONDS);
            if (handed != null) {
                return handed;
            }
            if (over) {
                offered = null;
                Tally last = tally;
                fresh.startNanos = last.endNanos;
                fresh.endNanos = last.endNanos;
                fresh.loadTimeAtEnd = last.loadTimeAtEnd;
                tally = fresh;
                return last;
            }
        }
    }

    private void stop() {
        long cpu = THREADS.getCurrentThreadCpuTime();
        tally.cpuNanos = cpu - cpuBefore;
        cpuBefore = cpu;
        tally.endNanos = nanoTime.getAsLong();
    }

    private void seal() {
        if (!over) {
            stop();
        }
        // an attempt that crosses a window's edge counts in each window for the time it spent there
        long open = openAge.applyAsLong(tally.endNanos);
        tally.busyNanos += open - openBefore;
        openBefore = open;
        long load = loadTime.applyAsLong(tally.endNanos);
        tally.pausedNanos = tally.endNanos - tally.startNanos - (load - loadTimeBefore);
        loadTimeBefore = load;
        tally.loadTimeAtEnd = load;
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, Tally.LONGEST_NANOS));
    }
}
