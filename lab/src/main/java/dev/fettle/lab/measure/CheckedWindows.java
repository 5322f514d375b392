package dev.fettle.lab.measure;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.load.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The windows of the load on a trial's target. After each it is checked that the target and its hooks are alive and that answers
 * come, and the target's compilers are kept off its CPUs. Not thread-safe.
 */
final class CheckedWindows {
    private final LoadWindows windows;
    private final TargetHealth health;
    private final Set<Integer> generator;
    private final boolean kept;
    private final Measuring measuring;
    private final BiConsumer<Measuring, LiveWindow> each;
    private double meanLatency;
    private boolean ended;
    private Optional<String> firstError = Optional.empty();

    /**
     * The windows of a load that has just begun.
     *
     * @param generator CPUs on which the target's compilers may run
     * @param kept whether a lack of answers is no failure
     * @param measuring where the caller adds each window
     * @param each receives it after every window
     */
    CheckedWindows(
            LoadWindows windows,
            TargetHealth health,
            Set<Integer> generator,
            boolean kept,
            Measuring measuring,
            BiConsumer<Measuring, LiveWindow> each) {
        this.windows = windows;
        this.health = health;
        this.generator = Set.copyOf(generator);
        this.kept = kept;
        this.measuring = measuring;
        this.each = each;
    }

    /** Runs a stretch of load in windows of about half a second, and hands over each. */
    void during(Duration time, Consumer<Window> taking) throws InterruptedException, TrialFailure, LabException {
        until(time, window -> {
            taking.accept(window);
            return false;
        });
    }

    /**
     * The same, but the stretch may end early.
     *
     * @param enough takes each window, and says whether the stretch may end with it
     * @return whether it ended so, before its time
     */
    boolean until(Duration time, Predicate<Window> enough) throws InterruptedException, TrialFailure, LabException {
        long begin = windows.clock().nanos();
        long count = Math.max(1, Math.round((double) time.toNanos() / LoadedTarget.WINDOW.toNanos()));
        for (int i = 1; i <= count; i++) {
            await(begin + time.toNanos() * i / count);
            Window window = windows.next();
            boolean last = enough.test(window);
            if (window.responses() > 0) {
                meanLatency = window.latency().getMean() / 1e9;
            }
            if (firstError.isEmpty()) {
                firstError = window.errors().values().stream()
                        .findFirst()
                        .map(e -> health.answers().message(e.example()));
            }
            each.accept(measuring, new LiveWindow(window, windows.watch()));
            lookAfter();
            silence(window);
            if (last) {
                return true;
            }
        }
        return false;
    }

    private void await(long until) throws InterruptedException {
        while (!windows.await(until) && windows.clock().nanos() < until) {
            // the target is probably gone, which the check after the window will find
            windows.clock()
                    .sleep(Duration.ofNanos(Math.clamp(
                            until - windows.clock().nanos(), 0, windows.tick().toNanos())));
            windows.watch().sample();
        }
    }

    /** Checks that the target and its hooks are alive, under load or not. */
    void lookAfter() throws TrialFailure, LabException, InterruptedException {
        health.target().keepCompilersOn(generator);
        health.check();
        TargetHealth.generator(windows.run().failure());
    }

    /** Checks that answers still come, after a window. */
    void silence(Window window) throws TrialFailure, InterruptedException {
        if (!kept) {
            health.silence(measuring.silentFor(), windows.run().connectionsOpen(), window, windows.watch()::sightings);
        }
    }

    /** Checks that the target has not printed what usually are last words. */
    void words() throws TrialFailure, InterruptedException {
        health.words();
    }

    /** Mean latency of the last window with a response, in seconds; 0 before there is one. */
    double meanLatency() {
        return meanLatency;
    }

    /** The message of the first request that failed. */
    Optional<String> firstError() {
        return firstError;
    }

    /** Ends them: the thread dumps go to the timeline, once. */
    void end() {
        if (!ended) {
            ended = true;
            windows.watch().close();
        }
    }
}
