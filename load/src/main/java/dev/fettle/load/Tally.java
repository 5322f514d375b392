package dev.fettle.load;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one engine thread has counted in one window. Owned by one thread at a time. */
final class Tally {

    /** Longest time told apart; longer ones count as this long. */
    static final long LONGEST_NANOS = 600_000_000_000L;
    /** Times are told apart by this much at least; more than that, by one in a thousand. */
    static final long FINEST_NANOS = 64;

    static final int DIGITS = 3;

    private static final int KINDS = ErrorKind.values().length;

    final Histogram latency = histogram();
    final Histogram failedLatency = histogram();
    final Histogram connect = histogram();
    final Histogram service = histogram();
    final Histogram firstByte = histogram();
    final Histogram sendLag = histogram();
    /** One a step, when there are several; empty otherwise. */
    final Histogram[] steps;

    final long[] stepsFailed;
    /** One a step, also when there is one only. */
    final AnswerTable[] answers;

    final long[] statuses = new long[600];
    final long[] errors = new long[KINDS];
    final @Nullable String[] examples = new @Nullable String[KINDS];
    long startNanos;
    long endNanos;
    long cpuNanos;
    long spinNanos;
    long responses;
    long failed;
    long abandoned;
    long reconnects;
    long bytesRead;
    long bytesWritten;
    long busyNanos;
    long maxLagNanos;
    long held;
    long unsent;
    long pausedNanos;

    /** For a load with so many steps. */
    Tally(int stepCount) {
        steps = new Histogram[stepCount > 1 ? stepCount : 0];
        Arrays.setAll(steps, i -> histogram());
        stepsFailed = new long[steps.length];
        answers = new AnswerTable[Math.max(1, stepCount)];
        Arrays.setAll(answers, i -> new AnswerTable());
    }

    /** For a load without steps. */
    Tally() {
        this(1);
    }

    static Histogram histogram() {
        return new Histogram(FINEST_NANOS, LONGEST_NANOS, DIGITS);
    }

    /** Where the arrays keep a kind. */
    @SuppressWarnings("EnumOrdinal") // an array of this JVM alone, and on the way of each failure
    static int index(ErrorKind kind) {
        return kind.ordinal();
    }

    void clear() {
        latency.reset();
        failedLatency.reset();
        connect.reset();
        service.reset();
        firstByte.reset();
        sendLag.reset();
        for (Histogram step : steps) {
            step.reset();
        }
        Arrays.fill(stepsFailed, 0);
        for (AnswerTable table : answers) {
            table.clear();
        }
        held = 0;
        unsent = 0;
        Arrays.fill(statuses, 0);
        Arrays.fill(errors, 0);
        Arrays.fill(examples, null);
        cpuNanos = 0;
        spinNanos = 0;
        responses = 0;
        failed = 0;
        abandoned = 0;
        reconnects = 0;
        bytesRead = 0;
        bytesWritten = 0;
        busyNanos = 0;
        maxLagNanos = 0;
        pausedNanos = 0;
    }
}
