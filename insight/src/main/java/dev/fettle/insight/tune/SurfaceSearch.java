package dev.fettle.insight.tune;

import dev.fettle.insight.KnobShare;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.surface.Prediction;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.tune.KnobSpace.Dimension;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A search over several knobs at once, by a model of how they act alone and in pairs.
 *
 * <ol>
 *   <li>The size of the worker pool that the law of the pool predicts from the default's trial, if it is one of the knobs.
 *   <li>The default once more, for the noise, where the budget is not small.
 *   <li>Settings that move all knobs at once, each as far from those before as can be: half of the trials that the budget and its
 *       time are enough for, at least {@value #LEAST_SPREAD}.
 *   <li>The best of them with as few threads as its throughput needs by the default's holding time, if that is clearly fewer.
 *   <li>Where the model expects the most of one more trial: expected improvement times the chance that the setting runs and
 *       meets the limits, over random settings and over changes of one or two knobs of the best. It ends where that is less than
 *       0.5 %. Where the objective is traded against a second metric: the expected growth of the {@link Front} of both.
 *   <li>With its last trial where the budget has a dozen ({@value #SIMPLER_FROM}), or when it ends: the best without the knobs that give
 *       less than 1 %, and with the smallest pool that loses less than 1 % by the model; then the best without one of its knobs, so that
 *       what that gives is measured; and if trials are left, both again.
 *   <li>Where nothing looks better than the default, and more trials are left than a race takes: what promises the most in a metric next to
 *       the objective's ({@link SecondMetric}).
 * </ol>
 *
 * <p>It never proposes a setting that breaks a constraint of the server or that was seen already, nor a knob whose
 * value did not take effect.
 */
final class SurfaceSearch implements SettingSearch {
    private static final int LEAST_SPREAD = 4;
    private static final int REPEATED_FROM = 16;
    /** With fewer trials each that looks for something better gives more than one that may save a change. */
    private static final int SIMPLER_FROM = 12;

    /** Trials of a race of the best four. */
    private static final int KEPT_FOR_RACE = 4;

    private static final double WORTH_A_TRIAL = 0.005;
    /** Random settings considered, per knob. */
    private static final int RANDOM = 40;
    /** Steps over the range of a number. */
    private static final int STEPS = 7;

    private static final int BEST = 3;
    /** Models kept: each has matrices as large as the square of its trials. */
    private static final int MODELS = 8;
    /** Weight of a new pair of values against a new single value. */
    private static final double PAIRS = 2;

    private final Plan plan;
    private final Set<SearchPart> parts;
    private final Scoring scoring;
    private final Optional<TwoScores> two;
    // a run asks about the same trials many times over
    private final Map<List<SettingTrials>, Optional<Proposal>> asked = new HashMap<>();
    private final Map<List<SettingTrials>, TrialSurface> known = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<SettingTrials>, TrialSurface> eldest) {
            return size() > MODELS;
        }
    };

    SurfaceSearch(Plan plan, Set<SearchPart> parts) {
        this.plan = plan;
        this.parts = parts;
        this.scoring = new Scoring(plan.objective());
        this.two = TwoScores.of(plan.objective());
    }

    @Override
    public Optional<Proposal> ask(List<SettingTrials> seen) {
        return seen.isEmpty() || plan.knobs().isEmpty()
                ? Optional.empty()
                : asked.computeIfAbsent(List.copyOf(seen), this::propose);
    }

    private Optional<Proposal> propose(List<SettingTrials> seen) {
        var space = new KnobSpace(plan, seen.getFirst());
        var fresh = new NoveltyFilter(space, seen);
        Plan within = AffordableTrials.within(plan, seen);
        int left = TuneSlots.searchTrialsLeft(within, parts, seen);
        boolean simpler = parts.contains(SearchPart.SIMPLER);
        long spread = seen.stream().filter(o -> o.origin() == Origin.SPREAD).count();
        Optional<Proposal> next = predicted(seen, space, fresh);
        if (next.isEmpty() && repeatsDefault(within, seen)) {
            next = Optional.of(
                    new Proposal(plan.hold(), Origin.DEFAULT, "the default once more, to see how much trials differ"));
        }
        if (next.isEmpty()) {
            next = edge(within, seen, fresh, left);
        }
        if (next.isEmpty() && spread < spread(within) && left > 1) {
            next = farthest(seen, space, fresh);
        }
        if (next.isEmpty() && simpler && left > 1) {
            next = takenAway(seen, fresh).smallerPool();
        }
        if (next.isEmpty() && left > (simpler ? keptForSimpler(within) : 0)) {
            next = promising(seen, fresh);
        }
        if (simpler && next.isEmpty()) {
            next = takenAway(seen, fresh).next();
        }
        // what is left over is raced
        return next.isEmpty() && left > KEPT_FOR_RACE ? beside(seen, fresh) : next;
    }

    private KnobAblation takenAway(List<SettingTrials> seen, NoveltyFilter fresh) {
        Posterior belief =
                belief(seen).clear(seen.getFirst(), InterimAnalyses.of(plan).first());
        return new KnobAblation(seen, surface(seen), belief, fresh);
    }

    private static int spread(Plan within) {
        return Math.max(LEAST_SPREAD, within.budget().trials() / 2);
    }

    /** Trials kept for removing changes from the best, and for measuring what one of its knobs gives. */
    private static int keptForSimpler(Plan within) {
        int trials = within.budget().trials();
        return trials >= REPEATED_FROM ? 2 : trials >= SIMPLER_FROM ? 1 : 0;
    }

    /**
     * Where a limit breaks along one knob from the best so far: nearer to it, see {@link LimitEdge}. What is set aside for a race is used, too,
     * as a race tells little where the limits decide; but the last trials are for the knobs that were not changed yet, one each.
     */
    private Optional<Proposal> edge(Plan within, List<SettingTrials> seen, NoveltyFilter fresh, int left) {
        var clearance = LimitMargin.of(scoring, seen, InterimAnalyses.of(plan).first());
        Posterior belief = belief(clearance.of(seen, seen.getFirst()));
        SettingTrials best = belief.best().orElse(seen.getFirst());
        if (two.isPresent() || !scoring.feasible(best)) {
            return Optional.empty();
        }
        var others = new OneKnobAtATime(plan, true, seen);
        if (left + TuneSlots.raceReserve(within, parts) > others.untouched(best.setting(), fresh::allows)) {
            return plan.knobs().stream()
                    .flatMap(k -> KnobAxis.of(k).stream())
                    .flatMap(axis -> LimitEdge.propose(plan, axis, scoring, seen, best, belief.sigma()).stream())
                    .filter(p -> fresh.allows(p.setting()))
                    .findFirst();
        }
        return LimitEdge.decides(plan, seen) ? others.next(best.setting(), fresh::allows) : Optional.empty();
    }

    private static boolean repeatsDefault(Plan within, List<SettingTrials> seen) {
        return within.budget().trials() >= REPEATED_FROM && seen.getFirst().slots() == 1;
    }

    private Optional<Proposal> predicted(List<SettingTrials> seen, KnobSpace space, NoveltyFilter fresh) {
        if (seen.size() > 1) {
            return Optional.empty();
        }
        OptionalFigure threads = PoolSizes.predicted(plan, parts, seen.getFirst());
        return space.dimensions().stream()
                .filter(d ->
                        d.knob().equals(OperatingPoint.THREADS) && d.numbers().isPresent())
                .filter(d -> threads.isPresent())
                .flatMap(d -> space
                        .possible(Map.of(
                                d.knob(),
                                d.numbers().get().text(d.numbers().get().atLeast(threads.getAsDouble()))))
                        .stream())
                .filter(fresh::allows)
                .map(s -> new Proposal(s, Origin.PREDICTION, "predicted from holding time and CPU"))
                .findFirst();
    }

    /** Of many settings, the one farthest from all that were seen that has values that were not. */
    private Optional<Proposal> farthest(List<SettingTrials> seen, KnobSpace space, NoveltyFilter fresh) {
        var random = new SplittableRandom(plan.seed() * 1_000_003 + seen.size());
        List<Dimension> dimensions = space.dimensions();
        List<double[]> known = seen.stream()
                .map(o -> space.at(o).at().stream().mapToDouble(x -> x).toArray())
                .toList();
        Optional<PoolSizes> sizes = PoolSizes.of(plan, parts, scoring, seen);
        Setting best = null;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < RANDOM * dimensions.size(); i++) {
            double[] at = random(dimensions, fresh, sizes, random);
            Optional<Setting> s = space.setting(at);
            if (s.isEmpty() || !fresh.allows(s.get())) {
                continue;
            }
            double[] x = space.at(s.get()).at().stream().mapToDouble(v -> v).toArray();
            double score = parts.contains(SearchPart.SPREAD) ? distance(dimensions, x, known) : -i;
            if (score > most) {
                most = score;
                best = s.get();
            }
        }
        return best == null
                ? Optional.empty()
                : Optional.of(new Proposal(best, Origin.SPREAD, "all knobs at once, far from what was tried"));
    }

    private static double[] random(
            List<Dimension> dimensions, NoveltyFilter fresh, Optional<PoolSizes> sizes, SplittableRandom random) {
        double[] at = new double[dimensions.size()];
        for (int d = 0; d < at.length; d++) {
            Dimension dimension = dimensions.get(d);
            double u = random.nextDouble();
            if (!fresh.free(dimension)) {
                at[d] = Double.NaN;
            } else if (dimension.numbers().isEmpty()) {
                at[d] = Math.floor(u * dimension.range().choices().size());
            } else if (sizes.isPresent() && isPool(dimension)) {
                KnobAxis axis = dimension.numbers().get();
                at[d] = dimension.at(axis.text(axis.nearest(sizes.get().at(u))));
            } else {
                at[d] = u;
            }
        }
        return at;
    }

    /** Whether it is the size of the worker pool, and has more than one value. */
    private static boolean isPool(Dimension dimension) {
        return dimension.knob().equals(OperatingPoint.THREADS)
                && dimension.numbers().filter(a -> a.from() < a.to()).isPresent();
    }

    /**
     * How new a setting is: how far each of its values, and each pair of values, is from the nearest that was seen. A
     * design that covers most pairs of values finds knobs that only help together.
     */
    private static double distance(List<Dimension> dimensions, double[] x, List<double[]> known) {
        int n = x.length;
        double[] alone = new double[n];
        double[][] pairs = new double[n][n];
        Arrays.fill(alone, 1);
        for (double[] row : pairs) {
            Arrays.fill(row, 1);
        }
        double[] apart = new double[n];
        for (double[] o : known) {
            for (int d = 0; d < n; d++) {
                apart[d] = apart(dimensions.get(d), x[d], o[d]);
                alone[d] = Math.min(alone[d], apart[d]);
                for (int e = 0; e < d; e++) {
                    pairs[d][e] = Math.min(pairs[d][e], Math.max(apart[d], apart[e]));
                }
            }
        }
        double sum = 0;
        for (int d = 0; d < n; d++) {
            sum += alone[d] / n;
            for (int e = 0; e < d; e++) {
                sum += PAIRS * pairs[d][e] / (n * (n - 1) / 2.0);
            }
        }
        return sum;
    }

    private static double apart(Dimension dimension, double a, double b) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) && Double.isNaN(b) ? 0 : 1;
        }
        return dimension.numbers().isPresent() ? Math.min(1, Math.abs(a - b)) : a == b ? 0 : 1;
    }

    /** The setting whose trial has the largest expected gain. */
    private Optional<Proposal> promising(List<SettingTrials> seen, NoveltyFilter fresh) {
        Optional<Front> front = two.flatMap(t -> t.front(seen));
        if (front.isPresent()) {
            return widening(seen, fresh, front.get());
        }
        TrialSurface surface = surface(seen);
        List<SettingTrials> top = seen.stream()
                .filter(scoring::feasible)
                .sorted(Comparator.comparingDouble((SettingTrials o) -> -surface.estimate(o)))
                .limit(BEST)
                .toList();
        double best = top.isEmpty() ? Double.NEGATIVE_INFINITY : surface.estimate(top.getFirst());
        return most(thoughtOf(seen, top, surface.space(), fresh), s -> worth(surface, s, top.isEmpty(), best))
                .map(s -> new Proposal(s, Origin.MODEL, "where the trials so far promise the most"));
    }

    private static double worth(TrialSurface surface, Setting s, boolean nothingFeasible, double best) {
        Prediction guess = surface.guess(s);
        // where nothing meets the limits yet, a setting that does is what is looked for
        double gain = (nothingFeasible ? 1 : guess.improvementOver(best)) * surface.feasible(s);
        return nothingFeasible || gain > WORTH_A_TRIAL ? gain * newsOf(surface, guess) : 0;
    }

    /** Near 0 where the model is already as certain as a trial: such a trial adds little (augmented expected improvement). */
    private static double newsOf(TrialSurface surface, Prediction guess) {
        double sigma = surface.sigma();
        return 1 - sigma / Math.hypot(sigma, guess.deviation());
    }

    /**
     * Where nothing looks better than the default: the setting that promises the most in a metric next to the objective's, and is as good by
     * that.
     */
    private Optional<Proposal> beside(List<SettingTrials> seen, NoveltyFilter fresh) {
        SettingTrials base = seen.getFirst();
        if (belief(seen).recommended(base).filter(o -> o == base).isEmpty()) {
            return Optional.empty();
        }
        var second = new SecondMetric(plan, scoring);
        TrialSurface one = surface(seen);
        for (Objective.Metric metric : second.metrics()) {
            Scoring by = second.by(metric);
            List<SettingTrials> same = Stream.concat(
                            Stream.of(base).filter(scoring::feasible), second.same(seen).stream())
                    .filter(by::observed)
                    .toList();
            if (same.isEmpty()) {
                continue;
            }
            var other = new TrialSurface(plan, by, seen, parts);
            List<SettingTrials> top = same.stream()
                    .sorted(Comparator.comparingDouble((SettingTrials o) -> -other.estimate(o)))
                    .limit(BEST)
                    .toList();
            double best = other.estimate(top.getFirst());
            Optional<Setting> found = most(thoughtOf(seen, top, one.space(), fresh), s -> {
                Prediction guess = other.guess(s);
                double as = 1 - one.difference(s, base.setting()).chanceBelow(-SecondMetric.GIVEN_AWAY);
                double gain = guess.improvementOver(best) * one.feasible(s) * as;
                return gain > SecondMetric.lead(metric) / 4 ? gain * newsOf(other, guess) : 0;
            });
            if (found.isPresent()) {
                return found.map(s -> new Proposal(s, Origin.BESIDE, "as much, with better " + metric.words() + "?"));
            }
        }
        return Optional.empty();
    }

    /** The setting that is expected to add the most to the front of two metrics. */
    private Optional<Proposal> widening(List<SettingTrials> seen, NoveltyFilter fresh, Front front) {
        TwoScores both = two.orElseThrow();
        TrialSurface one = surface(seen);
        var other = new TrialSurface(plan, both.second(), seen, parts);
        return most(thoughtOf(seen, both.on(front, seen), one.space(), fresh), s -> {
                    Prediction first = one.guess(s);
                    Prediction second = other.guess(s);
                    double gain = front.expectedGain(first, second) * one.feasible(s);
                    return gain > WORTH_A_TRIAL * front.perUnit()
                            ? gain * Math.max(newsOf(one, first), newsOf(other, second))
                            : 0;
                })
                .map(s -> new Proposal(s, Origin.FRONT, "where it may widen the trade-off the most"));
    }

    private static Optional<Setting> most(Set<Setting> all, ToDoubleFunction<Setting> worth) {
        Setting found = null;
        double most = 0;
        for (Setting s : all) {
            double w = worth.applyAsDouble(s);
            if (w > most) {
                most = w;
                found = s;
            }
        }
        return Optional.ofNullable(found);
    }

    private Set<Setting> thoughtOf(
            List<SettingTrials> seen, List<SettingTrials> top, KnobSpace space, NoveltyFilter fresh) {
        var random = new SplittableRandom(plan.seed() * 7_368_787 + seen.size());
        List<Dimension> dimensions = space.dimensions();
        var all = new LinkedHashSet<Setting>();
        for (SettingTrials o : top) {
            // from what was set: a value that the server rounded may lie outside the range
            double[] at =
                    space.at(o.setting()).at().stream().mapToDouble(x -> x).toArray();
            for (int d = 0; d < at.length; d++) {
                for (double value : steps(dimensions.get(d), at[d])) {
                    add(with(at, d, value), space, fresh, all);
                }
            }
            for (int i = 0; i < RANDOM; i++) {
                int d = random.nextInt(at.length);
                int e = random.nextInt(at.length);
                List<Double> one = steps(dimensions.get(d), at[d]);
                List<Double> two = steps(dimensions.get(e), at[e]);
                double[] moved = with(at, d, one.get(random.nextInt(one.size())));
                add(with(moved, e, two.get(random.nextInt(two.size()))), space, fresh, all);
            }
        }
        Optional<PoolSizes> sizes = PoolSizes.of(plan, parts, scoring, seen);
        for (int i = 0; i < RANDOM * dimensions.size(); i++) {
            add(random(dimensions, fresh, sizes, random), space, fresh, all);
        }
        return all;
    }

    private static void add(double[] at, KnobSpace space, NoveltyFilter fresh, Set<Setting> all) {
        space.setting(at).filter(fresh::allows).ifPresent(all::add);
    }

    private static double[] with(double[] at, int d, double value) {
        double[] copy = at.clone();
        copy[d] = value;
        return copy;
    }

    /**
     * Values of one knob to try: each choice; or some over the range, and some nearby. NaN stands for the default's.
     */
    private static List<Double> steps(Dimension dimension, double at) {
        var steps = new ArrayList<Double>();
        steps.add(Double.NaN);
        if (dimension.numbers().isEmpty()) {
            for (int i = 0; i < dimension.range().choices().size(); i++) {
                steps.add((double) i);
            }
            return steps;
        }
        for (int i = 0; i < STEPS; i++) {
            steps.add((double) i / (STEPS - 1));
        }
        if (!Double.isNaN(at)) {
            for (double by : new double[] {-0.08, -0.04, 0.04, 0.08}) {
                steps.add(Math.clamp(at + by, 0, 1));
            }
        }
        return steps;
    }

    @Override
    public Posterior belief(Objective objective, List<SettingTrials> seen) {
        return belief(seen);
    }

    private Posterior belief(List<SettingTrials> seen) {
        TrialSurface surface = surface(seen);
        return new Posterior(
                scoring,
                seen,
                surface,
                Comparator.comparingInt(
                        o -> surface.space().changed(o.setting()).size()));
    }

    @Override
    public List<KnobShare> shares(List<SettingTrials> seen, Setting winner) {
        // an upper bound is no figure, so what was ended early is in no share
        List<SettingTrials> whole = seen.stream().filter(o -> !o.worse()).toList();
        return KnobShares.of(surface(whole), scoring, whole, winner);
    }

    private TrialSurface surface(List<SettingTrials> seen) {
        return known.computeIfAbsent(List.copyOf(seen), s -> new TrialSurface(plan, scoring, s, parts));
    }
}
