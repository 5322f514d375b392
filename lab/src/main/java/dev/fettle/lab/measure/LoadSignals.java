package dev.fettle.lab.measure;

import dev.fettle.load.Window;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.TimelineRecorder;

/** Figures from the load engine's windows, on the watch's timeline. */
final class LoadSignals {
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private LoadSignals() {}

    static void put(TimelineRecorder timeline, Window w) {
        double seconds = (w.endNanos() - w.startNanos()) / NANOS;
        if (seconds <= 0) {
            return;
        }
        put(timeline, w, Signals.LOAD_RATE, w.responses() / seconds);
        put(timeline, w, Signals.LOAD_ERRORS, w.failed() / seconds);
        put(timeline, w, Signals.LOAD_INFLIGHT, w.busyNanos() / NANOS / seconds);
        if (w.latency().getTotalCount() > 0) {
            put(timeline, w, Signals.LOAD_P50, w.latency().getValueAtPercentile(50) / NANOS_PER_MILLI);
            put(timeline, w, Signals.LOAD_P99, w.latency().getValueAtPercentile(99) / NANOS_PER_MILLI);
        }
    }

    private static void put(TimelineRecorder timeline, Window w, String id, double value) {
        timeline.span(id, w.startNanos(), w.endNanos(), value);
    }
}
