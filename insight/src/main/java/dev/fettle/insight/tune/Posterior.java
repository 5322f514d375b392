package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.surface.Prediction;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.text.OptionalFigure;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * What to believe of the candidates after a search: their means, shrunk towards each other according to the noise, so
 * that the luckiest run is not taken for the best setting.
 *
 * <p>Empirical Bayes with normal errors on the log scale (Efron and Morris, JASA 70, 1975): the shrunken mean of
 * candidate i with n trials is (τ²·ȳ + σ²/n·μ) / (τ² + σ²/n), with σ² the variance between trials of one setting
 * (pooled over all replicates, and held near 3 % by a prior worth 4 degrees of freedom), and μ and τ² the mean and true
 * variance of the contenders.
 */
public final class Posterior {
    /**
     * Candidates farther than this below the best are not contenders; in standard deviations of the difference of two
     * trials.
     */
    private static final double FAR = 4;

    /** Two settings whose scores differ by less than this (logarithm) count as equal. */
    private static final double SAME = StrictMath.log(1.01);

    /**
     * To change fewer knobs, or none, at most this share (logarithm) of the objective is given up. To save threads no more than {@link
     * #SAME} is.
     */
    private static final double MOST_GIVEN_AWAY = 0.02;

    /** The normal quantile of 0.8. */
    private static final double FOUR_OF_FIVE = 0.84;

    /**
     * A setting looks better than the default only if the model's difference is at least this many of its deviations: where nothing has
     * an effect, some setting nearly always comes out ahead.
     */
    private static final double IN_DOUBT = 1.5;

    /** What a model says of the candidates, on the log scale. */
    interface Model {
        double mean(SettingTrials o);

        /** How much better one is than another. */
        Prediction difference(SettingTrials o, SettingTrials than);
    }

    private final Scoring scoring;
    private final Optional<Model> model;
    private final Comparator<SettingTrials> simpler;
    private final Noise noise;
    private final double sigma;
    private final List<SettingTrials> feasible;
    private final List<SettingTrials> contenders;
    private final double mu;
    private final double tau2;

    /** Over the candidates that meet the limits and have a valid trial; the others are left out. */
    Posterior(Scoring scoring, List<SettingTrials> seen) {
        this(scoring, seen, Optional.empty(), Comparator.comparingInt(o -> 0));
    }

    /**
     * With the means of a model.
     *
     * @param model of these trials
     * @param simpler which of two equally good settings changes less, but for the number of threads
     */
    Posterior(Scoring scoring, List<SettingTrials> seen, Model model, Comparator<SettingTrials> simpler) {
        this(scoring, seen, Optional.of(model), simpler);
    }

    private Posterior(
            Scoring scoring, List<SettingTrials> seen, Optional<Model> model, Comparator<SettingTrials> simpler) {
        this.scoring = scoring;
        this.model = model;
        this.simpler = simpler;
        ToDoubleFunction<SettingTrials> level = o -> model.map(m -> m.mean(o)).orElseGet(() -> scoring.rank(o));
        this.feasible = seen.stream()
                .filter(scoring::feasible)
                .sorted(Comparator.comparingDouble(level).reversed())
                .toList();
        this.noise = noise(scoring, feasible);
        this.sigma = noise.sigma();
        double top = feasible.isEmpty() ? 0 : level.applyAsDouble(feasible.getFirst());
        this.contenders = feasible.stream()
                .filter(o -> level.applyAsDouble(o) >= top - FAR * Math.sqrt(2) * sigma)
                .toList();
        double[] own = contenders.stream().mapToDouble(scoring::rank).toArray();
        this.mu = Statistics.average(own);
        double error = contenders.stream()
                .mapToDouble(o -> sigma * sigma / o.valid().size())
                .average()
                .orElse(0);
        double spread = Statistics.deviation(own);
        this.tau2 = Math.max(0, spread * spread - error);
    }

    /** The candidates that may be the best, highest mean first. */
    List<SettingTrials> contenders() {
        return contenders;
    }

    /** Shrunken mean score. */
    double mean(SettingTrials o) {
        if (model.isPresent()) {
            return model.get().mean(o);
        }
        double error = sigma * sigma / o.valid().size();
        double own = scoring.rank(o);
        return tau2 + error == 0 ? own : (tau2 * own + error * mu) / (tau2 + error);
    }

    /** The contender with the highest shrunken mean; if equal, the one with more trials. */
    Optional<SettingTrials> best() {
        return contenders.stream()
                .max(Comparator.comparingDouble(this::mean)
                        .thenComparingInt(o -> o.valid().size()));
    }

    /** How much better (logarithm) a setting had to look than the default to be recommended. */
    double leastLead(SettingTrials baseline) {
        return best().filter(_ -> feasible.contains(baseline))
                .flatMap(b -> model.map(m -> m.difference(b, baseline).deviation()))
                .map(deviation -> Math.max(margin(), IN_DOUBT * deviation))
                .orElse(margin());
    }

    /** How far below the best a candidate may lie and still count as good: 1 %, or one standard error of at most 2 %. */
    double margin() {
        double n = best().map(o -> o.valid().size()).orElse(1);
        return Math.clamp(sigma / Math.sqrt(n), SAME, MOST_GIVEN_AWAY);
    }

    /**
     * The gain (logarithm) that one of the contenders must truly give to look better than the default by more than the margin in four
     * searches of five. Among k contenders of n trials each, one that lies d above the others, which are alike, has a variance of
     * d²/k between them, so that shrinking leaves d - k·σ²/(n·d) of it: more than the margin m from d = (m + √(m² + 4kσ²/n)) / 2 on. The
     * quantile of the error of a difference, 0.84·σ·√(2/n), is added to that.
     *
     * @return empty where the means are a model's, which borrows from other settings, or nothing else is a contender
     */
    OptionalFigure leastNoticed() {
        if (model.isPresent() || contenders.size() < 2) {
            return OptionalFigure.empty();
        }
        int k = contenders.size();
        double n = contenders.stream().mapToInt(o -> o.valid().size()).average().orElse(1);
        double seen = (margin() + Math.sqrt(margin() * margin() + 4 * k * sigma * sigma / n)) / 2;
        return OptionalFigure.of(seen + FOUR_OF_FIVE * sigma * Math.sqrt(2 / n));
    }

    /**
     * The setting to recommend. Among those within the margin of the best it is the default if it is there; else, of those that a model
     * is not in doubt about, one that changes the least: of those that do, and are no more than 1 % below the best of them, the one with
     * the fewest worker threads.
     *
     * @param baseline the default's observation
     * @return the baseline itself where nothing looks better by more than the margin, or a model is in doubt about all that does; empty if
     *     nothing meets the limits
     */
    Optional<SettingTrials> recommended(SettingTrials baseline) {
        List<SettingTrials> good = good();
        List<SettingTrials> sure = sure(good, baseline);
        if (good.contains(baseline) || sure.isEmpty()) {
            return good.isEmpty() ? Optional.empty() : Optional.of(baseline);
        }
        Optional<SettingTrials> least = sure.stream().min(simpler.thenComparing(o -> -mean(o)));
        return sure.stream()
                .filter(o -> simpler.compare(o, least.get()) == 0 && mean(o) >= mean(least.get()) - SAME)
                .min(Comparator.comparingLong(Posterior::threads).thenComparing(o -> -mean(o)));
    }

    /** The best, where it looks better than the default by more than the margin, but a model is in doubt about all that do. */
    Optional<SettingTrials> doubted(SettingTrials baseline) {
        List<SettingTrials> good = good();
        return good.contains(baseline) || !sure(good, baseline).isEmpty() ? Optional.empty() : best();
    }

    private List<SettingTrials> sure(List<SettingTrials> some, SettingTrials baseline) {
        return some.stream().filter(o -> !inDoubt(o, baseline)).toList();
    }

    private boolean inDoubt(SettingTrials o, SettingTrials baseline) {
        if (model.isEmpty() || !feasible.contains(baseline)) {
            return false;
        }
        Prediction lead = model.get().difference(o, baseline);
        return lead.mean() < IN_DOUBT * lead.deviation();
    }

    /**
     * The same of those candidates alone that lie far enough within the limits on latency for a duel to show it: one that is a little
     * better and just within them may well be sent into the duel for nothing. If none of those looks better than the default,
     * this.
     *
     * @param baseline the default's observation
     * @param pairs of the duel
     */
    Posterior clear(SettingTrials baseline, int pairs) {
        var clearance = LimitMargin.of(scoring, feasible, pairs);
        List<SettingTrials> some = clearance.of(feasible, baseline);
        if (some.size() == feasible.size() || good().contains(baseline)) {
            return this;
        }
        var clear = new Posterior(scoring, some, model, simpler);
        return clear.recommended(baseline).filter(o -> o != baseline).isPresent() ? clear : this;
    }

    /** The contenders within the margin of the best. */
    List<SettingTrials> good() {
        double least = best().map(this::mean).orElse(0.0) - margin();
        return contenders.stream().filter(o -> mean(o) >= least).toList();
    }

    /** Standard deviation between trials of one setting, on the log scale. */
    double sigma() {
        return sigma;
    }

    /** The size of a setting's worker pool; {@code Long.MAX_VALUE} if it has none or it is unknown. */
    static long threads(SettingTrials o) {
        boolean virtual =
                o.inForce(OperatingPoint.VIRTUAL).filter("true"::equals).isPresent();
        return virtual
                ? Long.MAX_VALUE
                : o.inForce(OperatingPoint.THREADS)
                        .map(KnobValues::number)
                        .orElse(OptionalLong.empty())
                        .orElse(Long.MAX_VALUE);
    }

    /** Whether a setting was measured twice: else the deviation is a guess. */
    boolean seesNoise() {
        return noise.observed();
    }

    private static Noise noise(Scoring scoring, List<SettingTrials> seen) {
        var noise = new Noise();
        seen.forEach(o -> noise.add(scoring.of(o)));
        return noise;
    }
}
