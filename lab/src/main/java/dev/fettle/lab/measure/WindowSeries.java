package dev.fettle.lab.measure;

import dev.fettle.model.trial.Measurement;
import java.util.ArrayList;
import java.util.List;

/**
 * A load over time in a bounded number of points: when there are too many, neighbours are merged and each point from then on
 * covers twice the time. Warm-up and measuring phase are never mixed.
 */
final class WindowSeries {
    static final int MOST = 3_600;

    private final List<Measurement.Window> points = new ArrayList<>();
    private Measurement.Window last = new Measurement.Window(0, 0, 0, 0, 0, false);
    private double silent;
    /** Windows in a full point, a power of two. */
    private int width = 1;

    private int inLast;

    /** @param answered whether an answer came, right or wrong */
    void add(Measurement.Window w, boolean answered) {
        last = w;
        waited(w.seconds(), answered);
        if (inLast < width && inLast > 0 && points.getLast().measured() == w.measured()) {
            points.set(points.size() - 1, points.getLast().plus(w));
            inLast++;
            return;
        }
        points.add(w);
        inLast = 1;
        if (points.size() > MOST) {
            halve();
        }
    }

    /** Adds time spent waiting for answers, without a point. */
    void waited(double seconds, boolean answered) {
        silent = answered ? 0 : silent + seconds;
    }

    private void halve() {
        var half = new ArrayList<Measurement.Window>(MOST);
        int i = 0;
        while (i < points.size()) {
            Measurement.Window w = points.get(i);
            if (i + 1 < points.size() && w.measured() == points.get(i + 1).measured()) {
                half.add(w.plus(points.get(i + 1)));
                if (i + 2 == points.size()) {
                    inLast += width;
                }
                i += 2;
            } else {
                half.add(w);
                i++;
            }
        }
        points.clear();
        points.addAll(half);
        width *= 2;
    }

    List<Measurement.Window> windows() {
        return List.copyOf(points);
    }

    /** The last window, unmerged. */
    Measurement.Window last() {
        return last;
    }

    /** Seconds spent waiting for answers since the last window with one, or since the load began. */
    double silentFor() {
        return silent;
    }

    /** Marks the windows of a span as not measured. */
    void notMeasured(double from, double to) {
        points.replaceAll(w -> w.at() >= from && w.at() < to ? w.asMeasured(false) : w);
    }
}
