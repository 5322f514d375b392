package dev.fettle.load;

/**
 * What one engine thread used in a window.
 *
 * @param thread its number, from 0
 * @param cpuNanos CPU time, user and system
 * @param spinNanos the part of it spent spinning for precision: a due time is met to within microseconds, while a
 *     sleep is only accurate to a millisecond
 * @param wallNanos elapsed time, without pauses of the load
 */
public record EngineThreadUse(int thread, long cpuNanos, long spinNanos, long wallNanos) {

    /** Share of one core that it worked for, without spinning, from 0 to about 1; 0 for an empty span. */
    public double cpuShare() {
        return wallNanos <= 0 ? 0 : (double) Math.max(0, cpuNanos - spinNanos) / wallNanos;
    }

    EngineThreadUse plus(EngineThreadUse later) {
        return new EngineThreadUse(
                thread, cpuNanos + later.cpuNanos, spinNanos + later.spinNanos, wallNanos + later.wallNanos);
    }
}
