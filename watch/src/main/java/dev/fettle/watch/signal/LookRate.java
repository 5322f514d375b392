package dev.fettle.watch.signal;

import java.util.Locale;
import java.util.Optional;

/**
 * Limits how often to look at something that suffers from it: looks take at most {@link #SHARE} of the time, but happen
 * at least every {@link #LONGEST_SECONDS}. A look is timed from outside, including the way there and back and the wait
 * for a CPU, so this is more than what the target loses. Not thread-safe.
 */
public final class LookRate {
    /** Share of the time that looks may take. */
    public static final double SHARE = 0.005;

    /** Share of one CPU, not the target's, that reading one kind of the kernel's files may take; there are four. */
    public static final double HOST_SHARE = 0.0025;

    /** A longer pause would leave too few looks in a short trial. */
    static final double LONGEST_SECONDS = 2;

    /** From this pause on, a note tells the reader. */
    private static final double NOTABLE_SECONDS = 0.5;

    /** The same of looks that are taken every half second at most. */
    private static final double NOTABLE_FROM_OUTSIDE_SECONDS = 2;

    private final String what;
    private final double longestSeconds;
    private long next = Long.MIN_VALUE;
    private double lastSeconds;
    private double longestPause;
    private double notableSeconds = NOTABLE_SECONDS;

    /** @param what is done in a look, for the note: {@code reading the workers' stacks} */
    public LookRate(String what) {
        this(what, LONGEST_SECONDS);
    }

    /** @param longestSeconds pause that is never exceeded, however dear a look is */
    public LookRate(String what, double longestSeconds) {
        this.what = what;
        this.longestSeconds = longestSeconds;
    }

    /** Whether a look may be taken now. */
    public boolean due(long nanos) {
        return next == Long.MIN_VALUE || nanos - next >= 0;
    }

    /**
     * Records a look. The first is not typical, because it loads classes on both sides; so the next follows at once.
     */
    public void looked(long begin, long end) {
        looked(begin, end, (end - begin) / 1e9, SHARE);
    }

    /**
     * Records a look that costs the target nothing but the CPU time of whoever looks.
     *
     * @param cpuNanos CPU time of the looking thread
     * @see #HOST_SHARE
     */
    public void lookedFromOutside(long begin, long end, long cpuNanos) {
        notableSeconds = NOTABLE_FROM_OUTSIDE_SECONDS;
        looked(begin, end, cpuNanos / 1e9, HOST_SHARE);
    }

    private void looked(long begin, long end, double cost, double share) {
        boolean first = next == Long.MIN_VALUE;
        double seconds = (end - begin) / 1e9;
        double pause = first ? 0 : Math.min(cost / share, longestSeconds);
        next = end + (long) (pause * 1e9);
        if (!first) {
            lastSeconds = seconds;
            longestPause = Math.max(longestPause, pause);
        }
    }

    /** A note if the looks have slowed down. */
    public Optional<String> note() {
        return longestPause < notableSeconds
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s took %.0f ms: it was done less often, up to %.1f s apart",
                        what,
                        1000 * lastSeconds,
                        longestPause));
    }
}
