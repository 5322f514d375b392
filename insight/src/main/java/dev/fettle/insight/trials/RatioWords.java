package dev.fettle.insight.trials;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.words.Say;
import java.util.List;

/** Says how well a ratio of pairs is known. */
public final class RatioWords {
    /** An interval with a bound farther from the estimate than this factor tells nothing. */
    private static final double VAGUE = 10;
    /** Up to this many pairs are listed one by one. */
    public static final int FEW = 3;

    private RatioWords() {}

    /** Whether a ratio's interval is narrow enough to tell anything. */
    public static boolean tells(Interval ratio) {
        return ratio.bounded() && ratio.high() <= VAGUE * ratio.estimate() && ratio.low() >= ratio.estimate() / VAGUE;
    }

    /**
     * How well a ratio is known: {@code 7.6 to 10.9}. If the interval tells nothing, the ratio of each pair, {@code 3.1
     * and 24.4 in the two pairs}, or that it is {@code not known to within a factor of 10}.
     *
     * @param each ratio of the pairs; empty if they were not kept
     */
    public static String known(Interval ratio, List<Double> each) {
        if (tells(ratio)) {
            return Say.ratio(ratio.low()) + " to " + Say.ratio(ratio.high());
        }
        List<String> pairs = each.stream().map(Say::ratio).toList();
        return switch (pairs.size()) {
            case 1 -> "only one pair";
            case 2 -> pairs.getFirst() + " and " + pairs.getLast() + " in the two pairs";
            case FEW -> pairs.getFirst() + ", " + pairs.get(1) + " and " + pairs.getLast() + " in the three pairs";
            default -> ratio.bounded() ? "not known to within a factor of 10" : "no interval";
        };
    }
}
