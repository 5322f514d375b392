package dev.fettle.insight.history;

import dev.fettle.insight.history.Course.Drift;
import dev.fettle.model.plan.GateMetric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Takes out of the figures what the machine did by itself. A gate loads its base in turn with its head, so what hits one hits the other: where
 * several runs have one base, a figure is what its run's base says, over the mean of that base's figures. A base that only one run has says
 * nothing of the machine, and that run's figure is left as it was measured.
 *
 * @param metric which decides whether figures are ratios or differences
 */
record Reference(GateMetric metric) {
    /** The figures of runs, oldest first. */
    double[] takenOut(List<PastRun> runs) {
        Map<String, Double> levels = levels(runs);
        return runs.stream().mapToDouble(r -> takenOut(r, levels)).toArray();
    }

    private double takenOut(PastRun run, Map<String, Double> levels) {
        PastRun.Figure f = figure(run);
        Double level = levels.get(run.reference());
        if (!isKnown(run) || level == null) {
            return f.value();
        }
        double base = f.reference().getAsDouble();
        return metric == GateMetric.ERRORS ? Math.max(0, f.value() - base + level) : f.value() / base * level;
    }

    /** The mean of each base that more than one run has. */
    private Map<String, Double> levels(List<PastRun> runs) {
        var sums = new HashMap<String, double[]>();
        runs.stream().filter(this::isKnown).forEach(r -> {
            double[] sum = sums.computeIfAbsent(r.reference(), k -> new double[2]);
            sum[0] += scale(figure(r).reference().getAsDouble());
            sum[1]++;
        });
        var levels = new HashMap<String, Double>();
        sums.forEach((name, sum) -> {
            if (sum[1] > 1) {
                levels.put(name, unscale(sum[0] / sum[1]));
            }
        });
        return levels;
    }

    /** How far the machine went; empty if no base is that of several runs. */
    Optional<Drift> drift(List<PastRun> runs) {
        Map<String, Double> levels = levels(runs);
        double[] gone = runs.stream()
                .filter(r -> isKnown(r) && levels.containsKey(r.reference()))
                .mapToDouble(r -> {
                    double base = figure(r).reference().getAsDouble();
                    double level = levels.getOrDefault(r.reference(), base);
                    return metric == GateMetric.ERRORS ? base - level : base / level;
                })
                .toArray();
        if (gone.length == 0) {
            return Optional.empty();
        }
        double least = gone[0];
        double most = gone[0];
        for (double g : gone) {
            least = Math.min(least, g);
            most = Math.max(most, g);
        }
        return Optional.of(new Drift(least, most, levels.size(), gone.length));
    }

    private PastRun.Figure figure(PastRun run) {
        return Objects.requireNonNull(run.figures().get(metric));
    }

    /** Of ratios, means are geometric. */
    private boolean isKnown(PastRun run) {
        return !run.reference().isEmpty()
                && figure(run).reference().is(v -> metric == GateMetric.ERRORS ? v >= 0 : v > 0);
    }

    private double scale(double figure) {
        return metric == GateMetric.ERRORS ? figure : StrictMath.log(figure);
    }

    private double unscale(double mean) {
        return metric == GateMetric.ERRORS ? mean : StrictMath.exp(mean);
    }
}
