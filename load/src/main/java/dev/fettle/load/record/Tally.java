package dev.fettle.load.record;

import dev.fettle.load.EngineThreadUse;
import dev.fettle.load.ErrorCount;
import dev.fettle.load.StepCount;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one engine thread has counted in one window. Owned by one thread at a time. */
public final class Tally {

    /** Longest time recorded; longer ones count as this long. */
    public static final long LONGEST_NANOS = 600_000_000_000L;

    private static final int KINDS = ErrorKind.values().length;

    final Histogram latency = histogram();
    final Histogram failedLatency = histogram();
    final Histogram connect = histogram();
    final Histogram service = histogram();
    final Histogram firstByte = histogram();
    final Histogram sendLag = histogram();
    /** Small as long as it is empty, and it is until the end. */
    final Histogram abandonedAge = Window.growing();
    /** One per step if there are several; otherwise empty. */
    final Histogram[] steps;

    final long[] stepsFailed;
    /** One per step, even if there is only one. */
    final AnswerTable[] answers;

    final long[] statuses = new long[600];
    public final long[] errors = new long[KINDS];
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
    public long busyNanos;
    long maxLagNanos;
    /** Requests that fell due; set by the taking thread, which has the schedule. */
    long due;

    long held;
    long unsent;
    long pausedNanos;
    /** The load's time at the end. */
    long loadTimeAtEnd;

    /** An empty tally for a load with this many steps. */
    public Tally(int stepCount) {
        steps = new Histogram[stepCount > 1 ? stepCount : 0];
        Arrays.setAll(steps, i -> histogram());
        stepsFailed = new long[steps.length];
        answers = new AnswerTable[Math.max(1, stepCount)];
        Arrays.setAll(answers, i -> new AnswerTable());
    }

    /** An empty tally for a load without steps. */
    public Tally() {
        this(1);
    }

    static Histogram histogram() {
        return new Histogram(Window.FINEST_NANOS, LONGEST_NANOS, Window.DIGITS);
    }

    /** The index of a kind in the arrays. */
    @SuppressWarnings("EnumOrdinal") // the array never leaves this JVM, and every failure needs it
    public static int index(ErrorKind kind) {
        return kind.ordinal();
    }

    /** The load's time at its end, once it is handed over. */
    public long loadTimeAtEnd() {
        return loadTimeAtEnd;
    }

    /** Sets how many requests fell due in it. Called by the taking thread. */
    public void due(long count) {
        due = count;
    }

    /** What was counted, copied into a window: the tally can be used again afterwards. */
    public Window window(int thread) {
        Map<ErrorKind, ErrorCount> byKind = new EnumMap<>(ErrorKind.class);
        for (ErrorKind kind : ErrorKind.values()) {
            long count = errors[index(kind)];
            String example = examples[index(kind)];
            if (count > 0) {
                byKind.put(kind, new ErrorCount(count, example == null ? "" : example));
            }
        }
        Map<Integer, Long> byStatus = new TreeMap<>();
        for (int status = 0; status < statuses.length; status++) {
            if (statuses[status] > 0) {
                byStatus.put(status, statuses[status]);
            }
        }
        return new Window(
                startNanos,
                endNanos,
                responses,
                failed,
                abandoned,
                byKind,
                byStatus,
                bytesRead,
                bytesWritten,
                compact(latency),
                compact(failedLatency),
                compact(connect),
                compact(service),
                compact(firstByte),
                compact(sendLag),
                compact(abandonedAge),
                due,
                held,
                unsent,
                IntStream.range(0, steps.length)
                        .mapToObj(i -> new StepCount(compact(steps[i]), stepsFailed[i]))
                        .toList(),
                busyNanos,
                reconnects,
                List.of(new EngineThreadUse(thread, cpuNanos, spinNanos, endNanos - startNanos - pausedNanos)),
                Duration.ofNanos(maxLagNanos),
                pausedNanos,
                Arrays.stream(answers).map(AnswerTable::answers).toList(),
                List.of());
    }

    private static Histogram compact(Histogram wide) {
        Histogram copy = Window.growing();
        copy.add(wide);
        return copy;
    }

    public void clear() {
        latency.reset();
        failedLatency.reset();
        connect.reset();
        service.reset();
        firstByte.reset();
        sendLag.reset();
        abandonedAge.reset();
        for (Histogram step : steps) {
            step.reset();
        }
        Arrays.fill(stepsFailed, 0);
        for (AnswerTable table : answers) {
            table.clear();
        }
        due = 0;
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
