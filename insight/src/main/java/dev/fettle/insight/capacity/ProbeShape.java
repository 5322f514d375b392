package dev.fettle.insight.capacity;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.List;

/**
 * What a probe offers, and how long its answers are awaited.
 *
 * @param settle offered, but not measured
 * @param measure measured
 * @param poisson whether arrivals are independent instead of evenly spaced
 */
record ProbeShape(Duration settle, Duration measure, boolean poisson) {
    /** In the first half of settling, the rate climbs from this share: an abrupt start is a burst unlike any later second. */
    private static final double CLIMBS_FROM = 0.1;

    private static final Duration LEAST_DRAIN = Duration.ofMillis(500);

    /**
     * The open load at a rate.
     *
     * @param seed another one for each probe, so that a repeat repeats the load but not its luck
     */
    Load at(double rate, Load load, long seed) {
        Duration climb = settle.dividedBy(2);
        var stages = List.of(
                new Stage(CLIMBS_FROM * rate, rate, climb, 1),
                new Stage(rate, rate, settle.minus(climb).plus(measure), 1));
        return load.withArrivals(new Arrivals.Open(stages, poisson, seed));
    }

    /** How long a load of this shape is measured; 0 if it has another. */
    static Duration measured(Load load) {
        return load.arrivals() instanceof Arrivals.Open open && open.stages().size() == 2
                ? open.stages()
                        .getLast()
                        .length()
                        .minus(open.stages().getFirst().length())
                : Duration.ZERO;
    }

    /** Twice the longest latency that the SLO names: anything slower has broken it. */
    static Duration drain(Slo slo, Duration timeout) {
        Duration twice = Duration.ofNanos(2 * (long) slo.longestLatency().orElse(5e8));
        Duration drain = twice.compareTo(LEAST_DRAIN) < 0 ? LEAST_DRAIN : twice;
        return drain.compareTo(timeout) > 0 ? timeout : drain;
    }
}
