package dev.fettle.report;

import dev.fettle.model.trial.Signal.Unit;
import java.util.Locale;

/** Formats the figures of a timeline for people. */
public final class Quantities {
    private static final double KIBI = 1024;
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Quantities() {}

    /** A unit in words. */
    public static String name(Unit unit) {
        return switch (unit) {
            case COUNT -> "number";
            case CPUS -> "CPUs";
            case SHARE -> "share of the time";
            case MILLIS -> "milliseconds";
            case BYTES -> "bytes";
            case PER_SECOND -> "per second";
            case BYTES_PER_SECOND -> "bytes per second";
        };
    }

    /** A figure with its unit, short: {@code 1.25 CPUs}, {@code 37 %}, {@code 512 MiB/s}; a count has no unit. */
    public static String text(Unit unit, double v) {
        return switch (unit) {
            case COUNT, CPUS -> NumberText.number(v);
            case SHARE -> share(v);
            case MILLIS -> NumberText.millis(Math.round(v * 1e6)) + " ms";
            case BYTES -> bytes(v);
            case PER_SECOND -> NumberText.number(v) + "/s";
            case BYTES_PER_SECOND -> bytes(v) + "/s";
        };
    }

    /** No more digits than a moment has: {@code 3.1 %}, {@code 37 %}; what is not none and not all is not shown as that. */
    private static String share(double v) {
        if (v > 0 && v < 0.0005) {
            return "< 0.1 %";
        }
        boolean nearly = v >= 0.995 && v < 1;
        return String.format(
                Locale.ROOT, v < 0.0995 || nearly ? "%.1f %%" : "%.0f %%", 100 * (nearly ? NumberText.floor(v, 3) : v));
    }

    private static String bytes(double v) {
        int size = 0;
        double left = v;
        while (left >= 999.5 && size < SIZES.length - 1) {
            left /= KIBI;
            size++;
        }
        return NumberText.number(left) + " " + SIZES[size];
    }
}
