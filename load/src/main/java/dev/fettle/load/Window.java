package dev.fettle.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What happened from one moment to another. {@code responses + failed + abandoned} is the number of attempts that ended in
 * it; an attempt counts where it ends.
 *
 * <p>The histograms are in nanoseconds with three significant digits, told apart from 64 ns on and clamped at 10 minutes.
 * They belong to this window: copy one before changing it. A histogram takes some 10 to 200 KB, so who takes many windows
 * should merge those it does not need one by one.
 *
 * @param startNanos {@link System#nanoTime()} of the start
 * @param endNanos {@link System#nanoTime()} of the end
 * @param responses valid responses
 * @param failed failed attempts
 * @param abandoned attempts given up because the run ended
 * @param errors the failed ones by kind; only kinds that occurred
 * @param statuses complete responses by status, valid or not
 * @param bytesRead bytes read from sockets, heads included
 * @param bytesWritten bytes written to sockets, heads included
 * @param latency of valid responses, from the intended send time
 * @param failedLatency of failed attempts, from the intended send time to the failure
 * @param connect of successful connects, from the call to the connection established
 * @param service of valid responses, from the actual send to the end of the response; in the closed model without think time
 *     the same as {@code latency} but for the connect
 * @param firstByte from the actual send to the first byte of the response
 * @param sendLag how long after it could have each request left: the generator's own delay. Only of requests that wait for
 *     a time: all of the open model, and those after a think time
 * @param held requests that were due while no connection was free, and waited for one. Open model only
 * @param unsent requests that were due by the end of the load and never sent, because no connection was free: neither valid,
 *     nor failed, nor abandoned. Known when the run has ended
 * @param steps one a step of the scenarios, in their order; empty for a plain load
 * @param busyNanos time that attempts were under way in this window, those that cross its edges included for their part. By
 *     Little's law {@code busyNanos / elapsed} is the mean number of attempts under way, the connections' pauses after
 *     errors left out
 * @param reconnects connections opened anew because the server had closed them in order after a response
 * @param threads what each engine thread used
 * @param maxLoopLag longest time it took to handle one batch of events: a response may have waited so long for the generator
 * @param pausedNanos the part of the span in which the load paused ({@link LoadRun#pause()})
 * @param answers what the complete answers looked like, one a step of the scenarios; one for a plain load
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
        long held,
        long unsent,
        List<StepCount> steps,
        long busyNanos,
        long reconnects,
        List<EngineThreadUse> threads,
        Duration maxLoopLag,
        long pausedNanos,
        List<AnswerCounts> answers) {

    /** Times are told apart by this much at least; more than that, by one in a thousand. */
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
    }

    /** From start to end, pauses included. */
    public Duration elapsed() {
        return Duration.ofNanos(endNanos - startNanos);
    }

    /**
     * From start to end without the pauses: how long requests were begun for. What was under way when a pause began is answered
     * in it, and stands for what was not yet answered when the load began or went on.
     */
    public Duration active() {
        return Duration.ofNanos(activeNanos());
    }

    private long activeNanos() {
        return Math.max(0, endNanos - startNanos - pausedNanos);
    }

    /** Valid responses a second of {@link #active()} time; 0 for an empty span. */
    public double responsesPerSecond() {
        return activeNanos() == 0 ? 0 : responses * 1e9 / activeNanos();
    }

    /** Mean number of attempts under way, by Little's law over the {@link #active()} time; 0 for an empty span. */
    public double meanConcurrency() {
        return activeNanos() == 0 ? 0 : (double) busyNanos / activeNanos();
    }

    /** The largest share of a core which an engine thread worked for: near 1, the generator is the limit. */
    public double maxCpuShare() {
        return threads.stream().mapToDouble(EngineThreadUse::cpuShare).max().orElse(0);
    }

    /**
     * Several windows as one, from the earliest start to the latest end.
     *
     * @param windows of one run, in the order in which they were taken
     * @throws IllegalArgumentException if there are none, or they are of runs with different numbers of threads
     */
    public static Window merge(List<Window> windows) {
        if (windows.isEmpty()) {
            throw new IllegalArgumentException("no windows to merge");
        }
        Map<ErrorKind, ErrorCount> errors = new EnumMap<>(ErrorKind.class);
        Map<Integer, Long> statuses = new TreeMap<>();
        Histogram latency = growing();
        Histogram failedLatency = growing();
        Histogram connect = growing();
        Histogram service = growing();
        Histogram firstByte = growing();
        Histogram sendLag = growing();
        List<StepCount> steps = new ArrayList<>();
        List<AnswerCounts> answers = new ArrayList<>();
        List<EngineThreadUse> threads = new ArrayList<>(windows.getFirst().threads);
        for (Window window : windows) {
            window.errors.forEach((kind, count) -> errors.merge(kind, count, ErrorCount::plus));
            window.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
            latency.add(window.latency);
            failedLatency.add(window.failedLatency);
            connect.add(window.connect);
            service.add(window.service);
            firstByte.add(window.firstByte);
            sendLag.add(window.sendLag);
            StepCount.addAll(steps, window.steps);
            AnswerCounts.addAll(answers, window.answers);
            if (window.threads.size() != threads.size()) {
                throw new IllegalArgumentException("windows of runs with different numbers of threads");
            }
        }
        for (Window later : windows.subList(1, windows.size())) {
            threads.replaceAll(use -> use.plus(later.threads.get(use.thread())));
        }
        return new Window(
                windows.stream()
                        .mapToLong(Window::startNanos)
                        .reduce(Window::earlier)
                        .orElseThrow(),
                windows.stream()
                        .mapToLong(Window::endNanos)
                        .reduce(Window::later)
                        .orElseThrow(),
                windows.stream().mapToLong(Window::responses).sum(),
                windows.stream().mapToLong(Window::failed).sum(),
                windows.stream().mapToLong(Window::abandoned).sum(),
                errors,
                statuses,
                windows.stream().mapToLong(Window::bytesRead).sum(),
                windows.stream().mapToLong(Window::bytesWritten).sum(),
                latency,
                failedLatency,
                connect,
                service,
                firstByte,
                sendLag,
                windows.stream().mapToLong(Window::held).sum(),
                windows.stream().mapToLong(Window::unsent).sum(),
                steps,
                windows.stream().mapToLong(Window::busyNanos).sum(),
                windows.stream().mapToLong(Window::reconnects).sum(),
                threads,
                windows.stream()
                        .map(Window::maxLoopLag)
                        .max(Duration::compareTo)
                        .orElseThrow(),
                windows.stream().mapToLong(Window::pausedNanos).sum(),
                answers);
    }

    /** Windows of the same span, one of each engine thread, as one. */
    public static Window ofThreads(List<Window> each) {
        if (each.size() == 1) {
            return each.getFirst();
        }
        List<EngineThreadUse> threads =
                each.stream().flatMap(window -> window.threads.stream()).toList();
        // they pause together, so the pause is not summed up
        long paused = each.stream().mapToLong(Window::pausedNanos).max().orElse(0);
        return merge(each.stream()
                        .map(window -> window.withThreads(threads, paused))
                        .toList())
                .withThreads(threads, paused);
    }

    private Window withThreads(List<EngineThreadUse> all, long paused) {
        return new Window(
                startNanos,
                endNanos,
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
                held,
                unsent,
                steps,
                busyNanos,
                reconnects,
                all,
                maxLoopLag,
                paused,
                answers);
    }

    /** An empty histogram, as those of windows are. */
    public static Histogram growing() {
        Histogram histogram = new Histogram(FINEST_NANOS, 2 * FINEST_NANOS, DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** nanoTime may wrap, so only differences mean something. */
    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private static long later(long a, long b) {
        return a - b < 0 ? b : a;
    }
}
