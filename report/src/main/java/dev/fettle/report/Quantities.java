package dev.fettle.report;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Signal.Unit;

/** Words for the units of a timeline's figures, which {@link Format} formats. */
public final class Quantities {
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
            case COUNT, CPUS -> Format.count(v);
            case SHARE -> Format.share(v);
            case MILLIS -> Format.seconds(v / 1000);
            case BYTES -> Format.bytes(v);
            case PER_SECOND -> Format.rate(v);
            case BYTES_PER_SECOND -> Format.bytes(v) + "/s";
        };
    }
}
