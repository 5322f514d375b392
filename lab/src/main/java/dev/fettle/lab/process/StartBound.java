package dev.fettle.lab.process;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How long a program may take until it is ready: a minute. On a slow or busy machine up to five minutes, as long as it
 * still uses CPU time. Not thread-safe.
 */
final class StartBound {
    private static final Duration FIRST = Duration.ofSeconds(50);
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    /** CPU time in one step that shows a program is still starting; a hung one uses less for housekeeping. */
    private static final Duration COMPUTES = Duration.ofMillis(200);

    private Duration next = FIRST;
    private Duration cpuBefore = Duration.ZERO;

    /**
     * Whether its time is up.
     *
     * @param elapsed since its start
     * @param cpu supplies the CPU time it has used; called now and then
     */
    boolean over(Duration elapsed, Supplier<Duration> cpu) {
        if (elapsed.compareTo(next) < 0) {
            return false;
        }
        Duration used = cpu.get();
        boolean first = next.equals(FIRST);
        boolean computes = used.minus(cpuBefore).compareTo(COMPUTES) >= 0;
        if (elapsed.compareTo(AT_MOST) >= 0 || !first && !computes) {
            return true;
        }
        cpuBefore = used;
        next = elapsed.plus(STEP);
        return false;
    }
}
