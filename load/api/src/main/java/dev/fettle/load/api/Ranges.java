package dev.fettle.load.api;

import java.time.Duration;

/** Argument checks whose messages say what would be right. */
public final class Ranges {

    private Ranges() {}

    public static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be from " + min + " to " + max + ", was " + value);
        }
    }

    public static void range(String what, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(what + " must be from " + min + " to " + max + ", was " + value);
        }
    }
}
