package dev.fettle.insight.surface;

import java.util.List;

/**
 * A place on a surface.
 *
 * @param at a coordinate per axis: from 0 to 1 where the axis is ordered, the number of a value where it is not; NaN where the
 *     axis has no meaning because of the others, or its value is not known
 */
public record Point(List<Double> at) {
    public Point {
        at = List.copyOf(at);
    }

    double[] array() {
        double[] a = new double[at.size()];
        for (int i = 0; i < a.length; i++) {
            a[i] = at.get(i);
        }
        return a;
    }
}
