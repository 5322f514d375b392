package dev.fettle.watch.jvm;

import java.util.Optional;

/** How long a JVM has not answered, so that gaps in its figures have a reason. Not thread-safe. */
final class ResponseGap {
    /** Shorter ones, such as a long collection, are in the figures themselves. */
    private static final long NOTABLE_NANOS = 5_000_000_000L;

    private long all;
    private long since;
    private boolean silent;

    /** It was asked, and has not answered. */
    void waits(long now) {
        since = silent ? since : now;
        silent = true;
    }

    /** It has answered. */
    void heard(long now) {
        all += silent ? now - since : 0;
        silent = false;
    }

    /** Nobody asked it for a while. */
    void gap() {
        silent = false;
    }

    /** A note, if it was silent for long. */
    Optional<String> note(long now) {
        long nanos = all + (silent ? now - since : 0);
        return nanos < NOTABLE_NANOS
                ? Optional.empty()
                : Optional.of(
                        "the JVM did not answer for " + nanos / 1_000_000_000L
                                + " s in all, and its figures have gaps: it was stopped, hung on its way to a safepoint, or got hardly any CPU time");
    }
}
