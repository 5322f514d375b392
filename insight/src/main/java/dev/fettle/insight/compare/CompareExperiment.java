package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.insight.stats.Power;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AnswerCheck;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridStarts;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.Overload;
import dev.fettle.insight.trials.RunLength;
import dev.fettle.insight.trials.RunNotes;
import dev.fettle.insight.trials.SeededOrder;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares variants in blocks. A block contains every variant once, close together in time. Of every two blocks the first has a
 * random order and the second its reverse (ABBA with two variants), so that a linear drift cancels. The conditions of the grid
 * are shuffled within each round of blocks.
 *
 * <p>It compares the metric of the plan's objective; with a spike, the good answers during it and the time until the
 * SLO is met again. A difference is shown when the whole interval of the paired ratio lies outside 1/{@value
 * GridFigures#WORTH} to {@value GridFigures#WORTH}: identical runs on one machine can differ by as much. With m
 * statements over all conditions each interval has the level 1 − 0.05/m (Bonferroni), so that all hold jointly at 95 %.
 * A contrast makes one statement, with a spike two.
 */
public final class CompareExperiment implements Experiment {
    private final Plan plan;
    private final Plan.Compare compare;
    private final TrialSlots.Fixed slots;

    /**
     * A comparison.
     *
     * @throws IllegalArgumentException if the plan has no comparison
     */
    public CompareExperiment(Plan plan) {
        this.plan = plan;
        this.compare = plan.compare().orElseThrow(() -> new IllegalArgumentException("the plan has no 'compare'"));
        this.slots = slots(plan, compare);
    }

    private static TrialSlots.Fixed slots(Plan plan, Plan.Compare compare) {
        var slots = new ArrayList<Slot>();
        List<Map<String, String>> points = GridPoints.grid(compare.grid());
        for (int block = 0; block < compare.pairs(); block++) {
            List<Integer> conditions = IntStream.range(0, points.size()).boxed().toList();
            for (int condition : SeededOrder.of(conditions, plan.seed(), block)) {
                for (Variant variant : order(plan, compare.variants(), condition, block)) {
                    Map<String, String> point = points.get(condition);
                    var parts = GridPoints.apply(
                            point,
                            new GridPoints.Parts(
                                    variant.target(),
                                    variant.setting(),
                                    variant.load().orElse(plan.load())));
                    var load = compare.spike().map(s -> s.in(parts.load())).orElse(parts.load());
                    var spec = new TrialSpec(
                            Phase.COMPARE, variant.name(), point, block, parts.target(), parts.setting(), load);
                    slots.add(new Slot(
                            spec,
                            variant.name() + GridFigures.at(point) + ", block " + (block + 1) + " of "
                                    + compare.pairs(),
                            Origin.COMPARE));
                }
            }
        }
        return new TrialSlots.Fixed(slots);
    }

    private static List<Variant> order(Plan plan, List<Variant> variants, int condition, int block) {
        List<Variant> order = SeededOrder.of(variants, plan.seed(), condition, block / 2);
        return block % 2 == 0 ? order : order.reversed();
    }

    public RunLength length() {
        return RunLength.of(
                slots.size(), compare.spike().map(s -> s.in(plan.load())).orElse(plan.load()));
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        return slots.next(seen, this::conclusion);
    }

    @Override
    public Optional<Conclusion> soFar(List<TrialOutcome> seen) {
        return slots.soFar(seen, this::conclusion);
    }

    private CompareConclusion conclusion(List<Filled> slots) {
        var starts = new GridStarts(slots);
        List<Filled> filled = starts.settled();
        List<Condition> conditions = GridPoints.grid(compare.grid()).stream()
                .map(p -> condition(p, filled))
                .toList();
        List<String> notes = RunNotes.of(plan, filled);
        notes.addAll(starts.notes());
        notes.add("A difference is shown when the whole interval of the ratio lies outside "
                + Format.ratio(1 / GridFigures.WORTH) + " to " + Format.ratio(GridFigures.WORTH) + ".");
        boolean spike = compare.spike().isPresent();
        var noRatio = new NoRatio(metric(), spike);
        int all = statements();
        if (all > 1) {
            notes.add("All " + all
                    + (spike ? " statements (good answers and recovery of each contrast)" : " contrasts")
                    + " are judged together"
                    + (conditions.size() > 1 ? " (" + conditions.size() + " conditions)" : "")
                    + ": each interval has a level of " + Format.level(level())
                    + ", so that all hold at once at 95 %.");
        }
        compare.baseline()
                .ifPresent(b -> notes.add("Each variant is compared with '" + b + "' alone, and not with the others."));
        RunNotes.scope(plan, starts(conditions)).ifPresent(notes::add);
        if (compare.layered()) {
            notes.add(LayerFigures.NOTE);
        }
        GridPoints.grid(compare.grid()).forEach(p -> notes.addAll(Losses.notes(losses(p, filled), conditions.size())));
        noRatio.note(compare.variants(), filled).ifPresent(notes::add);
        new ElseEqual(compare, filled).note().ifPresent(notes::add);
        if (spike) {
            notes.add("A good answer is a valid one that came within " + goodWithin()
                    + ". Back to normal is the beginning of " + Overload.IN_A_ROW
                    + " windows of half a second in a row that each met " + slo() + ".");
        }
        return new CompareConclusion(
                compare.layered()
                        ? LayerFigures.headline(conditions) + CompareHeadline.beside(conditions)
                        : CompareHeadline.text(metric(), spike, conditions, noRatio.headline(filled)),
                metric(),
                conditions,
                notes,
                compare.spike()
                        .map(s -> new CompareConclusion.Spike(
                                s.rate(), s.length().toMillis() / 1e3, s.watch().toMillis() / 1e3, slo().toString())),
                starts.failed());
    }

    /** The SLO by which a spike is judged; the plan's reader asks for one. */
    private Slo slo() {
        return plan.effectiveSlo().orElseThrow(() -> new IllegalArgumentException("a spike needs an SLO"));
    }

    private String goodWithin() {
        return slo().longestLatency().stream()
                .mapToObj(ns -> Format.time(ns))
                .findFirst()
                .orElse(slo().toString());
    }

    private Optional<SpikeFigures> spikes() {
        return compare.spike().map(s -> new SpikeFigures(slo(), s.watch().toMillis() / 1e3));
    }

    /** With a spike more is better, whatever the objective. */
    private Objective.Metric metric() {
        return compare.spike().isPresent()
                ? Objective.Metric.THROUGHPUT
                : plan.objective().metric();
    }

    /**
     * The smallest true ratio that so many blocks would show in four runs of five.
     *
     * @param blocks at least 2
     * @param scatter standard deviation of the blocks' log ratios
     */
    public double couldShow(int blocks, double scatter) {
        return Power.leastShown(scatter, blocks, level(), GridFigures.WORTH);
    }

    /**
     * Number of contrasts, which are judged together, over all conditions: pairs of variants, or each against the baseline; with
     * layers, the figures of each against the one before it.
     */
    public int contrasts() {
        int pairs = IntStream.range(0, compare.variants().size())
                .map(this::partners)
                .sum();
        return GridPoints.grid(compare.grid()).size() * pairs * (compare.layered() ? LayerFigures.FIGURES : 1);
    }

    /** With how many of the variants after it one is compared. */
    private int partners(int variant) {
        int others = compare.variants().size() - 1 - variant;
        return compare.layered() ? Math.min(1, others) : compare.baseline().isPresent() && variant > 0 ? 0 : others;
    }

    /** Number of statements of the contrasts: with a spike, of the good answers and of the recovery. */
    public int statements() {
        return compare.spike().isPresent() ? SpikeFigures.FIGURES * contrasts() : contrasts();
    }

    /** The Bonferroni-corrected level of each interval. */
    private double level() {
        return 1 - (1 - Statistics.LEVEL) / Math.max(1, statements());
    }

    /** The smallest number of JVM starts of any variant. */
    private static int starts(List<Condition> conditions) {
        return conditions.stream()
                .flatMap(c -> c.variants().stream())
                .mapToInt(VariantResult::trials)
                .min()
                .orElse(0);
    }

    private Condition condition(Map<String, String> point, List<Filled> filled) {
        List<Losses> losses = losses(point, filled);
        List<GridFigures.Cell> cells = losses.stream().map(Losses::cell).toList();
        var results = new ArrayList<VariantResult>();
        var contrasts = new ArrayList<Contrast>();
        for (int i = 0; i < cells.size(); i++) {
            results.add(result(losses.get(i)));
            for (int j = i + 1; j <= i + partners(i); j++) {
                String a = losses.get(i).name();
                String b = losses.get(j).name();
                GridFigures.Cell left = cells.get(i);
                GridFigures.Cell right = cells.get(j);
                GridFigures.Paired p = compare.spike().isPresent()
                        ? GridFigures.paired(left, right, SpikeFigures::goodput, level())
                        : GridFigures.paired(left, right, metric(), level());
                Optional<Interval> recovery = spikes().flatMap(s -> s.longer(left, right, level()));
                // variants that refuse requests differ in bytes per request, and layers are meant to
                Optional<String> otherAnswers = compare.spike().isPresent() || compare.layered()
                        ? Optional.empty()
                        : AnswerCheck.between(a, left.valid(), b, right.valid());
                Optional<String> withheld = Losses.withheld(
                        losses.get(i),
                        losses.get(j),
                        p,
                        new NoRatio(metric(), compare.spike().isPresent()),
                        limits());
                boolean shown = otherAnswers.isEmpty() && withheld.isEmpty() && p.shown();
                contrasts.add(new Contrast(
                        a,
                        b,
                        p.blocks(),
                        p.ratio(),
                        shown,
                        p.leastShown(),
                        otherAnswers,
                        recovery,
                        p.each(),
                        withheld));
            }
        }
        return new Condition(
                point, results, contrasts, compare.layered() ? LayerFigures.of(losses, limits(), level()) : List.of());
    }

    /** The limits on the work that is done; a spike is meant to leave some undone. */
    private Optional<Objective> limits() {
        return compare.spike().isPresent() ? Optional.empty() : Optional.of(plan.objective());
    }

    private List<Losses> losses(Map<String, String> point, List<Filled> filled) {
        return compare.variants().stream()
                .map(v -> new Losses(v.name(), cell(point, v.name(), filled)))
                .toList();
    }

    private static GridFigures.Cell cell(Map<String, String> point, String variant, List<Filled> filled) {
        return new GridFigures.Cell(
                point,
                filled.stream()
                        .filter(f -> f.slot().spec().point().equals(point)
                                && f.slot().spec().variant().equals(variant))
                        .toList());
    }

    private VariantResult result(Losses variant) {
        GridFigures.Cell c = variant.cell();
        LatencySummary latency = Latencies.merged(c.measurements());
        return new VariantResult(
                variant.name(),
                c.valid().size(),
                c.voids(),
                c.throughput(),
                latency.p50(),
                latency.p99(),
                SettingTrials.errorShare(c.measurements()),
                c.cpuMicros(),
                c.problems(),
                compare.spike().isPresent() ? List.of() : c.broken(plan.objective()),
                spikes().map(s -> s.of(c)),
                c.figure(metric()),
                variant.failed());
    }
}
