package dev.fettle.lab.measure;

import dev.fettle.load.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Load measured without a break, in few histograms however long it was: the whole of a single trial, or one slice of a pair's.
 *
 * <p>A slice is short compared with the slowest requests. So rates come from its measured part, and latencies from every
 * request begun in the slice, including those in flight when the measured part began and those that ended after it: otherwise a
 * request that takes longer than a slice would never be counted.
 */
final class Segment {
    /** Windows are merged this many at a time; a merged one takes as much memory as any. */
    private static final int PENDING = 4;

    private final List<Window> measured = new ArrayList<>();
    private final List<Window> before;
    private final List<Window> after = new ArrayList<>();

    /** @param settling windows of the slice from before its measured part */
    Segment(List<Window> settling) {
        before = new ArrayList<>(settling);
    }

    void add(Window w) {
        add(w, measured);
    }

    /** Adds requests begun in it that ended after it. */
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

    /** The measured part, and requests that ended after it. */
    List<Window> toTheEnd() {
        return together(List.of(), measured, after);
    }

    /** Everything from the start of its load to the end of its last request. */
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

    /** Number of histograms kept. */
    int kept() {
        return before.size() + measured.size() + after.size();
    }
}
