package dev.fettle.insight.stats;

import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Merges the latency distributions of several trials. Histograms are added up; percentiles are never averaged, since the mean
 * of two p99s is not a p99.
 */
public final class Latencies {
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
     * The share of a trial's valid answers that took from {@code from} to {@code to} nanoseconds, both included; empty
     * if their distribution is not known.
     */
    public static OptionalDouble shareBetween(Measurement m, long from, long to) {
        if (m.histogram().isBlank()) {
            return OptionalDouble.empty();
        }
        Histogram h = decode(m.histogram());
        return h.getTotalCount() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) h.getCountBetweenValues(from, to) / h.getTotalCount());
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
        return new LatencySummary(
                h.getTotalCount(),
                h.getMean(),
                h.getValueAtPercentile(50),
                h.getValueAtPercentile(75),
                h.getValueAtPercentile(90),
                h.getValueAtPercentile(95),
                h.getValueAtPercentile(99),
                h.getValueAtPercentile(99.9),
                h.getValueAtPercentile(99.99),
                h.getMaxValue());
    }
}
