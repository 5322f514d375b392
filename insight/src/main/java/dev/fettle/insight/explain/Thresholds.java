package dev.fettle.insight.explain;

import dev.fettle.model.rule.Bounds;

/**
 * The shared bounds that explanations, capacity probes and several rules of a diagnosis ask for in code. Their values, and where these come
 * from, are in {@code model/rules/bounds.yaml}; what they were set with: docs/faults.md, and the faults of bench/faults.
 */
public final class Thresholds {
    public static final double CPU_FULL = Bounds.value("cpu-full");
    public static final double CPU_SPARE = Bounds.value("cpu-spare");
    public static final double THREADS_FULL = Bounds.value("threads-full");
    public static final double THREADS_WAITED_FOR = Bounds.value("threads-waited-for");
    public static final double GC_MUCH = Bounds.value("gc-much");
    public static final double GC_NOTABLE = Bounds.value("gc-notable");
    public static final double MOST_OF_A_REQUEST = Bounds.value("most");
    public static final double WAITING_AT_LOCK = Bounds.value("waiting-at-lock");
    public static final double LOCK_THREADS = Bounds.value("lock-threads");
    public static final double THREAD_FULL = Bounds.value("thread-full");
    public static final double MOST_OF_SERVING = Bounds.value("most-of-serving");
    public static final double ERRORS = Bounds.value("errors");
    public static final double RECONNECTS = Bounds.value("reconnects");
    public static final double HEAP_LIVE = Bounds.value("heap-live");
    public static final double CLEAR_GAIN = Bounds.value("clear-gain");
    public static final double CLEAR_GAIN_WHILE_RISING = Bounds.value("clear-gain-while-rising");
    public static final double NO_GAIN = Bounds.value("no-gain");

    private Thresholds() {}
}
