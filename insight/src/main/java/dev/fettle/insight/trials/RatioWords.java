package dev.fettle.insight.trials;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.text.Format;
import java.util.List;
import java.util.function.DoubleFunction;

/** Says how well a ratio of pairs is known. */
public final class RatioWords {
    /** An interval with a bound farther from the estimate than this factor tells nothing. */
    private static final double VAGUE = 10;
    /** Up to this many pairs are listed one by one. */
    private static final int FEW = 3;

    private RatioWords() {}

    /** Whether a ratio's interval is narrow enough to tell anything. */
    public static boolean tells(Interval ratio) {
        return ratio.bounded() && ratio.high() <= VAGUE * ratio.estimate() && ratio.low() >= ratio.estimate() / VAGUE;
    }

    /** Whether the whole interval lies on one side of 1: then one of its bounds tells something, however wide it is. */
    public static boolean oneSided(Interval ratio) {
        return ratio.bounded() && (ratio.low() > 1 || ratio.high() < 1);
    }

    /** Whether {@link #known} lists the pairs, and so says how many there are. */
    public static boolean listed(Interval ratio, List<Double> each) {
        return !tells(ratio) && !oneSided(ratio) && !each.isEmpty() && each.size() <= FEW;
    }

    /**
     * How well a ratio is known: {@code 7.6 to 10.9}, or what stands {@link #instead} of an interval that is too wide.
     *
     * @param each ratio of the pairs; empty if they were not kept
     */
    public static String known(Interval ratio, List<Double> each) {
        return tells(ratio)
                ? Format.ratio(ratio.low()) + " to " + Format.ratio(ratio.high())
                : instead(ratio, each, Format::ratio);
    }

    /**
     * What to say instead of an interval that is too wide: the bound that tells something, {@code at least 2.40}; else the ratio of each
     * of a few pairs, {@code 3.1 and 24.4 in the two pairs}; else that it is {@code not known to within a factor of 10}.
     *
     * @param each ratio of the pairs; empty if they were not kept
     * @param as how a ratio is written
     */
    public static String instead(Interval ratio, List<Double> each, DoubleFunction<String> as) {
        if (oneSided(ratio)) {
            return ratio.low() > 1 ? "at least " + as.apply(ratio.low()) : "at most " + as.apply(ratio.high());
        }
        List<String> pairs = each.stream().map(as::apply).toList();
        return switch (pairs.size()) {
            case 1 -> "only one pair";
            case 2 -> pairs.getFirst() + " and " + pairs.getLast() + " in the two pairs";
            case FEW -> pairs.getFirst() + ", " + pairs.get(1) + " and " + pairs.getLast() + " in the three pairs";
            default -> ratio.bounded() ? "not known to within a factor of 10" : "no interval";
        };
    }
}
