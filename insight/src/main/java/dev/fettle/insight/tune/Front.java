package dev.fettle.insight.tune;

import dev.fettle.insight.surface.Prediction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The Pareto front of two scores, more is better in both, and what one more point may add to it.
 *
 * @param points those that no other dominates, by the first score rising, so by the second falling
 * @param low the corner from which the area below the front is measured: a tenth of the front's extent below its worst values, so
 *     that its ends are worth moving, too
 */
record Front(List<Front.Scores> points, Front.Scores low) {
    /** How far the corner lies below the worst values, as a share of the front's extent. */
    private static final double BELOW = 0.1;
    /** A front of one point has no extent. */
    private static final double LEAST_EXTENT = 0.1;

    /** Both scores of a setting. */
    record Scores(double first, double second) {
        /** Whether it is at least as good in both, and better in one. */
        boolean dominates(Scores o) {
            return first >= o.first && second >= o.second && (first > o.first || second > o.second);
        }
    }

    Front {
        points = List.copyOf(points);
    }

    /** @param all at least one */
    static Front of(List<Scores> all) {
        List<Scores> front = all.stream()
                .filter(p -> all.stream().noneMatch(o -> o.dominates(p)))
                .distinct()
                .sorted(Comparator.comparingDouble(Scores::first))
                .toList();
        Scores left = front.getFirst();
        Scores right = front.getLast();
        double wide = Math.max(right.first() - left.first(), LEAST_EXTENT);
        double high = Math.max(left.second() - right.second(), LEAST_EXTENT);
        return new Front(front, new Scores(left.first() - BELOW * wide, right.second() - BELOW * high));
    }

    boolean has(Scores p) {
        return points.contains(p);
    }

    /**
     * What the area between the front and the corner grows by where every point is better by one unit of one score: the mean of
     * both.
     */
    double perUnit() {
        return (points.getLast().first() - low.first() + points.getFirst().second() - low.second()) / 2;
    }

    /**
     * The area that a setting is expected to add: expected hypervolume improvement, exact for two scores that are independent and
     * normal (Emmerich, Deutz and Klinkenberg 2011, doi 10.1109/CEC.2011.5949880). The area above the front is cut into strips
     * between neighbouring points; in each the gain is a product of one factor a score.
     */
    double expectedGain(Prediction first, Prediction second) {
        double gain = 0;
        var ends = new ArrayList<Double>();
        ends.add(low.first());
        points.forEach(p -> ends.add(p.first()));
        for (int i = 0; i <= points.size(); i++) {
            boolean last = i == points.size();
            double height = last ? low.second() : points.get(i).second();
            double width = first.improvementOver(ends.get(i)) - (last ? 0 : first.improvementOver(ends.get(i + 1)));
            gain += width * second.improvementOver(height);
        }
        return gain;
    }
}
