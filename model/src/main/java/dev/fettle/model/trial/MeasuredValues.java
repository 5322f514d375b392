package dev.fettle.model.trial;

/**
 * Figures that a plan's {@code Conditions} are checked against. Latencies are of valid responses, in nanoseconds.
 */
public interface MeasuredValues {

    /** Valid responses. */
    long responses();

    /** Latency at a percentile, 0 to 100 (100: the longest); any value if there are no responses. */
    double percentile(double percent);

    /** Mean latency; any value if there are no responses. */
    double mean();

    /** Share of all attempts that failed, were given up, or were due and never sent, 0 to 1. */
    double errorShare();

    /**
     * The share of {@code bad} attempts (failed, given up or never sent) besides this many valid responses; 0 if there
     * are none.
     */
    static double errorShare(long responses, long bad) {
        long all = responses + bad;
        return all == 0 ? 0 : (double) bad / all;
    }

    /** Valid responses per second. */
    double throughput();
}
