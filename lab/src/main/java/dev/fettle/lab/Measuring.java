package dev.fettle.lab;

import dev.fettle.insight.Latencies;
import dev.fettle.insight.LeftOver;
import dev.fettle.load.Window;
import dev.fettle.model.Answers;
import dev.fettle.model.Arrivals;
import dev.fettle.model.LatencySummary;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.model.Measurement.Detail;
import dev.fettle.model.Scenario;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * Collects the load engine's windows of one trial and turns them into a {@link Measurement}. What it keeps is bounded,
 * however long the load lasts. Not thread-safe.
 */
public final class Measuring {
    /** Windows are merged by so many at a time: a merged one costs as much as any. */
    private static final int PENDING = 4;

    private final Series series = new Series();
    private final List<Window> measured = new ArrayList<>();
    private final boolean open;
    private final List<String> steps;
    private long begin;
    private boolean begun;
    private long failed;
    /** How long a request waited, and was served, before measuring began; seconds. */
    private double waitBefore;

    private double serviceBefore;
    private Optional<LeftOver> left = Optional.empty();
    /** Connects of a warm-up that count, too. */
    private final Histogram earlierConnects = new Histogram(3);

    /** Of a closed load without steps. */
    public Measuring() {
        this(false, List.of());
    }

    /** Of a load. */
    Measuring(Load load) {
        this(
                load.arrivals() instanceof Arrivals.Open,
                load.scenario().map(Scenario::stepNames).orElse(List.of()));
    }

    /**
     * Of any load.
     *
     * @param open whether requests are due on a schedule
     * @param steps names of the scenarios' steps, in the engine's order
     */
    public Measuring(boolean open, List<String> steps) {
        this.open = open;
        earlierConnects.setAutoResize(true);
        this.steps = List.copyOf(steps);
    }

    /** Adds a window; {@code isMeasured} is false for the warm-up. */
    public void add(Window w, boolean isMeasured) {
        if (!begun) {
            begun = true;
            begin = w.startNanos();
        }
        failed += w.failed();
        LatencySummary latency = Latencies.summary(w.latency());
        series.add(new Measurement.Window(
                (w.startNanos() - begin) / 1e9,
                (w.endNanos() - w.startNanos()) / 1e9,
                w.responses(),
                w.failed(),
                latency.p50(),
                latency.p90(),
                latency.p99(),
                latency.max(),
                isMeasured));
        if (!isMeasured && w.responses() > 0) {
            serviceBefore = w.service().getMean() / 1e9;
            waitBefore = w.latency().getMean() / 1e9 - serviceBefore;
        }
        if (isMeasured) {
            measured.add(w);
            if (measured.size() > PENDING) {
                Window sum = Window.merge(measured);
                measured.clear();
                measured.add(sum);
            }
        }
    }

    /** Adds a window of the warm-up whose connects count: connections that are kept are not made again while it is measured. */
    void addKeepingConnects(Window w) {
        add(w, false);
        earlierConnects.add(w.connect());
    }

    /**
     * Takes from the window in which an open load ended, right after what was measured, how much it was left with.
     *
     * @throws IllegalStateException if nothing was measured
     */
    void addEnd(Window end) {
        Window all = merged();
        left = Optional.of(LeftOver.of(
                (all.endNanos() - all.startNanos()) / 1e9,
                all.responses() + all.failed(),
                end.unsent(),
                end.abandoned(),
                waitBefore,
                serviceBefore));
    }

    private Window merged() {
        if (measured.isEmpty()) {
            throw new IllegalStateException("no measured window");
        }
        return Window.merge(measured);
    }

    /** The run so far. */
    List<Measurement.Window> series() {
        return series.windows();
    }

    /** Histograms kept at the moment. */
    int kept() {
        return measured.size();
    }

    /** The last window added. */
    Measurement.Window last() {
        return series.last();
    }

    /** Seconds since the last window with a valid response, or since the load began. */
    double silentFor() {
        return series.silentFor();
    }

    /** Failed requests since the load began. */
    long failedSoFar() {
        return failed;
    }

    /** The busiest generator thread's share of a core over the measuring phase. */
    public double generatorCpuShare() {
        return measured.isEmpty() ? 0 : Window.merge(measured).maxCpuShare();
    }

    /** How late requests left the generator at p99; empty where nothing was sent on a schedule. */
    public OptionalDouble sendLagP99Millis() {
        if (!open || measured.isEmpty()) {
            return OptionalDouble.empty();
        }
        Histogram lag = Window.merge(measured).sendLag();
        return lag.getTotalCount() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(lag.getValueAtPercentile(99) / 1e6);
    }

    /**
     * The measurement, without notes.
     *
     * @param connectionsOpen connections achieved at the end
     * @throws IllegalStateException if nothing was measured
     */
    public Measurement measurement(int connectionsOpen) {
        return measurement(connectionsOpen, List.of());
    }

    /**
     * The measurement.
     *
     * @param connectionsOpen connections achieved at the end
     * @param notes what the engine said about how it was done
     * @throws IllegalStateException if nothing was measured
     */
    public Measurement measurement(int connectionsOpen, List<String> notes) {
        Window all = merged();
        Histogram connects = all.connect().copy();
        connects.add(earlierConnects);
        return new Measurement(
                Duration.ofNanos(all.endNanos() - all.startNanos()),
                all.responses(),
                ErrorKinds.counts(all.errors()),
                ErrorKinds.examples(all.errors()),
                all.statuses(),
                all.bytesRead(),
                all.busyNanos() / 1e9,
                Latencies.summary(all.latency()),
                Latencies.summary(connects),
                all.reconnects(),
                connectionsOpen,
                series.windows(),
                encode(all.latency()),
                detail(all, notes));
    }

    private Measurement.Offered offered(Window all) {
        long unsent = left.map(LeftOver::unsent).orElse(all.unsent());
        long unanswered = left.map(LeftOver::unanswered).orElse(0L);
        long due = all.responses() + all.failed() + all.abandoned() + unsent + unanswered;
        return new Measurement.Offered(due, all.held(), unsent, unanswered);
    }

    private Detail detail(Window all, List<String> notes) {
        return new Detail(
                Latencies.summary(all.service()),
                Latencies.summary(all.firstByte()),
                Latencies.summary(all.sendLag()),
                open ? Optional.of(offered(all)) : Optional.empty(),
                steps(all),
                all.abandoned(),
                all.bytesWritten(),
                notes,
                open ? encode(all.service()) : "",
                answers(all));
    }

    private List<Answers> answers(Window all) {
        var named = new ArrayList<Answers>();
        for (int i = 0; i < all.answers().size(); i++) {
            var seen = all.answers().get(i);
            String step = i < steps.size() ? steps.get(i) : "";
            var shapes = new ArrayList<Answers.Shape>();
            seen.shapes().forEach((s, n) -> shapes.add(new Answers.Shape(s.status(), s.shortest(), s.longest(), n)));
            shapes.sort(Comparator.comparingLong(Answers.Shape::count)
                    .reversed()
                    .thenComparing(Answers.Shape::status)
                    .thenComparing(Answers.Shape::shortest));
            var contents = new ArrayList<Answers.Content>();
            seen.contents()
                    .forEach((c, n) -> contents.add(
                            new Answers.Content(c.status(), c.length(), String.format("%08x", c.hash()), n)));
            contents.sort(
                    Comparator.comparingLong(Answers.Content::count).reversed().thenComparing(Answers.Content::hash));
            named.add(new Answers(step, shapes, contents, seen.otherContents()));
        }
        return named;
    }

    private List<Measurement.Step> steps(Window all) {
        var named = new ArrayList<Measurement.Step>();
        for (int i = 0; i < all.steps().size(); i++) {
            var step = all.steps().get(i);
            String name = i < steps.size() ? steps.get(i) : "step " + (i + 1);
            named.add(new Measurement.Step(name, Latencies.summary(step.latency()), step.failed()));
        }
        return named;
    }

    private static String encode(Histogram h) {
        ByteBuffer buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
