package dev.fettle.lab.measure;

import dev.fettle.insight.stats.Latencies;
import dev.fettle.insight.trials.Overload;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The windows of a load of three stages: base, spike, base. */
final class SpikeWindows {
    /** First windows of the base load to skip, while connections are being opened. */
    private static final int SETTLING = 2;

    private final Slo slo;
    private final double spikeBegin;
    private final double spikeEnd;
    private final List<Window> windows = new ArrayList<>();

    SpikeWindows(Slo slo, List<Stage> stages) {
        this.slo = slo;
        this.spikeBegin = seconds(stages.get(0).length());
        this.spikeEnd = spikeBegin + seconds(stages.get(1).length());
    }

    /** Adds a window; returns whether the target has recovered. */
    boolean recovered(Window w) {
        windows.add(w);
        return Overload.recovery(slices(), spikeEnd, slo).isPresent();
    }

    /** Window by window. */
    List<Slice> slices() {
        return windows.stream().map(this::slice).toList();
    }

    /** Before, during and after the spike. */
    List<Slice> stages() {
        int begin = first(spikeBegin);
        int end = first(spikeEnd);
        return List.of(merged(Math.min(SETTLING, begin - 1), begin), merged(begin, end), merged(end, windows.size()));
    }

    /** The first window that begins at or after a moment; windows begin a little later than scheduled. */
    private int first(double at) {
        int i = 0;
        while (i < windows.size() - 1 && at(windows.get(i)) < at - 0.05) {
            i++;
        }
        return i;
    }

    private Slice merged(int from, int to) {
        return slice(Window.merge(windows.subList(from, Math.max(to, from + 1))));
    }

    private double at(Window w) {
        return (w.startNanos() - windows.getFirst().startNanos()) / 1e9;
    }

    private Slice slice(Window w) {
        long limit = (long) slo.longestLatency().orElse(Long.MAX_VALUE);
        return new Slice(
                at(w),
                w.elapsed().toNanos() / 1e9,
                w.responses(),
                Math.min(
                        w.responses(),
                        w.latency()
                                .getCountBetweenValues(
                                        0, Math.min(limit, w.latency().getHighestTrackableValue()))),
                w.failed(),
                w.abandoned() + w.unsent(),
                w.held(),
                w.errorCounts(),
                Latencies.summary(w.latency()));
    }

    private static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }
}
