package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** A figure by which a gate compares two builds of one program. */
public enum GateMetric {
    /** Valid responses per second of a closed load. */
    THROUGHPUT("throughput", "throughput", false, 0.03),
    /** Median latency at a fixed rate. */
    P50("p50", "p50", true, 0.05),
    /** 99th percentile of the latency at a fixed rate. */
    P99("p99", "p99", true, 0.1),
    /** Failed requests, a share of all; what is allowed is a difference of two shares. */
    ERRORS("errors", "errors", true, 0.001),
    /** CPU time of the process per request, without the JVM's compilers. */
    CPU("cpu", "CPU per request", true, 0.03),
    /** Bytes that the JVM's threads allocate per request. */
    ALLOCATION("allocation", "allocation per request", true, 0.05),
    /** Heap that is left after a collection. */
    MEMORY("memory", "memory after GC", true, 0.1),
    /** From the launch of the process to its first right answer. */
    START("start", "time to first answer", true, 0.1);

    private final String id;
    private final String label;
    private final boolean low;
    private final double allowed;

    GateMetric(String id, String label, boolean low, double allowed) {
        this.id = id;
        this.label = label;
        this.low = low;
        this.allowed = allowed;
    }

    /** Its name in options and JSON. */
    @JsonValue
    public String id() {
        return id;
    }

    /** Its name in sentences. */
    public String label() {
        return label;
    }

    /** Whether less is better. */
    public boolean low() {
        return low;
    }

    /** The loss that is allowed if nothing else is asked for: a share of the base's figure, or a difference of shares for errors. */
    public double allowed() {
        return allowed;
    }

    /** Whether it is known only of a closed load. */
    private boolean ofClosedLoads() {
        return this == THROUGHPUT;
    }

    /** Whether it is known only of a load at a rate: of a closed one, latency says the same as throughput. */
    private boolean ofRates() {
        return this == P50 || this == P99;
    }

    /** Whether it tells anything of a load. */
    public boolean fits(boolean open) {
        return open ? !ofClosedLoads() : !ofRates();
    }

    /** Whether a gate can't pass without an answer by it, unless it is asked otherwise. The others may only find a loss. */
    public boolean decides() {
        return this == THROUGHPUT || ofRates() || this == ERRORS || this == CPU;
    }

    /** Whether a loss that is allowed without a name is its: what requests cost and how fast they are on average. */
    public boolean takesTheGeneral() {
        return this == THROUGHPUT || this == P50 || this == CPU;
    }

    /**
     * Its part of an error that several metrics share: those that decide have four times that of others, and of errors.
     *
     * @param decides whether it does
     */
    public double weight(boolean decides) {
        return decides && this != ERRORS ? 4 : 1;
    }

    /** The one with this name. */
    public static Optional<GateMetric> named(String id) {
        return Arrays.stream(values()).filter(m -> m.id.equals(id)).findFirst();
    }

    @JsonCreator
    static GateMetric read(String id) {
        return named(id).orElseThrow(() -> new IllegalArgumentException("no metric of a gate: " + id));
    }
}
