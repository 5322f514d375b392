package dev.fettle.report;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Profile;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Formats numbers for people: three significant digits, thousands separators, a unit. The same in every locale, so that two
 * reports can be compared line by line.
 */
public final class NumberText {
    /** Shown instead of a missing figure. */
    public static final String NONE = "–";

    /** From this ratio on, "14.2 ×" reads better than "+1,320 %". */
    private static final double TIMES_FROM = 3;

    /** Beyond this no exact figure is given: nobody would act differently on it. */
    private static final double MOST_TIMES = 100;

    /** What is less than half of it is not shown as 0.000: it is not zero. */
    private static final double LEAST = 0.001;

    /** From this share on it would be shown as all. */
    private static final double NEARLY_ALL = 0.9995;

    private NumberText() {}

    /** Three significant digits with thousands separators: {@code 3,471}, {@code 52.3}, {@code 0.212}, {@code < 0.001}. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size < LEAST / 2) {
            return value > 0 ? "< 0.001" : "> -0.001";
        }
        int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** A whole number with thousands separators. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** {@code 3,471/s}. */
    public static String rate(double perSecond) {
        return Double.isFinite(perSecond) ? number(perSecond) + "/s" : NONE;
    }

    /** {@code 3,471/s [3,420, 3,522]}; no brackets without bounds. */
    public static String rate(Interval perSecond) {
        return rate(perSecond.estimate()) + bounds(perSecond);
    }

    /** {@code [3,420, 3,522]} with a leading space; empty if the interval is unbounded. */
    public static String bounds(Interval interval) {
        return interval.bounded() ? " [" + number(interval.low()) + ", " + number(interval.high()) + "]" : "";
    }

    /** A figure and its unit; {@code unit} is empty where there is no figure. */
    private record Quantity(String figure, String unit) {
        @Override
        public String toString() {
            return unit.isEmpty() ? figure : figure + " " + unit;
        }
    }

    private static Quantity time(double nanos) {
        if (!Double.isFinite(nanos)) {
            return new Quantity(NONE, "");
        }
        if (nanos <= 0) {
            return new Quantity("0", "ms");
        }
        if (nanos < 999_500) {
            return new Quantity(number(nanos / 1e3), "µs");
        }
        return nanos < 999_500_000 ? new Quantity(number(nanos / 1e6), "ms") : new Quantity(number(nanos / 1e9), "s");
    }

    /** A latency with the unit that fits: {@code 212 µs}, {@code 52.3 ms}, {@code 1.11 s}. */
    public static String latency(double nanos) {
        return time(nanos).toString();
    }

    /** Two latencies, {@code 108 → 73.2 ms}: a common unit is written once. */
    public static String latencies(double from, double to) {
        Quantity a = time(from);
        Quantity b = time(to);
        return (a.unit().equals(b.unit()) ? a.figure() : a.toString()) + " → " + b;
    }

    /** A latency with the unit that fits: {@code 212 µs}, {@code 52.3 ms}, {@code 1.11 s}. */
    public static String latency(long nanos) {
        return latency((double) nanos);
    }

    /** Milliseconds without the unit, for table columns that carry it in the heading. */
    public static String millis(long nanos) {
        return millis((double) nanos);
    }

    /** Milliseconds without the unit, for table columns that carry it in the heading. */
    public static String millis(double nanos) {
        return number(nanos / 1e6);
    }

    /** A duration: {@code 12.5 s}, {@code 3 min 42 s}, {@code 1 h 05 min}. */
    public static String duration(Duration d) {
        double seconds = d.toNanos() / 1e9;
        if (seconds < 59.95) {
            return number(seconds) + " s";
        }
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d min %02d s", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d h %02d min", whole / 3600, whole % 3600 / 60);
    }

    /** A share from 0 to 1 as per cent: {@code 0 %}, {@code 0.012 %}, {@code 93.1 %}; {@code 100 %} is all. */
    public static String share(double share) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        if (share >= 1) {
            return String.format(Locale.ROOT, "%.0f %%", share * 100);
        }
        return (share >= NEARLY_ALL ? String.format(Locale.ROOT, "%.2f", floor(share, 4) * 100) : number(share * 100))
                + " %";
    }

    /** Rounded down to some decimals. */
    static double floor(double value, int decimals) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.FLOOR).doubleValue();
    }

    /**
     * A ratio as a change: {@code +38.2 %}, {@code -2.1 %}; from 3 on {@code 14.2 ×}, beyond a limit {@code more than
     * 100 ×}.
     */
    public static String change(double ratio) {
        if (ratio > MOST_TIMES) {
            return "more than " + number(MOST_TIMES) + " ×";
        }
        return Double.isFinite(ratio) ? change(ratio, ratio, true) + unit(ratio) : NONE;
    }

    /** {@link #change(Interval, List)} where the pairs' ratios were not kept. */
    public static String change(Interval ratio) {
        return change(ratio, List.of());
    }

    /**
     * A ratio of pairs with its uncertainty: its interval, {@code +38.2 % [35.1, 41.0]} or {@code 14.2 × [13.9, 14.6]}; if that is
     * too wide to tell anything, the ratio of each of a few pairs, {@code +5.6 % (-2.1 %, +13.9 %)}, or what else is known.
     *
     * @param each the pairs' ratios; empty if they were not kept
     */
    public static String change(Interval ratio, List<Double> each) {
        String estimate = change(ratio.estimate());
        if (RatioWords.tells(ratio)) {
            return estimate + " " + changeBounds(ratio);
        }
        if (RatioWords.listed(ratio, each)) {
            return estimate
                    + (each.size() == 1
                            ? "" // it is the estimate
                            : each.stream()
                                    .map(r -> like(r, ratio.estimate()))
                                    .collect(Collectors.joining(", ", " (", ")")));
        }
        return estimate + (ratio.bounded() ? " (" + instead(ratio, each) + ")" : "");
    }

    /** How well a ratio of pairs is known, without the estimate: {@code 95 % interval [35.1, 41.0]}, or what is known instead. */
    public static String known(Interval ratio, List<Double> each) {
        return RatioWords.tells(ratio) ? level(ratio) + " interval " + changeBounds(ratio) : instead(ratio, each);
    }

    private static String instead(Interval ratio, List<Double> each) {
        if (RatioWords.oneSided(ratio) && ratio.high() < 1) {
            return like(ratio.high(), ratio.estimate()) + " or less"; // "at most -40 %" could be less of a change
        }
        return RatioWords.instead(ratio, each, r -> like(r, ratio.estimate()));
    }

    /** A ratio in the form of the estimate, as far as that suits it. */
    private static String like(double ratio, double estimate) {
        if (estimate >= TIMES_FROM && ratio >= 1 && ratio <= MOST_TIMES) {
            return number(ratio) + " ×";
        }
        boolean percent = estimate < TIMES_FROM && ratio < TIMES_FROM;
        return percent ? change(ratio, estimate, true) + " %" : change(ratio);
    }

    /** The bounds of a ratio in the form of its change: {@code [35.1, 41.0]}. */
    public static String changeBounds(Interval ratio) {
        return "[" + change(ratio.low(), ratio.estimate(), false) + ", " + change(ratio.high(), ratio.estimate(), false)
                + "]";
    }

    /** The confidence level: {@code 95 %}. */
    public static String level(Interval interval) {
        return Say.level(interval.level());
    }

    /** {@code like} is the ratio that decides the format, so that an interval's bounds match its estimate. */
    private static String change(double ratio, double like, boolean signed) {
        if (like >= TIMES_FROM) {
            return number(ratio);
        }
        // near -100 % one decimal would not distinguish a twentieth from a hundredth
        int decimals = like < 0.1 ? 2 : 1;
        double percent = (ratio - 1) * 100;
        // -0.0 would read as a loss
        double rounded = Math.abs(percent) < 0.05 ? 0 : percent;
        return String.format(Locale.ROOT, (signed ? "%+." : "%.") + decimals + "f", rounded);
    }

    private static String unit(double ratio) {
        return ratio >= TIMES_FROM ? " ×" : " %";
    }

    /** Bytes as sentences have them: {@code 253 B}, {@code 1.89 KiB}, {@code 12.4 MiB}. */
    public static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    /** Bytes as sentences have them: {@code 253 B}, {@code 1.89 KiB}, {@code 12.4 MiB}. */
    public static String bytes(double bytes) {
        return Say.memory(bytes);
    }

    /** A weight of a profile: a time or bytes. */
    public static String weight(Profile.Kind kind, double weight) {
        return kind == Profile.Kind.ALLOC ? bytes(weight) : latency(weight * 1e6);
    }
}
