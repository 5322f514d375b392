package dev.fettle.report.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A histogram of times with buckets that grow by the same factor, 2<sup>2<sup>-scale</sup></sup>, as
 * <a href="https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram">OpenTelemetry</a> has it: bucket i holds what lies
 * above the factor to the power of i, up to that to the power of i + 1. The scale is the highest with {@value #MOST} buckets at most.
 *
 * @param zero how many are zero
 * @param offset of the first bucket
 * @param counts of the buckets, from the offset on
 * @param sum in seconds, as are least and greatest
 */
record ExponentialBuckets(
        int scale, long zero, int offset, List<Long> counts, long count, double sum, double min, double max) {
    /** As many as OpenTelemetry's own libraries use. */
    static final int MOST = 160;

    /** A factor of 1.003: more than the histogram itself knows. */
    private static final int FINEST = 8;

    private static final int COARSEST = -10;
    private static final double NANOS = 1e9;

    ExponentialBuckets {
        counts = List.copyOf(counts);
    }

    static ExponentialBuckets of(Histogram nanos) {
        long all = nanos.getTotalCount();
        long zero = nanos.getCountAtValue(0);
        if (all == zero) {
            return new ExponentialBuckets(0, zero, 0, List.of(), all, 0, 0, 0);
        }
        double least = nanos.getMinNonZeroValue() / NANOS;
        double most = nanos.getMaxValue() / NANOS;
        int scale = FINEST;
        while (scale > COARSEST && index(most, scale) - index(least, scale) >= MOST) {
            scale--;
        }
        int offset = index(least, scale);
        var counts = new ArrayList<Long>(Collections.nCopies(index(most, scale) - offset + 1, 0L));
        for (HistogramIterationValue v : nanos.recordedValues()) {
            double middle = nanos.medianEquivalentValue(v.getValueIteratedTo()) / NANOS;
            if (!isZero(nanos, v)) {
                int at = Math.clamp(index(middle, scale) - offset, 0, counts.size() - 1);
                counts.set(at, counts.get(at) + v.getCountAddedInThisIterationStep());
            }
        }
        return new ExponentialBuckets(
                scale, zero, offset, counts, all, nanos.getMean() * all / NANOS, nanos.getMinValue() / NANOS, most);
    }

    /** Whether it is the histogram's own first bucket, which holds zero. */
    private static boolean isZero(Histogram nanos, HistogramIterationValue v) {
        return nanos.lowestEquivalentValue(v.getValueIteratedTo()) == 0;
    }

    private static int index(double seconds, int scale) {
        return (int) Math.ceil(Math.scalb(Math.log(seconds) / Math.log(2), scale)) - 1;
    }
}
