package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fettle.load.api.Arrivals;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What to maximise or minimise, subject to limits (the SLO).
 *
 * @param metric what is maximised or minimised
 * @param against a second metric, if the trade-off between the two is asked for: what one costs in the other
 * @param p99AtMost limit on the 99th percentile of latency
 * @param errorsAtMost limit on the share of failed requests, 0 to 1
 * @param latencies limits on other figures of latency, from the plan's SLO
 */
public record Objective(
        Metric metric,
        Optional<Metric> against,
        Optional<Duration> p99AtMost,
        double errorsAtMost,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Condition> latencies) {
    public Objective {
        latencies = List.copyOf(Objects.requireNonNullElse(latencies, List.of())); // none are not written
    }

    /** One metric alone. */
    public Objective(Metric metric, Optional<Duration> p99AtMost, double errorsAtMost) {
        this(metric, Optional.empty(), p99AtMost, errorsAtMost, List.of());
    }

    /** Metrics an objective can name. */
    public enum Metric {
        /** Valid responses per second. */
        THROUGHPUT("throughput", "throughput", false),
        /**
         * The highest rate of an open load at which the SLO is met, arrivals per second: each trial searches for it with a
         * few probes. The rate is the one that a probe survives with an even chance.
         */
        CAPACITY("capacity", "capacity", false),
        /** 99th percentile of latency. */
        P99("p99", "p99", true),
        /**
         * CPU seconds, user and system, that the target's process used per request that reached it; without the CPU
         * time of the JVM's compilers, which belongs to the warm-up.
         */
        CPU_PER_REQUEST("cpu-per-request", "CPU time per request", true),
        /**
         * Memory of the target's process that is in RAM (resident set), bytes, mean over the measured time: heap as far
         * as it was touched, code, stacks, direct buffers.
         */
        MEMORY("memory", "resident memory", true);

        private final String id;
        private final String words;
        private final boolean low;

        Metric(String id, String words, boolean low) {
            this.id = id;
            this.words = words;
            this.low = low;
        }

        /** Its name in a plan. */
        public String id() {
            return id;
        }

        /** Its name in a sentence, without an article. */
        public String words() {
            return words;
        }

        /** Whether less is better. */
        public boolean low() {
            return low;
        }

        /**
         * Whether it is a figure of the target's process, which must then be on this machine; otherwise of its answers.
         */
        public boolean ofProcess() {
            return this == CPU_PER_REQUEST || this == MEMORY;
        }
    }

    /** Maximise throughput, errors at most 0.1 %. */
    public static final Objective DEFAULT = new Objective(Metric.THROUGHPUT, Optional.empty(), 0.001);

    /** The other metric as an objective within the same limits. */
    public Optional<Objective> other() {
        return against.map(m -> new Objective(m, Optional.empty(), p99AtMost, errorsAtMost, latencies));
    }

    /** Whether it has a limit on a latency. */
    public boolean limitsLatency() {
        return p99AtMost.isPresent() || !latencies.isEmpty();
    }

    /**
     * This objective as it applies to what a trial measured. Capacity has its limits inside: each rate that counts met the SLO, and
     * what the clients of the closed load got next to it need not.
     */
    public Objective ofTrials() {
        return metric == Metric.CAPACITY ? new Objective(metric, Optional.empty(), 1) : this;
    }

    /**
     * The default objective of a plan: throughput, or p99 with an open load, whose throughput is the offered rate
     * whatever the setting. Its limits on latency and errors are those of the plan's SLO, if it has one.
     */
    public static Objective unnamed(Arrivals arrivals, Optional<Slo> slo) {
        return new Objective(
                arrivals instanceof Arrivals.Open ? Metric.P99 : Metric.THROUGHPUT,
                Optional.empty(),
                slo.flatMap(s -> s.atMost(Condition.Metric.P99)).map(ns -> Duration.ofNanos(Math.round(ns))),
                slo.flatMap(s -> s.atMost(Condition.Metric.ERRORS)).orElse(DEFAULT.errorsAtMost()),
                slo.stream()
                        .flatMap(s -> s.conditions().all().stream())
                        .filter(c -> c.metric().unit() == Condition.Unit.NANOS && c.metric() != Condition.Metric.P99)
                        .toList());
    }
}
