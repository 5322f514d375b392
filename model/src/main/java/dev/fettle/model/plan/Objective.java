package dev.fettle.model.plan;

import dev.fettle.model.load.Arrivals;
import java.time.Duration;
import java.util.Optional;

/**
 * What to maximise, subject to limits (the SLO).
 *
 * @param metric what is maximised or minimised
 * @param p99AtMost limit on the 99th percentile of latency
 * @param errorsAtMost limit on the share of failed requests, 0 to 1
 */
public record Objective(Metric metric, Optional<Duration> p99AtMost, double errorsAtMost) {

    /** Metrics an objective can name. */
    public enum Metric {
        /** Valid responses per second: more is better. */
        THROUGHPUT,
        /** 99th percentile of latency: less is better. */
        P99
    }

    /** Maximise throughput, errors at most 0.1 %. */
    public static final Objective DEFAULT = new Objective(Metric.THROUGHPUT, Optional.empty(), 0.001);

    /**
     * The default objective of a plan: throughput, or p99 with an open load, whose throughput is the offered rate whatever the
     * setting.
     */
    public static Objective unnamed(Arrivals arrivals) {
        return arrivals instanceof Arrivals.Open
                ? new Objective(Metric.P99, DEFAULT.p99AtMost(), DEFAULT.errorsAtMost())
                : DEFAULT;
    }
}
