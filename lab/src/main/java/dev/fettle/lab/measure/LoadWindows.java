package dev.fettle.lab.measure;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import java.time.Duration;

/**
 * The windows of one load, of a trial, a probe or a bench. The host is watched while waiting for a window, and each window is shown to
 * the watch.
 *
 * @param tick time from one sample of the host and the target to the next
 */
record LoadWindows(LoadRun run, WatchPort watch, Duration tick, Clock clock) {
    /**
     * Waits, and samples at every tick.
     *
     * @param nanos until this time of the clock
     * @return false if the load ended before that
     */
    boolean await(long nanos) throws InterruptedException {
        long left = nanos - clock.nanos();
        do {
            if (run.awaitDone(Duration.ofNanos(Math.clamp(left, 0, tick.toNanos())))) {
                return false;
            }
            watch.sample();
            left = nanos - clock.nanos();
        } while (left > 0);
        return true;
    }

    /** The window since the last one. */
    Window next() {
        Window window = run.takeWindow();
        watch.window(window);
        return window;
    }
}
