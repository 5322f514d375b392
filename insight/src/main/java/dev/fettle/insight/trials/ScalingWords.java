package dev.fettle.insight.trials;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import dev.fettle.model.text.Format;
import java.math.BigDecimal;
import java.math.MathContext;

/** Describes a fit of the universal scalability law. */
public final class ScalingWords {
    private static final MathContext THREE_DIGITS = new MathContext(3);

    /** A smaller one costs less than 1 % even with ten thousand at once. */
    private static final double LEAST = 1e-10;

    private ScalingWords() {}

    /**
     * The predicate of a sentence: {@code follows the law of scalability (off by 1.2 % on average): 4.9 % [4.1, 5.8] of
     * the work waits for a turn (contention), …}.
     *
     * @param of what is scaled: {@code clients}, {@code threads}
     */
    public static String follows(Usl usl, String of) {
        String peak = usl.peak()
                .map(p -> "it is highest at about " + Math.round(p.n().estimate()) + " " + of + " ["
                        + Math.round(p.n().low()) + ", " + Math.round(p.n().high())
                        + (p.n().high() < usl.farthest() ? "" : " or more") + "], with "
                        + Format.number(p.throughput()) + "/s")
                .orElse("no peak lies within twice what was measured");
        return "follows the law of scalability (off by " + Format.share(usl.residual()) + " on average): "
                + range(usl.contention()) + " of the work waits for a turn (contention), each pair costs "
                + range(usl.coherence()) + " (coherence); " + peak + ".";
    }

    private static String range(Interval i) {
        return percent(i.estimate()) + " % [" + percent(i.low()) + ", " + percent(i.high()) + "]";
    }

    /** With three digits, however small: a thousand clients are half a million pairs. */
    private static String percent(double share) {
        return share < LEAST
                ? "0"
                : BigDecimal.valueOf(100 * share)
                        .round(THREE_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
