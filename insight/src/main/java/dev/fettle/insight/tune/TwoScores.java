package dev.fettle.insight.tune;

import dev.fettle.insight.TradeOff;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.plan.Objective;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Settings judged by two metrics at once: the objective's, and the one it is traded against. */
record TwoScores(Scoring first, Scoring second) {
    /** Empty where the objective has one metric alone. */
    static Optional<TwoScores> of(Objective objective) {
        return objective.other().map(o -> new TwoScores(new Scoring(objective), new Scoring(o)));
    }

    private boolean known(SettingTrials o) {
        return first.feasible(o) && second.observed(o);
    }

    private Front.Scores scores(SettingTrials o) {
        return new Front.Scores(Statistics.average(first.of(o)), Statistics.average(second.of(o)));
    }

    /** The front of what was measured; empty where nothing within the limits has both. */
    Optional<Front> front(List<SettingTrials> seen) {
        List<Front.Scores> all =
                seen.stream().filter(this::known).map(this::scores).toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(Front.of(all));
    }

    /** The settings on a front. */
    List<SettingTrials> on(Front front, List<SettingTrials> seen) {
        return seen.stream().filter(o -> known(o) && front.has(scores(o))).toList();
    }

    /** For a conclusion. */
    Optional<TradeOff> tradeOff(List<SettingTrials> seen) {
        return front(seen)
                .map(f -> new TradeOff(
                        first.objective().metric(),
                        second.objective().metric(),
                        seen.stream()
                                .filter(this::known)
                                .sorted(Comparator.comparingDouble(
                                                (SettingTrials o) -> scores(o).first())
                                        .reversed())
                                .map(o -> new TradeOff.Point(
                                        o.setting(),
                                        first.ratio(scores(o).first()),
                                        second.ratio(scores(o).second()),
                                        o.valid().size(),
                                        f.has(scores(o))))
                                .toList(),
                        apart(first, seen),
                        apart(second, seen)));
    }

    private static double apart(Scoring scoring, List<SettingTrials> seen) {
        var noise = new Noise();
        seen.stream().filter(scoring::measured).forEach(o -> noise.add(scoring.of(o)));
        return noise.observed() ? StrictMath.exp(noise.half(1, 1)) : TradeOff.NOT_MEASURED;
    }
}
