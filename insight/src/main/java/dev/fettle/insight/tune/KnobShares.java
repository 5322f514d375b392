package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which of a winner's knobs mattered, and by how much. Only what was measured has an interval: the model's own says more of its
 * prior than of the trials where there are few. The intervals of k knobs have the level 1 - 0.05/k each (Bonferroni).
 */
final class KnobShares {
    private final TrialSurface surface;
    private final Scoring scoring;
    private final List<SettingTrials> seen;
    private final Noise noise = new Noise();
    private final double level;

    private KnobShares(TrialSurface surface, Scoring scoring, List<SettingTrials> seen, int knobs) {
        this.surface = surface;
        this.scoring = scoring;
        this.seen = seen;
        this.level = 1 - (1 - Statistics.LEVEL) / knobs;
        seen.stream().filter(scoring::measured).forEach(o -> noise.add(scoring.of(o)));
    }

    /**
     * The shares of a winner that changes two or more knobs, the largest first; with one knob, the duel already says
     * it. A knob that a constraint does not let go has none.
     */
    static List<KnobShare> of(TrialSurface surface, Scoring scoring, List<SettingTrials> seen, Setting winner) {
        List<Dimension> changed = surface.space().changed(winner);
        if (changed.size() < 2) {
            return List.of();
        }
        var all = new KnobShares(surface, scoring, seen, changed.size());
        var shares = new ArrayList<KnobShare>();
        for (Dimension d : changed) {
            surface.space()
                    .without(winner, d.knob())
                    .ifPresent(without ->
                            shares.add(all.share(d.knob(), winner.get(d.knob()).orElse(""), winner, without)));
        }
        shares.sort(Comparator.comparingDouble(
                s -> -Math.abs(StrictMath.log(s.ratio().estimate()))));
        return shares;
    }

    private KnobShare share(String knob, String value, Setting winner, Setting without) {
        Optional<SettingTrials> tried = find(without);
        Optional<SettingTrials> with = find(winner).filter(scoring::measured);
        if (tried.filter(scoring::measured).isPresent() && with.isPresent()) {
            boolean warm = !(isFresh(tried.get()) && isFresh(with.get()));
            double[] one = scoring.of(alike(with.get(), warm));
            double[] other = scoring.of(alike(tried.get(), warm));
            double mean = Statistics.average(one) - Statistics.average(other);
            double half = noise.half(one.length, other.length, level);
            double low = scoring.ratio(mean - half);
            double high = scoring.ratio(mean + half);
            var ratio = new Interval(
                    scoring.ratio(mean), Math.min(low, high), Math.max(low, high), level, Interval.Method.STUDENT);
            return new KnobShare(knob, value, ratio, other.length, trouble(tried.get()));
        }
        double expected = scoring.ratio(surface.difference(winner, without).mean());
        return new KnobShare(knob, value, Interval.unbounded(expected), 0, tried.flatMap(this::trouble));
    }

    private Optional<SettingTrials> find(Setting s) {
        return seen.stream().filter(o -> o.setting().equals(s)).findFirst();
    }

    /** Whether it has a figure from a JVM of its own. */
    private boolean isFresh(SettingTrials o) {
        return o.valid().stream().anyMatch(t -> WarmJvm.of(t).isEmpty() && scoring.observed(t));
    }

    /** A setting's trials in one kind of JVM, warm or fresh; all of them if there are none. */
    private SettingTrials alike(SettingTrials o, boolean warm) {
        SettingTrials same = o.withValid(o.valid().stream()
                .filter(t -> WarmJvm.of(t).isPresent() == warm)
                .toList());
        return scoring.observed(same) ? same : o;
    }

    private Optional<String> trouble(SettingTrials o) {
        if (o.failure().isPresent()) {
            return o.failure().map(how -> "the target " + how);
        }
        if (o.otherAnswers().isPresent()) {
            return Optional.of("it gives other answers");
        }
        if (scoring.hopeless(o)) {
            return Optional.of("it meets the SLO at no rate");
        }
        List<String> broken = o.valid().isEmpty() ? List.of() : UntestedKnobs.broken(scoring, o);
        return broken.isEmpty()
                ? Optional.empty()
                : Optional.of("it breaks the limit on " + String.join(" and that on ", broken));
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
                + figure.metric().words() + ": " + String.join("; ", each) + "."
                + (shares.stream().anyMatch(s -> s.measured() > 0)
                        ? " The intervals hold together at 95 %, but are not corrected for the choice of the winner: trials that led to it"
                                + " are among those they are of."
                        : ""));
    }

    private static String gives(KnobShare s) {
        Interval r = s.ratio();
        String without = s.trouble().map(t -> "without it " + t).orElse("");
        if (s.measured() == 0) {
            return without.isEmpty()
                    ? "was never measured without it alone (by the model of all trials times "
                            + Format.ratio(r.estimate()) + ")"
                    : without;
        }
        return "times " + Format.ratio(r.estimate()) + " (" + (RatioWords.tells(r) ? "interval " : "")
                + RatioWords.known(r, List.of()) + ", measured without it in " + FigureText.count(s.measured(), "trial")
                + (r.contains(1) ? ", so perhaps nothing)" : ")")
                + (without.isEmpty() ? "" : ", and " + without);
    }
}
