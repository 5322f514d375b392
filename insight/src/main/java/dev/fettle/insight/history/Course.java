package dev.fettle.insight.history;

import dev.fettle.model.plan.GateMetric;
import java.util.List;
import java.util.Optional;

/**
 * One metric over the runs of a series.
 *
 * @param points of the runs that have the figure and are valid, oldest first
 * @param changes in order
 * @param drift what the machine did by itself; empty where no program was measured in several runs
 */
public record Course(GateMetric metric, List<Point> points, List<Change> changes, Optional<Drift> drift) {
    public Course {
        points = List.copyOf(points);
        changes = List.copyOf(changes);
    }

    /**
     * A run's figure.
     *
     * @param figure without what the machine did by itself, as far as that is known; in the metric's unit
     * @param measured as it was measured
     */
    public record Point(PastRun run, double figure, double measured) {}

    /**
     * A change that was reported, and stays.
     *
     * @param at the first point after it
     * @param from the first point at which it may have come as well
     * @param to the last one
     * @param seen how many points there were when it was seen
     * @param p of the t-test at that time
     * @param before mean of the points before it, back to the change before, as they are known now
     * @param after mean of the points from it on, up to the next change, as they are known now
     * @param loss whether it was for the worse, when it was seen
     * @param besides what else is other than in the run before: {@code kernel Linux 6.1, before Linux 6.0}
     */
    public record Change(
            int at,
            int from,
            int to,
            int seen,
            double p,
            double before,
            double after,
            boolean loss,
            List<String> besides) {
        public Change {
            besides = List.copyOf(besides);
        }

        /** How much, as a gate has it: a ratio, or of errors a difference. */
        public double size(GateMetric metric) {
            return metric == GateMetric.ERRORS ? after - before : after / before;
        }
    }

    /**
     * What the machine did by itself, seen on a program that several runs measured.
     *
     * @param least the lowest level over the mean; of errors the difference to it
     * @param most the highest
     * @param programs how many programs were measured for it one after another
     * @param runs of which it is known
     */
    public record Drift(double least, double most, int programs, int runs) {}

    /** Whether anything could have been found. */
    public boolean enough(Levels levels) {
        return points.size() >= 2 * levels.least();
    }

    /** The mean since the newest change; NaN of no points. */
    public double now() {
        int from = newest().map(Change::at).orElse(0);
        return points.subList(from, points.size()).stream()
                .mapToDouble(Point::figure)
                .average()
                .orElse(Double.NaN);
    }

    /** The newest change. */
    public Optional<Change> newest() {
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
    }
}
