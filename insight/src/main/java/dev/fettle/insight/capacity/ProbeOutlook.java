package dev.fettle.insight.capacity;

import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Condition.Metric;
import dev.fettle.model.plan.Condition.Unit;
import dev.fettle.model.plan.Slo;
import org.HdrHistogram.Histogram;

/**
 * Whether a running probe can still meet its SLO. A percentile is lost once more responses were late than may be late
 * in the whole probe. No later ones can make up for that, so the rest of the probe would only add to the queue.
 */
public final class ProbeOutlook {
    /** Margin on the number of arrivals, in standard deviations of a Poisson count. */
    private static final double SPARE = 5;

    private ProbeOutlook() {}

    /**
     * Whether the SLO is broken whatever comes.
     *
     * @param rate arrivals per second
     * @param each the most requests of an arrival
     * @param seconds of the whole probe, settling included: no more requests can be answered than arrive in that time
     * @param latency of the valid responses measured so far
     * @param failed attempts so far
     */
    public static boolean isLost(Slo slo, double rate, int each, double seconds, Histogram latency, long failed) {
        double due = rate * seconds;
        double most = each * (due + SPARE * Math.sqrt(due) + 1);
        return slo.quality().all().stream().anyMatch(c -> isLost(c, most, latency, failed));
    }

    private static boolean isLost(Condition c, double most, Histogram latency, long failed) {
        if (c.metric() == Metric.ERRORS) {
            return failed > c.bound() * most + 1;
        }
        if (c.metric().unit() != Unit.NANOS || c.metric() == Metric.MEAN) {
            return false;
        }
        long inTime = latency.getTotalCount() == 0 ? 0 : latency.getCountBetweenValues(0, (long) c.bound());
        // plus one, because a percentile is rounded to a whole response
        return latency.getTotalCount() - inTime > (1 - c.metric().percentile() / 100) * most + 1;
    }
}
