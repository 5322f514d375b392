package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.surface.Guess;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.insight.words.Say;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which of a winner's knobs mattered, and by how much. */
final class KnobShares {
    /** Half-width of a 95 % interval of a normal distribution, in standard deviations. */
    private static final double WITHIN = 1.96;

    private KnobShares() {}

    /**
     * The shares of a winner that changes two or more knobs, the largest first; with one knob, the duel already says
     * it.
     */
    static List<KnobShare> of(TrialSurface surface, Scoring scoring, List<SettingTrials> seen, Setting winner) {
        List<Dimension> changed = surface.space().changed(winner);
        if (changed.size() < 2) {
            return List.of();
        }
        var shares = new ArrayList<KnobShare>();
        for (Dimension d : changed) {
            Optional<Setting> possible = surface.space().without(winner, d.knob());
            if (possible.isEmpty()) {
                continue;
            }
            Setting without = possible.get();
            Guess g = surface.difference(winner, without);
            double one = scoring.ratio(g.mean() - WITHIN * g.deviation());
            double two = scoring.ratio(g.mean() + WITHIN * g.deviation());
            int measured = seen.stream()
                    .filter(o -> o.setting().equals(without))
                    .mapToInt(o -> o.valid().size())
                    .sum();
            shares.add(new KnobShare(
                    d.knob(),
                    winner.get(d.knob()).orElse(""),
                    new Interval(
                            scoring.ratio(g.mean()),
                            Math.min(one, two),
                            Math.max(one, two),
                            Statistics.LEVEL,
                            Interval.Method.POSTERIOR),
                    measured));
        }
        shares.sort(Comparator.comparingDouble(
                s -> -Math.abs(StrictMath.log(s.ratio().estimate()))));
        return shares;
    }

    /** One sentence; empty if there is nothing to tell apart. */
    static Optional<String> words(List<KnobShare> shares, ObjectiveFigure figure) {
        if (shares.isEmpty()) {
            return Optional.empty();
        }
        List<String> each = shares.stream()
                .map(s -> s.knob() + "=" + s.value() + " " + gives(s))
                .toList();
        return Optional.of("What each knob of it gives on top of the others, in "
                + figure.metric().words()
                + ", by the model of all trials: " + String.join("; ", each) + ".");
    }

    private static String gives(KnobShare s) {
        Interval r = s.ratio();
        String basis = s.measured() > 0
                ? ", measured without it in " + Say.count(s.measured(), "trial")
                : ", never measured without it alone";
        return "times " + Say.ratio(r.estimate()) + " (" + (RatioWords.tells(r) ? "95 % interval " : "")
                + RatioWords.known(r, List.of()) + basis
                + (r.contains(1) ? ", so perhaps nothing)" : ")");
    }
}
