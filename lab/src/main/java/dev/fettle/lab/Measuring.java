package dev.fettle.lab;

import dev.fettle.insight.Latencies;
import dev.fettle.load.Window;
import dev.fettle.model.Measurement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Collects the load engine's windows of one trial and turns them into a {@link Measurement}. Not thread-safe. */
public final class Measuring {
    private final List<Measurement.Window> series = new ArrayList<>();
    private final List<Window> measured = new ArrayList<>();
    private long begin = -1;
    private long failed;

    /** Adds a window; {@code isMeasured} is false for the warm-up. */
    public void add(Window w, boolean isMeasured) {
        if (begin < 0) {
            begin = w.startNanos();
        }
        failed += w.failed();
        series.add(new Measurement.Window(
                (w.startNanos() - begin) / 1e9,
                (w.endNanos() - w.startNanos()) / 1e9,
                w.responses(),
                w.failed(),
                w.latency().getTotalCount() == 0 ? 0 : w.latency().getValueAtPercentile(99),
                isMeasured));
        if (isMeasured) {
            measured.add(w);
        }
    }

    /** All windows so far. */
    List<Measurement.Window> series() {
        return List.copyOf(series);
    }

    /** The last window added. */
    Measurement.Window last() {
        return series.getLast();
    }

    /** Seconds since the last window with a valid response, or since the load began. */
    double silentFor() {
        double now = series.getLast().at() + series.getLast().seconds();
        return series.reversed().stream()
                .filter(w -> w.responses() > 0)
                .findFirst()
                .map(w -> now - w.at() - w.seconds())
                .orElse(now);
    }

    /** Failed requests since the load began. */
    long failedSoFar() {
        return failed;
    }

    /** The busiest generator thread's share of a core over the measuring phase. */
    public double generatorCpuShare() {
        return measured.isEmpty() ? 0 : Window.merge(measured).maxCpuShare();
    }

    /**
     * The measurement.
     *
     * @param connectionsOpen connections achieved at the end
     * @throws IllegalStateException if nothing was measured
     */
    public Measurement measurement(int connectionsOpen) {
        if (measured.isEmpty()) {
            throw new IllegalStateException("no measured window");
        }
        Window all = Window.merge(measured);
        var errors = new TreeMap<String, Long>();
        var examples = new TreeMap<String, String>();
        all.errors().forEach((kind, count) -> {
            errors.put(kind.name(), count.count());
            examples.put(kind.name(), count.example());
        });
        return new Measurement(
                Duration.ofNanos(all.endNanos() - all.startNanos()),
                all.responses(),
                errors,
                examples,
                all.statuses(),
                all.bytesRead(),
                all.busyNanos() / 1e9,
                Latencies.summary(all.latency()),
                Latencies.summary(all.connect()),
                all.reconnects(),
                connectionsOpen,
                series,
                encode(all.latency()));
    }

    private static String encode(Histogram h) {
        ByteBuffer buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }
}
