package dev.fettle.bench.truth;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** What the server did since the last reset: its response times, and how far it missed its own due times. */
final class TruthRecord {

    private static final long LONGEST = 600_000_000_000L;

    private final Histogram times = new Histogram(LONGEST, 3);
    private final Histogram misses = new Histogram(LONGEST, 3);
    private long skip;
    private long from = Long.MAX_VALUE;

    /** @param skipNanos requests this soon after the first one are not counted: a generator's warm-up */
    void reset(long skipNanos) {
        times.reset();
        misses.reset();
        skip = skipNanos;
        from = Long.MAX_VALUE;
    }

    void answered(long arrival, long due, long sent) {
        if (from == Long.MAX_VALUE) {
            from = arrival + skip;
        }
        if (arrival >= from) {
            times.recordValue(Math.min(LONGEST, sent - arrival));
            misses.recordValue(Math.min(LONGEST, Math.max(0, sent - due)));
        }
    }

    /** In milliseconds, as JSON. */
    String json() {
        return quantiles(times, "") + ", " + quantiles(misses, "miss");
    }

    static String quantiles(Histogram h, String prefix) {
        return String.format(
                Locale.ROOT,
                "\"%1$scount\": %2$d, \"%1$sp50\": %3$.4f, \"%1$sp99\": %4$.4f, \"%1$sp999\": %5$.4f, \"%1$smax\": %6$.4f",
                prefix,
                h.getTotalCount(),
                h.getValueAtPercentile(50) / 1e6,
                h.getValueAtPercentile(99) / 1e6,
                h.getValueAtPercentile(99.9) / 1e6,
                h.getMaxValue() / 1e6);
    }
}
