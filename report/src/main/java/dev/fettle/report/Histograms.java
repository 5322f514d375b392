package dev.fettle.report;

import dev.fettle.model.trial.Measurement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Reads the latency histograms of measurements. An unreadable histogram is left out. */
public final class Histograms {
    /** A point of a percentile curve. */
    public record Point(double percentile, double millis) {}

    /** The percentiles that people know from ab and wrk. */
    public static final List<Double> FAMILIAR =
            List.of(50.0, 66.0, 75.0, 80.0, 90.0, 95.0, 98.0, 99.0, 99.9, 99.99, 100.0);

    private Histograms() {}

    /** The histogram in nanoseconds; empty if missing or damaged. */
    public static Optional<Histogram> decode(Measurement m) {
        return decode(m.histogram());
    }

    /** Decodes a histogram from base64; empty if missing or damaged. */
    public static Optional<Histogram> decode(String base64) {
        if (base64.isBlank()) {
            return Optional.empty();
        }
        try {
            var bytes = ByteBuffer.wrap(Base64.getMimeDecoder().decode(base64));
            return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
        } catch (DataFormatException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Merges all measurements into one distribution; empty if none can be read or nothing was recorded. */
    public static Optional<Histogram> merge(Collection<Measurement> measurements) {
        var all = measurements.stream()
                .map(Histograms::decode)
                .flatMap(Optional::stream)
                .toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        var sum = new Histogram(all.getFirst());
        sum.reset();
        sum.setAutoResize(true);
        all.forEach(sum::add);
        return sum.getTotalCount() == 0 ? Optional.empty() : Optional.of(sum);
    }

    /**
     * A curve evenly spaced on the scale 1/(1-p): from the minimum to the last percentile backed by at least two values, then
     * the maximum.
     */
    public static List<Point> curve(Histogram h) {
        var points = new ArrayList<Point>();
        double last = Math.max(2, h.getTotalCount() / 2.0);
        int steps = 12;
        for (int i = 0; Math.pow(10, i / (double) steps) <= last; i++) {
            double percentile = 100 * (1 - Math.pow(10, -i / (double) steps));
            points.add(new Point(percentile, h.getValueAtPercentile(percentile) / 1e6));
        }
        points.add(new Point(100 * (1 - 1 / (2 * last)), h.getMaxValue() / 1e6));
        return points;
    }
}
