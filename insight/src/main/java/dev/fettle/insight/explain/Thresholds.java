package dev.fettle.insight.explain;

/**
 * From where on something counts, in one place: what explains a trial, what says why a capacity probe failed, and what diagnoses a
 * server all ask here. The letters are those of the catalogue of failure modes.
 */
public final class Thresholds {
    /** CPU use from which the CPU is called full (B-33). */
    public static final double CPU_FULL = 0.9;

    /** Below this, busy threads are waiting rather than computing (B-15). */
    public static final double CPU_SPARE = 0.85;

    /** From this share on all threads count as busy: a look now and then catches one between two requests (B-15). */
    public static final double THREADS_FULL = 0.95;

    /** Share of the time in garbage collection from which it is much (B-41; JMC's "warning"). */
    public static final double GC_MUCH = 0.1;

    /** The same for a mention (B-41; JMC's "info"). */
    public static final double GC_NOTABLE = 0.05;

    /** A cause must explain this share of a request's time to be the limit (B-16, B-27). */
    public static final double MOST_OF_A_REQUEST = 0.5;

    /** Share of the busy threads that stand at a lock from which it is the limit: more than one in front of it (B-31). */
    public static final double WAITING_AT_LOCK = 0.3;

    /** Lock waits are worth a mention from here on: one thread of all on average (B-31: one thread-second a second). */
    public static final double LOCK_THREADS = 1;

    /** Share of the CPU quota's periods in which the target was held back (B-36, "fail" at 25 %). */
    public static final double THROTTLED = 0.05;

    /** One thread's share of one CPU from which it is full (B-35). */
    public static final double THREAD_FULL = 0.9;

    /** Failed requests that are worth a word (B-56). */
    public static final double ERRORS = 0.001;

    /** Failed requests that are the finding, whatever else is full. */
    public static final double ERRORS_MANY = 0.01;

    /** Connections that the server closed, over its answers, on a keep-alive load (B-22). */
    public static final double RECONNECTS = 0.1;

    /** Connections in CLOSE_WAIT (B-04), over the established ones, and at least so many. */
    public static final double CLOSE_WAIT_SHARE = 0.05;

    public static final double CLOSE_WAIT_LEAST = 100;

    /** Open file descriptors over their limit (B-07). */
    public static final double FDS = 0.8;

    /** Live heap over the largest heap (B-40). */
    public static final double HEAP_LIVE = 0.7;

    /** System.gc() calls a minute (B-47). */
    public static final double EXPLICIT_GC_PER_MINUTE = 1;

    /** A test confirms from this gain on; trials of the same setting differ by less. */
    public static final double CLEAR_GAIN = 1.2;

    /** And refutes below this one. */
    public static final double NO_GAIN = 1.1;

    private Thresholds() {}
}
