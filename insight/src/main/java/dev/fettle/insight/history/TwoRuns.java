package dev.fettle.insight.history;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Two runs held against each other. They were made at different times, so what the machine did in between is part of each difference:
 * it is a hint, and no proof. Where a condition differs, no difference is given at all.
 *
 * @param differing conditions that are not the same in both
 * @param refused why no difference is given; empty if they are
 * @param rows a figure each that both have; empty if it is refused
 */
public record TwoRuns(
        MeasuredRun one, MeasuredRun other, List<Differing> differing, List<String> refused, List<Row> rows) {
    /** Copies the lists. */
    public TwoRuns {
        differing = List.copyOf(differing);
        refused = List.copyOf(refused);
        rows = List.copyOf(rows);
    }

    /** A condition or a fact that is not the same in both; empty texts where it is not known. */
    public record Differing(String name, String one, String other) {}

    /**
     * A metric of an arm that both runs have.
     *
     * @param one mean over the first run's trials
     * @param trials of the first run
     * @param other mean over the second run's trials
     * @param otherTrials of the second run
     * @param ratio the second's figure to the first's; without bounds for fewer than two trials on a side
     */
    public record Row(
            String arm, GateMetric metric, double one, int trials, double other, int otherTrials, Interval ratio) {
        /** Whether the trials differ by more than they vary. */
        public boolean isApart() {
            return ratio.bounded() && !ratio.contains(1);
        }
    }

    /** Facts that differ, and may be the reason for a difference. */
    public List<Differing> facts() {
        return differing(one.facts(), other.facts());
    }

    /** Compares what may be compared. */
    public static TwoRuns of(MeasuredRun one, MeasuredRun other) {
        var differing = new ArrayList<>(differing(one.conditions(), other.conditions()));
        if (!PastRun.isNear(one.memory(), other.memory())) {
            differing.add(new Differing("memory", mebibytes(one.memory()), mebibytes(other.memory())));
        }
        var refused = new ArrayList<String>();
        if (!differing.isEmpty()) {
            refused.add("not the same: "
                    + String.join(", ", differing.stream().map(Differing::name).toList()));
        }
        for (MeasuredRun run : List.of(one, other)) {
            run.unused().ifPresent(why -> refused.add(run.id() + " has no valid figure: " + why));
        }
        List<Row> rows = refused.isEmpty() ? rows(one, other) : List.of();
        if (refused.isEmpty() && rows.isEmpty()) {
            refused.add("no setting or program was measured in both");
        }
        return new TwoRuns(one, other, differing, refused, rows);
    }

    private static String mebibytes(OptionalFigure bytes) {
        return bytes.isPresent() ? Math.round(bytes.getAsDouble() / (1 << 20)) + " MiB" : "";
    }

    private static List<Differing> differing(Map<String, String> one, Map<String, String> other) {
        var names = new LinkedHashSet<>(one.keySet());
        names.addAll(other.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(one.get(name), other.get(name)))
                .map(name -> new Differing(name, one.getOrDefault(name, ""), other.getOrDefault(name, "")))
                .toList();
    }

    /** Each with its part of the error, so that all intervals hold at once with 95 % (Bonferroni). */
    private static List<Row> rows(MeasuredRun one, MeasuredRun other) {
        record Both(String arm, GateMetric metric, List<Double> one, List<Double> other) {}
        var both = new ArrayList<Both>();
        for (MeasuredRun.Arm arm : one.arms()) {
            other.arm(arm.name())
                    .ifPresent(second -> arm.figures().forEach((metric, figures) -> {
                        List<Double> others = second.figures().getOrDefault(metric, List.of());
                        if (!figures.isEmpty() && !others.isEmpty()) {
                            both.add(new Both(arm.name(), metric, figures, others));
                        }
                    }));
        }
        long asked = both.stream()
                .filter(b -> b.one().size() > 1 && b.other().size() > 1)
                .count();
        double level = 1 - (1 - Statistics.LEVEL) / Math.max(1, asked);
        return both.stream()
                .map(b -> new Row(
                        b.arm(),
                        b.metric(),
                        mean(b.one()),
                        b.one().size(),
                        mean(b.other()),
                        b.other().size(),
                        Statistics.ratio(array(b.other()), array(b.one()), level)))
                .toList();
    }

    static double mean(List<Double> figures) {
        return Statistics.average(array(figures));
    }

    private static double[] array(List<Double> figures) {
        return figures.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
