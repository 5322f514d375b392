package dev.fettle.insight.tune;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.tune.DuelPair.Course;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a duel's pairs show of one metric.
 *
 * @param ratio winner over baseline
 * @param lastHalf the same in the last half of the measured time; unbounded if unknown
 * @param shrinksBy upper bound of the share of the gain lost from the first half of the measured time to the last; infinite if unknown
 * @param aaBound the difference that the pairs show where there is none, as a factor of at least 1
 * @param takenBound how far CPU time taken by others may have shifted the ratio, as a factor of at least 1
 * @param baseline geometric mean over the pairs, in the metric's unit
 * @param winner the same of the winner
 */
record PairGain(
        Metric metric,
        Interval ratio,
        Interval lastHalf,
        double shrinksBy,
        double aaBound,
        double takenBound,
        double baseline,
        double winner) {

    /** The part of the gain that may still be shrinking must be below this share of the smallest gain claimed. */
    private static final double STILL_MOVING = 0.5;

    /**
     * Level of the two-sided interval for the shrinking, so 92.5 % one-sided, with the pair as the replicate. It can be this low because
     * the last half must show a gain, too; it was chosen by {@code DuelErrorRatesTest}.
     */
    private static final double MOVING_LEVEL = 0.85;

    /** Empty where a pair lacks the metric on a side, or there is none. */
    static Optional<PairGain> of(List<DuelPair> pairs, Metric metric, double level) {
        var figure = new ObjectiveFigure(metric);
        boolean known = pairs.stream()
                .allMatch(p -> figure.comparable(p.baseline()).isPresent()
                        && figure.comparable(p.winner()).isPresent());
        if (pairs.isEmpty() || !known) {
            return Optional.empty();
        }
        List<Course> courses = pairs.stream()
                .map(p -> p.course(figure))
                .flatMap(Optional::stream)
                .toList();
        boolean whole = courses.size() == pairs.size();
        // what others take makes a server slower; what it uses itself stays much the same
        double taken = metric.ofProcess()
                ? 1
                : StrictMath.exp(Math.max(
                        0, pairs.stream().mapToDouble(DuelPair::taken).average().orElse(0)));
        double[] base = figures(pairs, DuelPair::baseline, figure);
        double[] win = figures(pairs, DuelPair::winner, figure);
        return Optional.of(new PairGain(
                metric,
                Statistics.pairedRatio(win, base, level),
                whole ? lastHalf(courses, figure, level) : Interval.unbounded(1),
                whole ? shrinksBy(courses) : Double.POSITIVE_INFINITY,
                aaBound(pairs, figure),
                taken,
                mean(base),
                mean(win)));
    }

    static double[] figures(List<DuelPair> pairs, Function<DuelPair, TrialOutcome> side, ObjectiveFigure figure) {
        return pairs.stream().map(side).mapToDouble(t -> figure.of(t).orElse(0)).toArray();
    }

    private static double mean(double[] figures) {
        return StrictMath.exp(Statistics.average(
                Arrays.stream(figures).filter(v -> v > 0).map(StrictMath::log).toArray()));
    }

    private static Interval lastHalf(List<Course> courses, ObjectiveFigure figure, double level) {
        double[] last =
                courses.stream().mapToDouble(c -> figure.ratio(c.last())).toArray();
        double[] one = new double[last.length];
        Arrays.fill(one, 1);
        return Statistics.pairedRatio(last, one, level);
    }

    /**
     * By how much the gain shrinks from the first half of the measuring phase to the second: upper end of Student's
     * interval.
     */
    private static double shrinksBy(List<Course> courses) {
        double[] lost = courses.stream().mapToDouble(Course::lost).toArray();
        return StrictMath.expm1(Statistics.mean(lost, MOVING_LEVEL).high());
    }

    /**
     * The difference that the pairs show where there is none. It is the larger of two estimates: half the difference
     * between pairs with the default first and pairs with it second (the effect of the order), or the difference
     * between the default's own slices, taken alternately. What both sides of a pair have in common is in neither.
     */
    private static double aaBound(List<DuelPair> pairs, ObjectiveFigure figure) {
        double first = 0;
        double second = 0;
        int firsts = 0;
        for (DuelPair p : pairs) {
            double score = figure.score(p.winner()).orElse(0)
                    - figure.score(p.baseline()).orElse(0);
            first += p.first() ? score : 0;
            second += p.first() ? 0 : score;
            firsts += p.first() ? 1 : 0;
        }
        double order = firsts == 0 || firsts == pairs.size()
                ? 0
                : Math.abs(first / firsts - second / (pairs.size() - firsts)) / 2;
        double own = Math.abs(pairs.stream()
                .map(p -> p.ownSlices(figure))
                .flatMapToDouble(OptionalFigure::stream)
                .average()
                .orElse(0));
        return StrictMath.exp(Math.max(order, own));
    }

    /** The smallest gain (logarithm) within an interval of a metric's ratio. */
    static double least(Interval r, Metric metric) {
        double worst = metric.low() ? 1 / Math.max(r.high(), 0) : r.low();
        return r.bounded() && worst > 0 ? StrictMath.log(worst) : Double.NEGATIVE_INFINITY;
    }

    /** How much of a gain (logarithm) may be lost between the halves of the measured time, as a share. */
    static double mayShrinkBy(double gain) {
        return StrictMath.expm1(STILL_MOVING * Math.max(0, gain));
    }

    /** The gain's estimate (logarithm). */
    double estimate() {
        return new ObjectiveFigure(metric).score(winner) - new ObjectiveFigure(metric).score(baseline);
    }

    /** The factor, of at least 1, that a gain has to exceed. */
    double bound(double worth) {
        return Math.max(worth, Math.max(aaBound, takenBound));
    }

    /** Whether it is a gain of more than a factor, that of the last half alone, and not fading. */
    boolean shows(double worth) {
        double gain = least(ratio, metric);
        return gain > StrictMath.log(bound(worth)) && least(lastHalf, metric) > 0 && shrinksBy < mayShrinkBy(gain);
    }
}
