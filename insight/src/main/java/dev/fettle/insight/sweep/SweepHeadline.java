package dev.fettle.insight.sweep;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.FigureText;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Measurement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The headline of a sweep: its best cell, whether the runner-up is worse, and the knee. */
final class SweepHeadline {
    private final Plan plan;
    private final List<GridFigures.Cell> ranked;
    /** Whether there are figures, but none of the objective's metric. */
    private final boolean unobserved;

    /** Whether a cell has figures of some repeats, and failed in others. */
    private final boolean failed;

    SweepHeadline(Plan plan, List<GridFigures.Cell> cells) {
        this.plan = plan;
        // a valid trial always has a capacity, but of one of zero there is no figure
        this.unobserved = plan.objective().metric() != Objective.Metric.CAPACITY
                && cells.stream().anyMatch(c -> !c.measurements().isEmpty())
                && cells.stream().allMatch(c -> c.figure(metric()).isEmpty());
        this.failed = cells.stream().anyMatch(c -> c.figure(metric()).isPresent() && failed(c));
        this.ranked = cells.stream()
                .filter(this::allowed)
                .sorted(Comparator.comparingDouble(this::score).reversed())
                .toList();
    }

    String text() {
        if (ranked.isEmpty() && unobserved) {
            return "There is no best cell: " + metric().words() + " was not observed in any.";
        }
        if (ranked.isEmpty()) {
            return "No cell gave a valid trial within the limits" + (failed ? " and never failed" : "")
                    + ", so there is no best one.";
        }
        GridFigures.Cell best = ranked.getFirst();
        var text = new StringBuilder("Best: " + GridFigures.name(best.point()) + " with " + figure(best));
        if (ranked.size() > 1) {
            text.append(next(best));
        }
        text.append('.');
        knee(best)
                .filter(k -> k != best)
                .ifPresent(k -> text.append(" Knee: ")
                        .append(GridFigures.name(k.point()))
                        .append(" gives ")
                        .append(figure(k))
                        .append(", within 1 % or one standard error of the best."));
        return text.toString();
    }

    /** Whether the best was chosen from several cells. */
    boolean isChosen() {
        return ranked.size() > 1;
    }

    private boolean allowed(GridFigures.Cell c) {
        return c.figure(metric()).isPresent() && c.broken(plan.objective()).isEmpty() && !failed(c);
    }

    /** Whether its target failed, or gave nothing usable, in a repeat: then its figures are those of the repeats that it survived. */
    private static boolean failed(GridFigures.Cell c) {
        return c.lost().isPresent();
    }

    private double score(GridFigures.Cell c) {
        return new ObjectiveFigure(metric()).score(c.figure(metric()).orElseThrow());
    }

    private Objective.Metric metric() {
        return plan.objective().metric();
    }

    private boolean throughput() {
        return metric() == Objective.Metric.THROUGHPUT;
    }

    private String figure(GridFigures.Cell c) {
        if (!throughput()) {
            return metric().words() + " "
                    + new ObjectiveFigure(metric()).text(c.figure(metric()).orElseThrow());
        }
        Interval x = c.throughput();
        return Format.number(x.estimate()) + "/s"
                // two trials whose interval reaches down to zero tell nothing of it
                + (x.bounded() && (x.low() > 0 || c.measurements().size() > 2)
                        ? " (95 % interval " + Format.number(Math.max(0, x.low())) + " to " + Format.number(x.high())
                                + ")"
                        : "");
    }

    /**
     * Compares the best cell with every other one, by the paired ratio within the repeats and the threshold of a comparison.
     * "Better than all" is claimed only if every test shows it, so each may use the full level: the claim is wrong only if the
     * test against an equally good cell is (intersection-union test, Berger 1982, doi 10.1080/00401706.1982.10487790). The
     * two-sided interval allows for choosing the best cell from the same data: the test of the best against the runner-up is
     * valid at twice its one-sided level, however many cells there are (Hung and Fithian, arXiv 1610.03944).
     */
    private String next(GridFigures.Cell best) {
        GridFigures.Cell second = ranked.get(1);
        String name = GridFigures.name(second.point()) + (throughput() ? "" : " with " + figure(second));
        GridFigures.Paired next = paired(best, second);
        if (next.blocks() < 2) {
            boolean single = plan.sweep().map(Plan.Sweep::repeats).orElse(1) == 1;
            return "; next is " + name + ", and "
                    + (single
                            ? "one trial per cell"
                            : next.blocks() == 0
                                    ? "repeats in which one of the two is not valid"
                                    : "one repeat with both")
                    + " can't show whether they differ";
        }
        List<GridFigures.Cell> alike = ranked.subList(1, ranked.size()).stream()
                .filter(c -> !paired(best, c).better(metric()))
                .toList();
        if (alike.isEmpty()) {
            return "; " + Format.ratio(next.ratio().estimate()) + " times the next, " + name + " ("
                    + (RatioWords.tells(next.ratio()) ? "95 % interval " : "")
                    + RatioWords.known(next.ratio(), next.each()) + ")";
        }
        GridFigures.Cell worst = alike.stream()
                .max(Comparator.comparingDouble(
                        c -> paired(best, c).leastShown().orElse(Double.POSITIVE_INFINITY)))
                .orElseThrow();
        GridFigures.Paired least = paired(best, worst);
        return "; it is not distinguishable from "
                + (alike.contains(second)
                        ? "the next, " + name
                        : GridFigures.name(alike.getFirst().point()))
                + (alike.size() > 1 ? ", and from " + FigureText.count(alike.size() - 1, "other cell") : "") + " ("
                + FigureText.leastShown(least.leastShown(), "a difference", least.blocks(), "repeat") + ")";
    }

    private GridFigures.Paired paired(GridFigures.Cell a, GridFigures.Cell b) {
        return GridFigures.paired(a, b, metric(), Statistics.LEVEL);
    }

    /** The cell with the fewest threads that is as good as the best one and otherwise equal to it. */
    private Optional<GridFigures.Cell> knee(GridFigures.Cell best) {
        if (!throughput() || !best.point().containsKey(OperatingPoint.THREADS)) {
            return Optional.empty();
        }
        double[] x = best.measurements().stream()
                .mapToDouble(Measurement::throughput)
                .toArray();
        double error = x.length < 2 ? 0 : Statistics.deviation(x) / Math.sqrt(x.length);
        double least =
                best.throughput().estimate() - Math.max(0.01 * best.throughput().estimate(), error);
        return ranked.stream()
                .filter(c -> sameButThreads(c.point(), best.point())
                        && c.throughput().estimate() >= least)
                .min(Comparator.comparingLong(c -> threads(c.point())));
    }

    private static long threads(Map<String, String> point) {
        return Optional.ofNullable(point.get(OperatingPoint.THREADS))
                .map(KnobValues::number)
                .orElse(OptionalLong.empty())
                .orElse(Long.MAX_VALUE);
    }

    private static boolean sameButThreads(Map<String, String> a, Map<String, String> b) {
        return a.entrySet().stream()
                .allMatch(e -> e.getKey().equals(OperatingPoint.THREADS)
                        || e.getValue().equals(b.get(e.getKey())));
    }
}
