package dev.fettle.model.plan;

import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a capacity search.
 *
 * @param from the first rate, arrivals a second; empty: guessed from the warm-up
 * @param probe how long a probe measures, 500 ms or more
 * @param precision wanted half width of the limit's interval, as a share of the rate, 0.002 to 0.5
 * @param confirmations fresh probes that must meet the SLO, 1 to 20
 * @param budget time for the search
 * @param poisson whether arrivals are independent instead of evenly spaced
 * @param seed of independent arrivals
 * @param search whether to search; false if the spike's base rate is given
 * @param spike a spike to try afterwards
 * @param hold how long a confirmation measures, as long as a probe or longer
 * @param launches number of fresh processes, each searched with the whole budget, one after the other; 1 or more
 */
public record CapacityOptions(
        Slo slo,
        OptionalFigure from,
        Duration probe,
        double precision,
        int confirmations,
        Duration budget,
        boolean poisson,
        long seed,
        boolean search,
        Optional<Spike> spike,
        int launches,
        Duration hold) {

    /**
     * A spike of load.
     *
     * @param factor its rate relative to the reference rate, above 1
     * @param reference arrivals per second; empty: the capacity found
     * @param base the load before and after, as a share of the reference rate
     * @param length of the spike
     * @param watch longest time to watch the recovery
     */
    public record Spike(double factor, OptionalFigure reference, double base, Duration length, Duration watch) {}
}
