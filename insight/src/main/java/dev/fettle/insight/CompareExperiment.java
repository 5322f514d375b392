package dev.fettle.insight;

import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.Slots.Filled;
import dev.fettle.insight.Slots.Slot;
import dev.fettle.model.LatencySummary;
import dev.fettle.model.Plan;
import dev.fettle.model.Points;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.TrialSpec.Phase;
import dev.fettle.model.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Holds variants against each other in blocks: a block holds every variant once, side by side in time. Of every two blocks
 * the first has a random order and the second its reverse (ABBA with two variants), so that a steady drift cancels. The
 * conditions of the grid are shuffled within each round of blocks.
 *
 * <p>A difference is shown when the whole interval of the paired ratio lies outside 1/{@value #WORTH} to {@value #WORTH}:
 * smaller differences are not worth naming on machines whose identical runs differ by as much. With m contrasts in a
 * condition each interval has the level 1 − 0.05/m (Bonferroni), so that all of them hold together at 95 %.
 */
public final class CompareExperiment implements Experiment {
    /** The smallest ratio worth naming. */
    static final double WORTH = 1.02;

    private final Plan plan;
    private final Plan.Compare compare;
    private final List<Slot> slots;

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

    private static List<Slot> slots(Plan plan, Plan.Compare compare) {
        var slots = new ArrayList<Slot>();
        List<Map<String, String>> points = Points.grid(compare.grid());
        for (int block = 0; block < compare.pairs(); block++) {
            var conditions = new ArrayList<Integer>();
            for (int i = 0; i < points.size(); i++) {
                conditions.add(i);
            }
            Collections.shuffle(conditions, new Random(plan.seed() * 31 + block));
            for (int condition : conditions) {
                for (Variant variant : order(plan, compare.variants(), condition, block)) {
                    Map<String, String> point = points.get(condition);
                    var parts = Points.apply(point, new Points.Parts(variant.target(), variant.setting(), plan.load()));
                    var spec = new TrialSpec(
                            Phase.COMPARE, variant.name(), point, block, parts.target(), parts.setting(), parts.load());
                    String at = point.isEmpty() ? "" : " at " + Grid.name(point);
                    slots.add(new Slot(
                            spec,
                            variant.name() + at + ", block " + (block + 1) + " of " + compare.pairs(),
                            "compare"));
                }
            }
        }
        return List.copyOf(slots);
    }

    private static List<Variant> order(Plan plan, List<Variant> variants, int condition, int block) {
        var order = new ArrayList<>(variants);
        Collections.shuffle(order, new Random((plan.seed() * 31 + condition) * 31 + block / 2));
        return block % 2 == 0 ? order : order.reversed();
    }

    @Override
    public String kind() {
        return "compare";
    }

    @Override
    public Step next(List<TrialOutcome> seen) {
        return Slots.next(slots, seen, this::conclusion);
    }

    private CompareConclusion conclusion(List<Filled> filled) {
        List<Condition> conditions = Points.grid(compare.grid()).stream()
                .map(p -> condition(p, filled))
                .toList();
        var notes = new ArrayList<String>();
        Grid.voids(filled).ifPresent(notes::add);
        OneJvm.note(plan).ifPresent(notes::add);
        notes.add("A difference is shown when the whole interval of the ratio lies outside " + Say.ratio(1 / WORTH)
                + " to " + Say.ratio(WORTH) + ".");
        int contrasts = compare.variants().size() * (compare.variants().size() - 1) / 2;
        if (contrasts > 1) {
            notes.add("With " + contrasts + " contrasts each interval is wider, so that all hold together at 95 %.");
        }
        return new CompareConclusion(CompareHeadline.text(conditions), conditions, notes);
    }

    private Condition condition(Map<String, String> point, List<Filled> filled) {
        List<Grid.Cell> cells = compare.variants().stream()
                .map(v -> cell(point, v.name(), filled))
                .toList();
        var results = new ArrayList<VariantResult>();
        var contrasts = new ArrayList<Contrast>();
        int all = Math.max(1, cells.size() * (cells.size() - 1) / 2);
        for (int i = 0; i < cells.size(); i++) {
            results.add(result(compare.variants().get(i).name(), cells.get(i)));
            for (int j = i + 1; j < cells.size(); j++) {
                String a = compare.variants().get(i).name();
                String b = compare.variants().get(j).name();
                contrasts.add(contrast(a, b, cells.get(i), cells.get(j), 1 - 0.05 / all));
            }
        }
        return new Condition(point, results, contrasts);
    }

    private static Grid.Cell cell(Map<String, String> point, String variant, List<Filled> filled) {
        return new Grid.Cell(
                point,
                filled.stream()
                        .filter(f -> f.slot().spec().point().equals(point)
                                && f.slot().spec().variant().equals(variant))
                        .toList());
    }

    private static VariantResult result(String name, Grid.Cell c) {
        LatencySummary latency = Latencies.merged(c.measurements());
        return new VariantResult(
                name,
                c.valid().size(),
                c.voids(),
                c.throughput(),
                latency.p50(),
                latency.p99(),
                Observation.errorShare(c.measurements()),
                c.cpuMicros(),
                c.problems());
    }

    private Contrast contrast(String a, String b, Grid.Cell x, Grid.Cell y, double level) {
        var left = x.byBlock();
        var right = y.byBlock();
        List<Integer> common =
                left.keySet().stream().filter(right::containsKey).sorted().toList();
        Interval ratio = Statistics.pairedRatio(
                common.stream().mapToDouble(k -> left.getOrDefault(k, 0.0)).toArray(),
                common.stream().mapToDouble(k -> right.getOrDefault(k, 0.0)).toArray(),
                level,
                plan.seed());
        Optional<String> otherAnswers = AnswerCheck.between(a, x.valid(), b, y.valid());
        boolean shown = otherAnswers.isEmpty() && (ratio.low() > WORTH || ratio.high() < 1 / WORTH);
        return new Contrast(a, b, common.size(), ratio, shown, otherAnswers);
    }
}
