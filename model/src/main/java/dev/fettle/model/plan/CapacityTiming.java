package dev.fettle.model.plan;

import java.time.Duration;

/**
 * How a trial's measuring time is divided if the objective is capacity: a look at what all clients of the closed load get, probes
 * at different rates, and the same look again. All parts grow with the measuring time, so there are always about as many probes,
 * and the time of a trial is known before its rates are.
 *
 * @param look length of each look
 * @param search time for all probes together, with what is between them
 * @param probe how long a probe measures
 * @param settle how long a probe offers its rate before it measures
 */
public record CapacityTiming(Duration look, Duration search, Duration probe, Duration settle) {
    /** The measuring time of a plan that names none. */
    public static final Duration USUAL = Duration.ofSeconds(30);

    private static final Duration LEAST = Duration.ofSeconds(15);
    private static final int LOOKS_PART = 10;
    /** Probes that the search's time would hold without anything between them; about seven are made. */
    private static final int PROBES = 12;
    /** A probe lasts at least this many times as long as the longest latency of the SLO: queues take time to grow. */
    private static final int LATENCIES = 4;

    private static final int SETTLE_PART = 4;

    /** The parts of a measuring time. */
    public static CapacityTiming of(Duration measure) {
        Duration look = measure.dividedBy(LOOKS_PART);
        Duration search = measure.minus(look.multipliedBy(2));
        Duration probe = search.dividedBy(PROBES);
        return new CapacityTiming(look, search, probe, probe.dividedBy(SETTLE_PART));
    }

    /** The shortest measuring time in which an SLO can be judged. */
    public static Duration least(Slo slo) {
        double latency = slo.longestLatency().orElse(0) * LATENCIES * PROBES * LOOKS_PART / (LOOKS_PART - 2);
        Duration needed = Duration.ofSeconds((long) Math.ceil(latency / 1e9));
        return needed.compareTo(LEAST) > 0 ? needed : LEAST;
    }
}
