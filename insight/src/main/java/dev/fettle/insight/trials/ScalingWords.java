package dev.fettle.insight.trials;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.words.Say;
import java.util.Locale;

/** Describes a fit of the universal scalability law. */
public final class ScalingWords {
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
                        + Math.round(p.n().low()) + ", " + Math.round(p.n().high()) + "], with "
                        + Say.number(p.throughput()) + "/s")
                .orElse("no peak lies within twice what was measured");
        return "follows the law of scalability (off by " + Say.percent(usl.residual()) + " on average): "
                + range(usl.contention()) + " of the work waits for a turn (contention), each pair costs "
                + range(usl.coherence()) + " (coherence); " + peak + ".";
    }

    private static String range(Interval i) {
        return String.format(Locale.ROOT, "%.3g %% [%.3g, %.3g]", 100 * i.estimate(), 100 * i.low(), 100 * i.high());
    }
}
