package dev.fettle.load;

/**
 * What one engine thread used in a window.
 *
 * @param thread its number, from 0
 * @param cpuNanos CPU time, user and system
 * @param spinNanos the part of it that was spent waiting awake, for precision: the time of a due request is met to some
 *     microseconds, where a sleep is right to a millisecond only
 * @param wallNanos elapsed time, pauses of the load left out
 */
public record EngineThreadUse(int thread, long cpuNanos, long spinNanos, long wallNanos) {

    /** Share of one core that it worked for, waiting left out, from 0 to about 1; 0 for an empty span. */
    public double cpuShare() {
        return wallNanos <= 0 ? 0 : (double) Math.max(0, cpuNanos - spinNanos) / wallNanos;
    }

    EngineThreadUse plus(EngineThreadUse later) {
        return new EngineThreadUse(
                thread, cpuNanos + later.cpuNanos, spinNanos + later.spinNanos, wallNanos + later.wallNanos);
    }
}
