package dev.fettle.load;

import dev.fettle.load.api.ErrorKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * What happened from one moment to another. {@code responses + failed + abandoned} is the number of attempts that ended
 * in it; an attempt counts where it ends.
 *
 * <p>The histograms are in nanoseconds with three significant digits, told apart from 64 ns on and clamped at 10 minutes.
 * They belong to this window: copy one before changing it. A histogram takes some 10 to 200 KB, so merge
 * windows that are not needed one by one.
 *
 * @param startNanos {@link System#nanoTime()} of the start
 * @param endNanos {@link System#nanoTime()} of the end
 * @param responses valid responses
 * @param failed failed attempts
 * @param abandoned attempts given up because the run ended
 * @param errors the failed ones by kind; only kinds that occurred
 * @param statuses complete responses by status, valid or not
 * @param bytesRead bytes read from sockets, including heads
 * @param bytesWritten bytes written to sockets, including heads
 * @param latency latency of valid responses, from the intended send time
 * @param failedLatency of failed attempts, from the intended send time to the failure
 * @param connect of successful connects, from the call to the connection established
 * @param service of valid responses, from the actual send to the end of the response; in the closed model without
 *     think time the same as {@code latency} except for the connect
 * @param firstByte from the actual send to the first byte of the response
 * @param sendLag how much later each request left than it could have: the generator's own delay. Only for requests that
 *     wait for a time: all of the open model, and those after a think time
 * @param abandonedAge how long each abandoned attempt had waited for its answer since it was sent, or since its connection
 *     was asked for
 * @param due requests (iterations of a scenario) that fell due in the window, sent or not. Open model only
 * @param held requests that were due while no connection was free, and waited for one. Open model only
 * @param unsent requests that were due by the end of the load and never sent, because no connection was free:
 *     neither valid, nor failed, nor abandoned. Known when the run has ended
 * @param steps one per step of the scenarios, in their order; empty for a plain load
 * @param busyNanos time that attempts were in flight in this window, including the parts of those that cross its
 *     edges. By Little's law {@code busyNanos / elapsed} is the mean number of attempts in flight; the connections'
 *     pauses after errors are not counted
 * @param reconnects connections reopened because the server had closed them in order after a response
 * @param threads what each engine thread used
 * @param maxLoopLag longest time it took to handle one batch of events: a response may have waited that long for
 *     the generator
 * @param pausedNanos the part of the span in which the load was paused ({@link LoadRun#pause()})
 * @param answers what the complete answers looked like, one entry per step of the scenarios; one for a plain load
 * @param senders the processes that sent it, where several did; empty otherwise
 */
public record Window(
        long startNanos,
        long endNanos,
        long responses,
        long failed,
        long abandoned,
        Map<ErrorKind, ErrorCount> errors,
        Map<Integer, Long> statuses,
        long bytesRead,
        long bytesWritten,
        Histogram latency,
        Histogram failedLatency,
        Histogram connect,
        Histogram service,
        Histogram firstByte,
        Histogram sendLag,
        Histogram abandonedAge,
        long due,
        long held,
        long unsent,
        List<StepCount> steps,
        long busyNanos,
        long reconnects,
        List<EngineThreadUse> threads,
        Duration maxLoopLag,
        long pausedNanos,
        List<AnswerCounts> answers,
        List<SenderCount> senders) {

    /** Finest resolution of times; above it, one in a thousand. */
    public static final long FINEST_NANOS = 64;

    /** Significant digits of the histograms. */
    public static final int DIGITS = 3;

    /** Makes the collections immutable. */
    public Window {
        errors = Map.copyOf(errors);
        statuses = Map.copyOf(statuses);
        threads = List.copyOf(threads);
        steps = List.copyOf(steps);
        answers = List.copyOf(answers);
        senders = List.copyOf(senders);
    }

    /** An empty one of engine threads that do nothing any more. */
    public static Window nothing(long startNanos, long endNanos, int threads, long due, long unsent) {
        return new Window(
                startNanos,
                endNanos,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                0,
                0,
                growing(),
                growing(),
                growing(),
                growing(),
                growing(),
                growing(),
                growing(),
                due,
                0,
                unsent,
                List.of(),
                0,
                0,
                IntStream.range(0, threads)
                        .mapToObj(i -> new EngineThreadUse(i, 0, 0, 0))
                        .toList(),
                Duration.ZERO,
                0,
                List.of(),
                List.of());
    }

    /**
     * The same as sent by one of several processes.
     *
     * @param name of the process
     * @param aheadNanos how far its {@link System#nanoTime()} is ahead of this one's
     * @param firstThread the number of its first engine thread among those of all
     */
    public Window from(String name, long aheadNanos, int firstThread) {
        return new Window(
                startNanos - aheadNanos,
                endNanos - aheadNanos,
                responses,
                failed,
                abandoned,
                errors,
                statuses,
                bytesRead,
                bytesWritten,
                latency,
                failedLatency,
                connect,
                service,
                firstByte,
                sendLag,
                abandonedAge,
                due,
                held,
                unsent,
                steps,
                busyNanos,
                reconnects,
                threads.stream()
                        .map(t -> new EngineThreadUse(
                                firstThread + t.thread(), t.cpuNanos(), t.spinNanos(), t.wallNanos()))
                        .toList(),
                maxLoopLag,
                pausedNanos,
                answers,
                List.of(new SenderCount(name, responses, failed, latency)));
    }

    /** From start to end, pauses included. */
    public Duration elapsed() {
        return Duration.ofNanos(endNanos - startNanos);
    }

    /**
     * Valid responses per second of the time without the pauses, in which requests were being started; 0 for an empty span. Requests
     * in flight when a pause began are answered during it; they make up for those not yet answered when the load began or resumed.
     */
    public double responsesPerSecond() {
        long active = endNanos - startNanos - pausedNanos;
        return active <= 0 ? 0 : responses * 1e9 / active;
    }

    /** The largest share of a core that an engine thread worked for: near 1, the generator is the limit. */
    public double maxCpuShare() {
        return threads.stream().mapToDouble(EngineThreadUse::cpuShare).max().orElse(0);
    }

    /**
     * Merges several windows, from the earliest start to the latest end.
     *
     * @param windows of one run, in the order in which they were taken
     * @throws IllegalArgumentException if there are none, or they are of runs with different numbers of threads
     */
    public static Window merge(List<Window> windows) {
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("no windows to merge");
        }
        List<EngineThreadUse> threads = new ArrayList<>(windows.getFirst().threads);
        for (Window later : windows.subList(1, windows.size())) {
            if (later.threads.size() != threads.size()) {
                throw new IllegalArgumentException("windows of runs with different numbers of threads");
            }
            threads.replaceAll(use -> use.plus(later.threads.get(use.thread())));
        }
        return merge(windows, threads, sum(windows, Window::pausedNanos));
    }

    /** Merges windows of the same span, one per engine thread, or per process that sends a part of the load. */
    public static Window ofThreads(List<Window> each) {
        if (each.size() == 1) {
            return each.getFirst();
        }
        List<EngineThreadUse> threads =
                each.stream().flatMap(window -> window.threads.stream()).toList();
        // they pause together, so the pause is not summed up
        return merge(
                each,
                threads,
                each.stream().mapToLong(Window::pausedNanos).max().orElse(0));
    }

    private static Window merge(List<Window> windows, List<EngineThreadUse> threads, long pausedNanos) {
        Map<ErrorKind, ErrorCount> errors = new EnumMap<>(ErrorKind.class);
        Map<Integer, Long> statuses = new TreeMap<>();
        List<StepCount> steps = new ArrayList<>();
        List<AnswerCounts> answers = new ArrayList<>();
        long start = windows.getFirst().startNanos;
        long end = windows.getFirst().endNanos;
        Duration maxLoopLag = Duration.ZERO;
        for (Window window : windows) {
            window.errors.forEach((kind, count) -> errors.merge(kind, count, ErrorCount::plus));
            window.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
            StepCount.addAll(steps, window.steps);
            AnswerCounts.addAll(answers, window.answers);
            // nanoTime may wrap, so only differences mean something
            start = window.startNanos - start < 0 ? window.startNanos : start;
            end = window.endNanos - end > 0 ? window.endNanos : end;
            maxLoopLag = window.maxLoopLag.compareTo(maxLoopLag) > 0 ? window.maxLoopLag : maxLoopLag;
        }
        return new Window(
                start,
                end,
                sum(windows, Window::responses),
                sum(windows, Window::failed),
                sum(windows, Window::abandoned),
                errors,
                statuses,
                sum(windows, Window::bytesRead),
                sum(windows, Window::bytesWritten),
                add(windows, Window::latency),
                add(windows, Window::failedLatency),
                add(windows, Window::connect),
                add(windows, Window::service),
                add(windows, Window::firstByte),
                add(windows, Window::sendLag),
                add(windows, Window::abandonedAge),
                sum(windows, Window::due),
                sum(windows, Window::held),
                sum(windows, Window::unsent),
                steps,
                sum(windows, Window::busyNanos),
                sum(windows, Window::reconnects),
                threads,
                maxLoopLag,
                pausedNanos,
                answers,
                SenderCount.merged(
                        windows.stream().flatMap(w -> w.senders.stream()).toList()));
    }

    /** How often each kind of error occurred. */
    public Map<ErrorKind, Long> errorCounts() {
        return byKind(ErrorCount::count);
    }

    /** The first message of each kind of error. */
    public Map<ErrorKind, String> errorExamples() {
        return byKind(ErrorCount::example);
    }

    private <V> Map<ErrorKind, V> byKind(Function<ErrorCount, V> part) {
        var all = new EnumMap<ErrorKind, V>(ErrorKind.class);
        errors.forEach((kind, count) -> all.put(kind, part.apply(count)));
        return all;
    }

    private static long sum(List<Window> windows, ToLongFunction<Window> count) {
        return windows.stream().mapToLong(count).sum();
    }

    private static Histogram add(List<Window> windows, Function<Window, Histogram> times) {
        Histogram sum = growing();
        windows.forEach(window -> sum.add(times.apply(window)));
        return sum;
    }

    /** An empty histogram, as those of windows are. */
    public static Histogram growing() {
        Histogram histogram = new Histogram(FINEST_NANOS, 2 * FINEST_NANOS, DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }
}
