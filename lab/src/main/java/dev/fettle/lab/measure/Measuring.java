package dev.fettle.lab.measure;

import dev.fettle.insight.gate.Backlog;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.load.SenderCount;
import dev.fettle.load.SenderState;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Detail;
import dev.fettle.model.trial.Slice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Collects the load engine's windows of one trial and turns them into a {@link Measurement}. Consecutive measured windows are a
 * stretch: a single trial has one, a trial of a pair one per slice. Memory per stretch is bounded, however long the load lasts.
 * Not thread-safe.
 */
public final class Measuring {
    /** A pause of the server, or of this machine, may make all that is under way wait for a moment. */
    private static final long LEAST_STUCK_NANOS = 1_000_000_000;

    private final WindowSeries series = new WindowSeries();
    private final List<Segment> stretches = new ArrayList<>();
    private final List<Window> settling = new ArrayList<>();
    private final boolean open;
    /** Whether requests wait for a time that the generator must keep, and it is judged by how well it did. */
    private final boolean timed;

    private final WrongAnswers samples;
    private final StepTotals steps;
    private OptionalLong begin;
    private boolean inStretch;
    private boolean firstWindow = true;
    /** Whether the load began with what is measured. */
    private boolean fromIdle;

    private long failed;
    /** Mean waiting and service time of a request before measuring began, in seconds. */
    private double waitBefore;

    private double serviceBefore;
    private Optional<Backlog> left = Optional.empty();
    private List<Slice> slices = List.of();
    private List<Slice> stages = List.of();
    /** Connects from a warm-up that also count. */
    private final Histogram earlierConnects = new Histogram(3);

    private final Histogram runUpLag = new Histogram(3);
    /** How long what was under way when the load ended had waited. */
    private final Histogram underWay = new Histogram(3);

    /** Measures a bench, which begins with its first window. The generator must keep its clients' think times, too. */
    static Measuring ofBench(Load load) {
        boolean thinks = load.arrivals() instanceof Arrivals.Closed closed
                        && !closed.think().isZero()
                || load.scenario().map(Scenario::thinks).orElse(false);
        return new Measuring(load, isOpen(load) || thinks, OptionalLong.empty());
    }

    /** @param begin the time of the lab's clock at which its timeline starts; empty: with the first window */
    Measuring(Load load, OptionalLong begin) {
        this(load, isOpen(load), begin);
    }

    private static boolean isOpen(Load load) {
        return load.arrivals() instanceof Arrivals.Open;
    }

    private Measuring(Load load, boolean timed, OptionalLong begin) {
        this(
                isOpen(load),
                timed,
                load.scenario().map(Scenario::stepNames).orElse(List.of()),
                new WrongAnswers(Optional.of(load)),
                begin);
    }

    Measuring(boolean open, boolean timed, List<String> steps, WrongAnswers samples, OptionalLong begin) {
        this.open = open;
        this.timed = timed;
        this.samples = samples;
        earlierConnects.setAutoResize(true);
        runUpLag.setAutoResize(true);
        underWay.setAutoResize(true);
        this.steps = new StepTotals(steps, samples);
        this.begin = begin;
    }

    /** Adds a window; {@code isMeasured} is false for the warm-up. */
    public void add(Window w, boolean isMeasured) {
        point(w, isMeasured);
        if (!isMeasured) {
            inStretch = false;
            return;
        }
        if (!inStretch) {
            stretches.add(new Segment(settling));
            settling.clear();
            inStretch = true;
        }
        stretches.getLast().add(w);
    }

    private void point(Window w, boolean isMeasured) {
        if (begin.isEmpty()) {
            begin = OptionalLong.of(w.startNanos());
        }
        fromIdle = firstWindow ? isMeasured : fromIdle;
        firstWindow = false;
        failed += w.failed();
        LatencySummary latency = Latencies.summary(w.latency());
        series.add(
                new Measurement.Window(
                        (w.startNanos() - begin.getAsLong()) / 1e9,
                        (w.endNanos() - w.startNanos()) / 1e9,
                        w.responses(),
                        w.failed(),
                        latency.p50(),
                        latency.p90(),
                        latency.p99(),
                        latency.max(),
                        isMeasured),
                answered(w));
        // a load that begins with what is measured finds no queue, and its first answers tell what is normally under
        // way
        if (fromIdle && serviceBefore == 0 && w.responses() > 0) {
            serviceBefore = w.service().getMean() / 1e9;
        }
        if (!isMeasured && stretches.isEmpty() && w.responses() > 0) {
            serviceBefore = w.service().getMean() / 1e9;
            waitBefore = w.latency().getMean() / 1e9 - serviceBefore;
        }
    }

    /** Whether an answer came: wrong ones are answers, too. */
    private static boolean answered(Window w) {
        return w.responses() > 0
                || !w.statuses().isEmpty()
                || w.errors().keySet().stream().anyMatch(k -> k.isWrongAnswer());
    }

    /** Adds a warm-up window whose connects count, since kept-alive connections are not opened again while measuring. */
    void addKeepingConnects(Window w) {
        add(w, false);
        earlierConnects.add(w.connect());
    }

    /**
     * Adds a window of the run-up to an open load's measuring phase. Requests that leave late in it may be answered in
     * the measured time, so their delay counts in {@link #sendLagP99Millis}.
     */
    void addRunUp(Window w) {
        add(w, false);
        runUpLag.add(w.sendLag());
    }

    /** Adds the settling window of a slice: its requests count in the slice's latencies. */
    void addSettling(Window w) {
        add(w, false);
        settling.add(w);
    }

    /**
     * Adds requests that ended while nothing new was sent, to the slice they began in; that time is not part of the run over
     * time.
     *
     * @param awaited whether answers were awaited all that time, so that it counts as silence if none came
     */
    void addEnded(Window w, boolean awaited) {
        failed += w.failed();
        inStretch = false;
        if (awaited) {
            series.waited((w.endNanos() - w.startNanos()) / 1e9, answered(w));
        }
        if (!stretches.isEmpty()) {
            stretches.getLast().ended(w);
        }
    }

    /** Removes stretches, by number from 0, as if they had not been measured. */
    void takeOut(Set<Integer> numbers) {
        for (int i = stretches.size() - 1; i >= 0; i--) {
            if (numbers.contains(i)) {
                List<Window> all = stretches.remove(i).measured();
                series.notMeasured(
                        at(all.getFirst().startNanos()), at(all.getLast().endNanos()));
            }
        }
    }

    private double at(long nanos) {
        return (nanos - begin.orElse(nanos)) / 1e9;
    }

    /**
     * Computes an open load's backlog from the window in which it ended, right after the measured time.
     *
     * @throws IllegalStateException if nothing was measured
     */
    void addEnd(Window end) {
        underWay.add(end.abandonedAge());
        leave(merged(Segment::measured), end.unsent(), end.abandoned());
    }

    /**
     * The same where the load ended within the measured time: at its end. Whatever was given up or never sent is in one of its windows,
     * not always the last.
     *
     * @throws IllegalStateException if nothing was measured
     */
    void endsHere() {
        Window all = merged(Segment::measured);
        leave(all, all.unsent(), all.abandoned());
    }

    private void leave(Window all, long waiting, long underWay) {
        left = Optional.of(Backlog.of(
                elapsed().toNanos() / 1e9,
                all.responses() + all.failed(),
                waiting,
                underWay,
                waitBefore,
                serviceBefore));
    }

    /** Adds a spike's figures, by window and by stage. */
    void sliced(List<Slice> windows, List<Slice> byStage) {
        slices = windows;
        stages = byStage;
    }

    /** Number of histograms currently kept. */
    int kept() {
        return stretches.stream().mapToInt(Segment::kept).sum();
    }

    /** Whether an answer, right or wrong, came in the stretch that was measured last. */
    boolean answeredInLastStretch() {
        return !stretches.isEmpty() && stretches.getLast().measured().stream().anyMatch(Measuring::answered);
    }

    /** Whether anything was measured, and not only warmed up. */
    boolean hasBegun() {
        return !stretches.isEmpty();
    }

    /** The last window added. */
    public Measurement.Window last() {
        return series.last();
    }

    /** Seconds of load since the last window with an answer, right or wrong, or since the load began. */
    double silentFor() {
        return series.silentFor();
    }

    /** Failed requests since the load began. */
    public long failedSoFar() {
        return failed;
    }

    /** The busiest generator thread's share of a core over the measured time. */
    public double generatorCpuShare() {
        return stretches.isEmpty() ? 0 : merged(Segment::measured).maxCpuShare();
    }

    /**
     * How late the generator was, p99: over requests that left late in the run-up or the measured time, and requests
     * that were due while it was stalled; empty if nothing was sent at a given time.
     */
    public OptionalFigure sendLagP99Millis() {
        if (!timed || stretches.isEmpty()) {
            return OptionalFigure.empty();
        }
        Histogram lag = merged(Segment::toTheEnd).sendLag().copy();
        lag.add(runUpLag);
        return lag.getTotalCount() == 0
                ? OptionalFigure.empty()
                : OptionalFigure.of(lag.getValueAtPercentile(99) / 1e6);
    }

    /**
     * What each process that sends the load did in the measured time.
     *
     * @param states of all of them; empty where this one sends all
     */
    List<AgentFigures> agents(List<SenderState> states) {
        if (states.isEmpty() || stretches.isEmpty()) {
            return List.of();
        }
        var counts = merged(Segment::whole).senders().stream()
                .collect(Collectors.toMap(SenderCount::name, Function.identity()));
        return states.stream()
                .map(s -> {
                    var count = Optional.ofNullable(counts.get(s.name()));
                    return new AgentFigures(
                            s.name(),
                            count.map(SenderCount::responses).orElse(0L),
                            count.map(SenderCount::failed).orElse(0L),
                            Latencies.summary(count.map(SenderCount::latency).orElseGet(Window::growing)),
                            s.lateNanos() / 1e6,
                            s.clockErrorNanos() / 1e6,
                            s.clockMovedNanos() / 1e6,
                            OptionalFigure.of(s.hostCpuShare()),
                            s.lost());
                })
                .toList();
    }

    private Window merged(Function<Segment, List<Window>> part) {
        return Window.merge(
                stretches.stream().flatMap(s -> part.apply(s).stream()).toList());
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
     * @param notes from the engine
     * @throws IllegalStateException if nothing was measured
     */
    public Measurement measurement(int connectionsOpen, List<String> notes) {
        if (stretches.isEmpty()) {
            throw new IllegalStateException("no measured window");
        }
        Window rates = merged(Segment::measured);
        Window times = merged(Segment::whole);
        Histogram connects = rates.connect().copy();
        connects.add(earlierConnects);
        Window toTheEnd = merged(Segment::toTheEnd);
        return new Measurement(
                elapsed(),
                rates.responses(),
                toTheEnd.errorCounts(),
                samples.messages(toTheEnd.errorExamples()),
                rates.statuses(),
                rates.bytesRead(),
                rates.busyNanos() / 1e9,
                Latencies.summary(times.latency()),
                Latencies.summary(connects),
                rates.reconnects(),
                connectionsOpen,
                series.windows(),
                encode(times.latency()),
                detail(rates, times, toTheEnd, notes));
    }

    private Duration elapsed() {
        return stretches.stream().map(Segment::elapsed).reduce(Duration.ZERO, Duration::plus);
    }

    private Measurement.Offered offered(Window rates, Window toTheEnd) {
        long unsent = left.map(Backlog::unsent).orElse(toTheEnd.unsent());
        long unanswered = left.map(Backlog::unanswered).orElse(0L);
        return new Measurement.Offered(rates.due(), toTheEnd.held(), unsent, unanswered);
    }

    private Detail detail(Window rates, Window times, Window toTheEnd, List<String> engine) {
        List<Answers> answers = steps.answers(times);
        List<String> notes = Stream.concat(engine.stream(), answers.stream().flatMap(a -> traces(a).stream()))
                .toList();
        return new Detail(
                Latencies.summary(times.service()),
                Latencies.summary(times.firstByte()),
                Latencies.summary(rates.sendLag()),
                open ? Optional.of(offered(rates, toTheEnd)) : Optional.empty(),
                steps.figures(times),
                toTheEnd.abandoned(),
                rates.bytesWritten(),
                notes,
                open ? encode(times.service()) : "",
                answers,
                slices,
                stages,
                Optional.empty(),
                stuck(times, toTheEnd));
    }

    private static Optional<String> traces(Answers a) {
        return a.slowest().isEmpty()
                ? Optional.empty()
                : Optional.of(Format.whole(a.traced())
                        + " requests named themselves (traceparent); trace ids of the slowest: "
                        + a.slowest().stream()
                                .map(t -> t.id() + " " + Format.time(t.latency()) + (t.valid() ? "" : " (failed)"))
                                .collect(Collectors.joining(", ")));
    }

    private Optional<Measurement.Stuck> stuck(Window times, Window toTheEnd) {
        Histogram ages = toTheEnd.abandonedAge().copy();
        ages.add(underWay);
        long least = Math.max(LEAST_STUCK_NANOS, 2 * times.service().getMaxValue());
        long count = ages.getTotalCount() == 0 || ages.getMaxValue() <= least
                ? 0
                : ages.getCountBetweenValues(ages.nextNonEquivalentValue(least), ages.getMaxValue());
        return count == 0 ? Optional.empty() : Optional.of(new Measurement.Stuck(count, ages.getMaxValue() / 1e9));
    }

    private static String encode(Histogram h) {
        ByteBuffer buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
