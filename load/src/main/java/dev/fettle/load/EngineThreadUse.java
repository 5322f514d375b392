package dev.fettle.load;

/**
 * What one engine thread used in a window.
 *
 * @param thread its number, from 0
 * @param cpuNanos CPU time, user and system
 * @param wallNanos elapsed time
 */
public record EngineThreadUse(int thread, long cpuNanos, long wallNanos) {

    /** Share of one core, from 0 to about 1; 0 for an empty span. */
    public double cpuShare() {
        return wallNanos <= 0 ? 0 : (double) cpuNanos / wallNanos;
    }

    EngineThreadUse plus(EngineThreadUse later) {
        return new EngineThreadUse(thread, cpuNanos + later.cpuNanos, wallNanos + later.wallNanos);
    }
}
