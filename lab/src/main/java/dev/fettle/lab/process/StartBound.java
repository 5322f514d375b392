package dev.fettle.lab.process;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How long a program may take until it is ready: a minute. On a machine with little time for it, longer: as long as it still
 * computes, up to five minutes. Not thread-safe.
 */
final class StartBound {
    private static final Duration FIRST = Duration.ofSeconds(50);
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    /** CPU time of a step by which a program still starts; one that has hung takes less for its housekeeping. */
    private static final Duration COMPUTES = Duration.ofMillis(200);

    private Duration next = FIRST;
    private Duration cpuBefore = Duration.ZERO;

    /**
     * Whether it has had its time.
     *
     * @param elapsed since its start
     * @param cpu what it has used so far; asked now and then
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
