package dev.fettle.lab.capacity;

import dev.fettle.insight.capacity.Overload;
import dev.fettle.insight.capacity.OverloadResult;
import dev.fettle.insight.capacity.Slice;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.lab.engine.ErrorKinds;
import dev.fettle.lab.journal.CapacityOptions;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.Window;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One open load in three stages: base, spike, base. */
final class SpikeDriver {
    private static final Duration BEFORE = Duration.ofSeconds(5);
    /** The first of the base load are connections being opened. */
    private static final int SETTLING = 2;

    private final Prober prober;
    private final Slo slo;
    private final CapacityOptions.Spike spike;
    private final CapacityListener listener;

    SpikeDriver(Prober prober, Slo slo, CapacityOptions.Spike spike, CapacityListener listener) {
        this.prober = prober;
        this.slo = slo;
        this.spike = spike;
        this.listener = listener;
    }

    /** @param reference arrivals a second that the factor and the base are of */
    OverloadResult run(double reference) throws LabException, InterruptedException {
        double base = spike.base() * reference;
        double high = spike.factor() * reference;
        var windows = new ArrayList<Window>();
        double spikeEnd = seconds(BEFORE.plus(spike.length()));
        prober.stages(
                List.of(
                        Prober.stage(base, BEFORE),
                        Prober.stage(high, spike.length()),
                        Prober.stage(base, spike.watch())),
                w -> {
                    windows.add(w);
                    tell(windows, spikeEnd, w);
                    return Overload.recovery(slices(windows), spikeEnd, slo).isPresent();
                });
        List<Slice> slices = slices(windows);
        int begin = first(slices, seconds(BEFORE));
        int end = first(slices, spikeEnd);
        return Overload.result(
                slo,
                base,
                high,
                merged(windows, Math.min(SETTLING, begin - 1), begin),
                merged(windows, begin, end),
                merged(windows, end, windows.size()),
                slices);
    }

    private void tell(List<Window> windows, double spikeEnd, Window w) {
        double at = at(windows, w);
        listener.goesOn(
                at < seconds(BEFORE) ? "base load" : at < spikeEnd ? "spike" : "base load after the spike",
                w.responsesPerSecond(),
                w.latency().getTotalCount() == 0 ? 0 : w.latency().getValueAtPercentile(99) / 1e6);
    }

    /** The first window that begins at or after a moment; windows begin a little after the moment they are meant for. */
    private static int first(List<Slice> slices, double at) {
        int i = 0;
        while (i < slices.size() - 1 && slices.get(i).at() < at - 0.05) {
            i++;
        }
        return i;
    }

    private List<Slice> slices(List<Window> windows) {
        return windows.stream().map(w -> slice(w, at(windows, w))).toList();
    }

    private Slice merged(List<Window> windows, int from, int to) {
        Window all = Window.merge(windows.subList(from, Math.max(to, from + 1)));
        return slice(all, at(windows, all));
    }

    private static double at(List<Window> windows, Window w) {
        return (w.startNanos() - windows.getFirst().startNanos()) / 1e9;
    }

    private Slice slice(Window w, double at) {
        long limit = (long) slo.longestLatency().orElse(Long.MAX_VALUE);
        return new Slice(
                at,
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
                ErrorKinds.counts(w.errors()),
                Latencies.summary(w.latency()));
    }

    private static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }
}
