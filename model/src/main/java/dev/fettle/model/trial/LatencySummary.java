package dev.fettle.model.trial;

/**
 * A latency distribution in numbers, all in nanoseconds.
 *
 * @param count values recorded; with 0 every other figure is 0
 */
public record LatencySummary(
        long count, double mean, long p50, long p75, long p90, long p95, long p99, long p999, long p9999, long max) {
    public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
