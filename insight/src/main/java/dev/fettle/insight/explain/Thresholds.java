package dev.fettle.insight.explain;

/**
 * All thresholds in one place, used to explain a trial, to say why a capacity probe failed, and to diagnose a server. What
 * they were set with: docs/faults.md, and the faults of bench/faults.
 */
public final class Thresholds {
    /** CPU use from which the CPU is called full. */
    public static final double CPU_FULL = 0.9;

    /** Below this, busy threads are waiting rather than computing. */
    public static final double CPU_SPARE = 0.85;

    /** From this share on, all threads count as busy: samples sometimes catch one between two requests. */
    public static final double THREADS_FULL = 0.95;

    /** The same where the pool's own queue is never empty. */
    public static final double THREADS_WAITED_FOR = 0.8;

    /** Share of time in garbage collection that is too much (JMC's "warning"). */
    public static final double GC_MUCH = 0.1;

    /** Share of time in garbage collection that is worth a mention (JMC's "info"). */
    public static final double GC_NOTABLE = 0.05;

    /** A cause must explain this share of a request's time to be the limit. */
    public static final double MOST_OF_A_REQUEST = 0.5;

    /** Share of the busy threads that stand at a lock from which it is the limit: more than one in front of it. */
    public static final double WAITING_AT_LOCK = 0.3;

    /** Lock waits are worth a mention from here on: one thread of all on average (one thread-second a second). */
    public static final double LOCK_THREADS = 1;

    /** Share of the CPU quota's periods in which the target was held back ("fail" at 25 %). */
    public static final double THROTTLED = 0.05;

    /** From this share of the periods on a quota is named whether the target's CPUs are full on the whole or not. */
    public static final double THROTTLED_OFTEN = 0.25;

    /** One thread's share of one CPU from which it is full. */
    public static final double THREAD_FULL = 0.9;

    /** A thread that takes this share of the CPU time of all serving threads is where requests spend it. */
    public static final double MOST_OF_SERVING = 0.5;

    /** Share of failed requests that is worth a mention. */
    public static final double ERRORS = 0.001;

    /** Share of failed requests that is the finding, whatever else is full. */
    public static final double ERRORS_MANY = 0.01;

    /** Connections that the server closed, over its answers, on a keep-alive load. */
    public static final double RECONNECTS = 0.1;

    /** Connections in CLOSE_WAIT over the established ones. */
    public static final double CLOSE_WAIT_SHARE = 0.05;

    /** Fewest connections in CLOSE_WAIT that count. */
    public static final double CLOSE_WAIT_LEAST = 100;

    /** Open file descriptors over their limit. */
    public static final double FDS = 0.8;

    /** Live heap over the largest heap. */
    public static final double HEAP_LIVE = 0.7;

    /** System.gc() calls a minute. */
    public static final double EXPLICIT_GC_PER_MINUTE = 1;

    /** A test with at least this gain confirms; trials of one setting differ by less. */
    public static final double CLEAR_GAIN = 1.2;

    /** The gain that confirms where throughput was still rising in the trials: what one of them gained may be its warm-up. */
    public static final double CLEAR_GAIN_WHILE_RISING = 1.5;

    /** A test with less than this gain refutes. */
    public static final double NO_GAIN = 1.1;

    private Thresholds() {}
}
