package dev.fettle.report;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import java.util.List;
import java.util.stream.Collectors;

/** Figures with their intervals; each figure is formatted by {@link Format}. */
public final class NumberText {
    /** From this ratio on, "14.2 ×" reads better than "+1,320 %". */
    private static final double TIMES_FROM = 3;

    private NumberText() {}

    /** {@code 3,471/s [3,420, 3,522]}; no brackets without bounds. */
    public static String rate(Interval perSecond) {
        return Format.rate(perSecond.estimate()) + bounds(perSecond);
    }

    /** {@code [3,420, 3,522]} with a leading space; empty if the interval is unbounded. */
    public static String bounds(Interval interval) {
        return interval.bounded()
                ? " [" + Format.number(interval.low()) + ", " + Format.number(interval.high()) + "]"
                : "";
    }

    /** Two latencies, {@code 108 → 73.2 ms}: a common unit is written once. */
    public static String latencies(double from, double to) {
        String a = Format.time(from);
        String b = Format.time(to);
        int unit = a.indexOf(' ');
        return (unit > 0 && unit == a.lastIndexOf(' ') && b.endsWith(a.substring(unit)) ? a.substring(0, unit) : a)
                + " → " + b;
    }

    /**
     * A ratio as a change: {@code +38.2 %}, {@code -2.1 %}; from 3 on {@code 14.2 ×}, beyond a limit {@code more than
     * 100 ×}.
     */
    public static String change(double ratio) {
        if (ratio > Format.MOST_TIMES) {
            return "more than " + Format.number(Format.MOST_TIMES) + " ×";
        }
        return Double.isFinite(ratio) ? change(ratio, ratio, true) + unit(ratio) : Format.NONE;
    }

    /** {@link #change(Interval, List)} where the pairs' ratios were not kept. */
    public static String change(Interval ratio) {
        return change(ratio, List.of());
    }

    /**
     * A ratio of pairs with its uncertainty: its interval, {@code +38.2 % [35.1, 41.0]} or {@code 14.2 × [13.9, 14.6]}; if that is
     * too wide to show anything, the ratio of each of a few pairs, {@code +5.6 % (-2.1 %, +13.9 %)}, or what else is known.
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
        if (estimate >= TIMES_FROM && ratio >= 1 && ratio <= Format.MOST_TIMES) {
            return Format.number(ratio) + " ×";
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
        return Format.level(interval.level());
    }

    /** {@code like} is the ratio that decides the format, so that an interval's bounds match its estimate. */
    private static String change(double ratio, double like, boolean signed) {
        if (like >= TIMES_FROM) {
            return Format.number(ratio);
        }
        return signed ? Format.change(ratio, like) : Format.gain(ratio, like);
    }

    private static String unit(double ratio) {
        return ratio >= TIMES_FROM ? " ×" : " %";
    }

    /** A weight of a profile: a time or bytes. */
    public static String weight(Profile.Kind kind, double weight) {
        return kind == Profile.Kind.ALLOC ? Format.bytes(weight) : Format.time(weight * 1e6);
    }
}
