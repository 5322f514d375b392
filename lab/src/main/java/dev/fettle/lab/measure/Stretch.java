package dev.fettle.lab.measure;

import dev.fettle.load.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A stretch of load that was measured without a break, in few histograms however long it was: all that there is of a trial
 * alone, one slice of a pair's.
 *
 * <p>A slice is short against the slowest requests. So rates come from its measured part, and latencies from every request
 * that was begun in it, with those that were under way when the part began and those that ended after it: otherwise a request
 * that takes longer than a slice would never be seen.
 */
final class Stretch {
    /** Windows are merged by so many at a time: a merged one costs as much as any. */
    private static final int PENDING = 4;

    private final List<Window> measured = new ArrayList<>();
    private final List<Window> before;
    private final List<Window> after = new ArrayList<>();

    /** @param settling windows of the same slice from before it was measured */
    Stretch(List<Window> settling) {
        before = new ArrayList<>(settling);
    }

    void add(Window w) {
        add(w, measured);
    }

    /** What ended after it and had begun in it. */
    void ended(Window w) {
        add(w, after);
    }

    private static void add(Window w, List<Window> to) {
        to.add(w);
        if (to.size() > PENDING) {
            Window sum = Window.merge(to);
            to.clear();
            to.add(sum);
        }
    }

    /** The measured part. */
    List<Window> measured() {
        return measured;
    }

    /** The measured part, and what ended after it. */
    List<Window> toTheEnd() {
        return together(List.of(), measured, after);
    }

    /** Everything from when its load began to when its last request ended. */
    List<Window> whole() {
        return together(before, measured, after);
    }

    private static List<Window> together(List<Window> a, List<Window> b, List<Window> c) {
        var all = new ArrayList<>(a);
        all.addAll(b);
        all.addAll(c);
        return all;
    }

    /** Length of the measured part. */
    Duration elapsed() {
        return Duration.ofNanos(
                measured.getLast().endNanos() - measured.getFirst().startNanos());
    }

    /** Histograms kept. */
    int kept() {
        return before.size() + measured.size() + after.size();
    }
}
