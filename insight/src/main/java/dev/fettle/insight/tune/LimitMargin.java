package dev.fettle.insight.tune;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a setting lies so far within the limits on latency that a duel is nearly sure to show that it meets them. The duel asks that the
 * upper end of an interval over its pairs is within them; half such an interval is asked for here, and room for the luck that the
 * setting's own trials may have had: the fewer they are, the more. One that is nearer may pass or fail.
 *
 * @param sigma deviation between trials of one setting for each of {@link Scoring#limits}, on the log scale
 * @param pairs of the duel, two at least
 */
record LimitMargin(Scoring scoring, List<Double> sigma, int pairs) {

    /** By the noise between all these trials. */
    static LimitMargin of(Scoring scoring, List<SettingTrials> seen, int pairs) {
        return new LimitMargin(
                scoring, scoring.limits().stream().map(l -> sigma(l, seen)).toList(), pairs);
    }

    private static double sigma(Scoring.Limit limit, List<SettingTrials> seen) {
        var noise = new Noise();
        seen.forEach(o -> noise.add(Arrays.stream(o.each(limit.figure()))
                .map(v -> StrictMath.log(Math.max(v, 1)))
                .toArray()));
        return noise.sigma();
    }

    /** Those that lie that far within all limits, and the default, wherever it lies. */
    List<SettingTrials> of(List<SettingTrials> all, SettingTrials baseline) {
        return all.stream().filter(o -> o == baseline || has(o)).toList();
    }

    /** Whether a setting that has trials lies that far within all limits. */
    boolean has(SettingTrials o) {
        return room(o) >= 0;
    }

    /** How much farther within the limits it lies than that, as a logarithm; of the limit that it is nearest to, infinite without one. */
    double room(SettingTrials o) {
        double half = Statistics.tQuantile(pairs - 1, Statistics.LEVEL)
                * Math.sqrt(1.0 / pairs + 1.0 / Math.max(1, o.valid().size()));
        double room = Double.POSITIVE_INFINITY;
        for (int i = 0; i < sigma.size(); i++) {
            room = Math.min(room, -scoring.limits().get(i).beyond(o) - half * sigma.get(i));
        }
        return room;
    }
}
