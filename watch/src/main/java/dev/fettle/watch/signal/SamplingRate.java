package dev.fettle.watch.signal;

import java.util.Optional;

/**
 * Limits the rate of samples that cost CPU time: they take at most a share of one CPU, but are at most a given interval apart. What
 * counts is the CPU time of the side that pays, the target or the sampling thread: on a busy machine that is much less than the
 * time a sample took. Not thread-safe.
 */
public final class SamplingRate {
    /** Share of one CPU that reading the target's MBeans may take, on both sides together. */
    public static final double SHARE = 0.001;

    /** Share of one CPU that reading what the target's workers do may take: the figure that is read most often and changes fastest. */
    public static final double STACKS_SHARE = 0.0015;

    /**
     * Share of one CPU, not the target's, that reading the CPU time of the target's threads may take: bursts of half a second, and who
     * they belong to, show only in looks that are at most a second apart.
     */
    public static final double THREADS_SHARE = 0.0015;

    /**
     * Share of one CPU, not the target's, that reading the target's sockets may take: connections that pile up make each sample more
     * expensive, and are what it watches for.
     */
    public static final double SOCKETS_SHARE = 0.001;

    /**
     * Share of one CPU, not the target's, that reading one other kind of the kernel's files may take; there are eight.
     */
    public static final double HOST_SHARE = 0.0004;

    /** A longer pause would leave too few looks in a short trial. */
    static final double LONGEST_SECONDS = 2;

    /** But no look into the JVM uses more than this share of a CPU: with ten thousand threads there are fewer looks. */
    static final double MOST = 0.01;

    /** For reading files: with thousands of threads or sockets a look is very expensive. */
    static final double LONGEST_HOST_SECONDS = 30;

    /** The first looks run uncompiled code, so their cost says little about later ones. */
    private static final int COLD = 4;

    /** Longest pause after one of those. */
    private static final double COLD_SECONDS = 1;

    /**
     * Longest pause between the first two looks after a rest, as a slice of a pair is hardly longer than a second. It costs no more
     * than the share, as there is no look while it rests.
     */
    private static final double FIRST_SECONDS = 0.5;

    /** Longer pauses are reported to the user. */
    private static final double NOTABLE_SECONDS = 2.5;

    private final String what;
    private final double share;
    private final double longestSeconds;

    /** Who asks whether a look is due may be another thread than the one that looks. */
    private volatile long next;

    private volatile boolean begun;

    private volatile boolean rested;
    private int looks;
    private volatile double lastPause;

    private SamplingRate(String what, double share, double longestSeconds) {
        this.what = what;
        this.share = share;
        this.longestSeconds = longestSeconds;
    }

    /**
     * For looks that the target pays for.
     *
     * @param what is looked at, for the note: {@code stacks}
     */
    public static SamplingRate ofTarget(String what) {
        return new SamplingRate(what, SHARE, LONGEST_SECONDS);
    }

    /** For looks at what workers do, which the target pays for. */
    public static SamplingRate ofStacks() {
        return new SamplingRate("stacks", STACKS_SHARE, LONGEST_SECONDS);
    }

    /**
     * For looks that only the looking thread pays for.
     *
     * @param what is looked at, for the note: {@code open files}
     */
    public static SamplingRate fromOutside(String what) {
        return new SamplingRate(what, HOST_SHARE, LONGEST_HOST_SECONDS);
    }

    /** For looks at the target's sockets. */
    public static SamplingRate ofSockets() {
        return new SamplingRate("sockets", SOCKETS_SHARE, LONGEST_HOST_SECONDS);
    }

    /** For looks at the CPU time of the target's threads. */
    public static SamplingRate ofThreads() {
        return new SamplingRate("threads' CPU time", THREADS_SHARE, LONGEST_HOST_SECONDS);
    }

    /** Whether a look may be taken now. */
    public boolean due(long nanos) {
        return !begun || nanos - next >= 0;
    }

    /**
     * Records a look. The first one loads classes, so the next follows at once.
     *
     * @param begin when it began: the pause is from one look's start to the next one's
     * @param cpuNanos CPU time that it took
     */
    public void looked(long begin, long cpuNanos) {
        double atMost = looks == 0 ? 0 : looks < COLD ? COLD_SECONDS : longestSeconds;
        double cost = Math.max(0, cpuNanos) / 1e9;
        double pause = Math.min(cost / share, atMost);
        if (looks >= COLD) {
            pause = Math.max(pause, Math.min(cost / MOST, LONGEST_HOST_SECONDS));
        }
        lastPause = pause;
        next = begin + (long) ((rested ? Math.min(pause, FIRST_SECONDS) : pause) * 1e9);
        rested = false;
        looks++;
        begun = true;
    }

    /** The load has rested: two looks follow soon, unless they are too expensive for that. */
    public void rested() {
        if (lastPause <= LONGEST_SECONDS) {
            begun = false;
            rested = true;
        }
    }

    /** What is looked at less often than a reader would expect. */
    public Optional<Slowed> slowed() {
        return lastPause < NOTABLE_SECONDS ? Optional.empty() : Optional.of(new Slowed(what, lastPause));
    }

    /**
     * Something read less often because reading it is expensive.
     *
     * @param what {@code threads}, {@code sockets}
     * @param seconds pause after the last look
     */
    public record Slowed(String what, double seconds) {}
}
