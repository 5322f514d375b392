package dev.fettle.insight.stats;

import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Merges the latency distributions of several trials. Histograms are added up; percentiles are never averaged, since the mean
 * of two p99s is not a p99.
 */
public final class Latencies {
    private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.9, 99.99};

    private Latencies() {}

    /**
     * The distribution over all trials. A trial without a histogram counts only if it is the only one.
     *
     * @throws IllegalArgumentException if a histogram can't be read
     */
    public static LatencySummary merged(List<Measurement> trials) {
        if (trials.size() == 1 && trials.getFirst().histogram().isBlank()) {
            return trials.getFirst().latency();
        }
        var sum = new Histogram(3);
        sum.setAutoResize(true);
        for (Measurement m : trials) {
            if (!m.histogram().isBlank()) {
                sum.add(decode(m.histogram()));
            }
        }
        return summary(sum);
    }

    /**
     * How long a trial's valid answers took, each of them; empty if that is not known, or if there were none.
     *
     * @throws IllegalArgumentException if the histogram can't be read
     */
    public static Optional<Spread> spread(Measurement m) {
        return m.histogram().isBlank()
                ? Optional.empty()
                : Optional.of(decode(m.histogram()))
                        .filter(h -> h.getTotalCount() > 0)
                        .map(Spread::new);
    }

    /** How long answers took, each of them. */
    public static final class Spread {
        private final Histogram histogram;

        private Spread(Histogram histogram) {
            this.histogram = histogram;
        }

        /** How many there are. */
        public long count() {
            return histogram.getTotalCount();
        }

        /** The share of them that took from {@code from} to {@code to} nanoseconds, both included. */
        public double share(long from, long to) {
            return (double) histogram.getCountBetweenValues(from, to) / count();
        }
    }

    /** A histogram from its base64 form. */
    static Histogram decode(String base64) {
        try {
            var bytes = ByteBuffer.wrap(Base64.getMimeDecoder().decode(base64));
            return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("not an HdrHistogram in compressed V2 form: " + e.getMessage(), e);
        }
    }

    /** Summarises a histogram of nanoseconds. */
    public static LatencySummary summary(Histogram h) {
        if (h.getTotalCount() == 0) {
            return LatencySummary.NONE;
        }
        // all in one pass: the histogram has some ten thousand counters, and would go through them for each figure
        long[] at = new long[PERCENTILES.length];
        int next = 0;
        double sum = 0;
        for (HistogramIterationValue v : h.recordedValues()) {
            sum += h.medianEquivalentValue(v.getValueIteratedTo()) * v.getCountAtValueIteratedTo();
            while (next < at.length && v.getTotalCountToThisValue() >= rank(PERCENTILES[next], h.getTotalCount())) {
                at[next++] = v.getValueIteratedTo();
            }
        }
        return new LatencySummary(
                h.getTotalCount(),
                sum / h.getTotalCount(),
                at[0],
                at[1],
                at[2],
                at[3],
                at[4],
                at[5],
                at[6],
                h.getMaxValue());
    }

    /** How many values lie at or below a percentile, as {@link Histogram#getValueAtPercentile} counts them. */
    private static long rank(double percentile, long count) {
        return Math.max(1, (long) Math.ceil(Math.nextDown(percentile) * count / 100));
    }
}
