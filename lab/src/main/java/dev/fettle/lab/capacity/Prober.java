package dev.fettle.lab.capacity;

import dev.fettle.insight.capacity.CapacitySearch.Step.Offer;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeEvidence;
import dev.fettle.insight.capacity.ProbeOutlook;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.lab.engine.ErrorKinds;
import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.journal.CapacityOptions;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Arrivals.Stage;
import dev.fettle.model.load.Load;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Puts open loads, and light closed ones, on a target. */
public final class Prober {
    static final Duration WINDOW = Duration.ofMillis(500);
    /** Connections are opened and queues form in this time, which is not measured. */
    private static final Duration SETTLE = Duration.ofSeconds(1);

    private final Load load;
    private final ProbeTarget target;
    private final CapacityOptions options;
    private final Optional<ProbeWatch> watch;

    /** @param load what is sent, and over how many connections at most; its own arrivals and times are not used */
    public Prober(Load load, ProbeTarget target, CapacityOptions options) {
        this.load = load;
        this.target = target;
        this.options = options;
        this.watch = target.watch();
    }

    /**
     * Offers a rate: settles, measures, and waits for the answers that were due by then. It ends at once when the SLO can't be
     * met any more; then what was under way counts as neither good nor bad.
     */
    public Probe probe(Offer offer, int ordinal, Consumer<Window> live) throws LabException, InterruptedException {
        long begin = System.nanoTime();
        Duration settle = SETTLE.compareTo(options.probe()) < 0 ? SETTLE : options.probe();
        Duration length = settle.plus(options.probe());
        var measured = new ArrayList<Window>();
        Optional<Window> late = Optional.empty();
        Optional<ProbeEvidence> evidence;
        try (LoadRun run = start(open(List.of(stage(offer.rate(), length)), ordinal), length, drain())) {
            watch.ifPresent(ProbeWatch::begin); // its first looks belong to what is not measured
            window(run, settle, live);
            watch.ifPresent(ProbeWatch::sample);
            boolean lost = false;
            watch.ifPresent(ProbeWatch::begin);
            for (Duration left = options.probe(); left.isPositive() && !lost; left = left.minus(WINDOW)) {
                measured.add(window(run, left.compareTo(WINDOW) < 0 ? left : WINDOW, live));
                watch.ifPresent(ProbeWatch::sample);
                lost = isLost(offer.rate(), length, Window.merge(measured));
            }
            evidence = watch.map(ProbeWatch::end);
            if (!lost) {
                run.awaitDone(drain().plusSeconds(5));
                late = Optional.of(run.takeWindow());
            }
        }
        return probe(offer, Window.merge(measured), late, evidence, Duration.ofNanos(System.nanoTime() - begin));
    }

    private boolean isLost(double rate, Duration length, Window soFar) {
        return ProbeOutlook.isLost(options.slo(), rate, length.toNanos() / 1e9, soFar.latency(), soFar.failed());
    }

    private static Probe probe(
            Offer offer, Window measured, Optional<Window> late, Optional<ProbeEvidence> evidence, Duration took) {
        Window all = late.map(w -> Window.merge(List.of(measured, w))).orElse(measured);
        double seconds = measured.elapsed().toNanos() / 1e9;
        return new Probe(
                offer.phase(),
                offer.rate(),
                seconds,
                measured.responses() / seconds,
                measured.responses() + measured.failed(),
                all.responses(),
                all.failed(),
                all.abandoned() + all.unsent(),
                all.held(),
                ErrorKinds.counts(all.errors()),
                ErrorKinds.examples(all.errors()),
                Latencies.summary(all.latency()),
                all.sendLag().getTotalCount() == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(all.sendLag().getValueAtPercentile(99) / 1e6),
                measured.maxCpuShare(),
                took,
                evidence);
    }

    /** A closed load of a few clients, window by window, until the consumer of windows has seen enough or time is over. */
    void closed(int clients, Duration window, Duration atMost, Predicate<Window> enough)
            throws LabException, InterruptedException {
        Load few =
                load.withConnections(Math.min(clients, load.connections())).withArrivals(Arrivals.Closed.BACK_TO_BACK);
        try (LoadRun run = start(few, atMost.plusSeconds(1), Duration.ZERO)) {
            long end = System.nanoTime() + atMost.toNanos();
            boolean done = false;
            while (!done && System.nanoTime() < end) {
                run.awaitDone(window);
                target.tend();
                watch.ifPresent(ProbeWatch::sample);
                done = enough.test(run.takeWindow());
            }
        }
    }

    /** An open load of several stages, window by window. */
    void stages(List<Stage> stages, Predicate<Window> enough) throws LabException, InterruptedException {
        Duration length = stages.stream().map(Stage::length).reduce(Duration.ZERO, Duration::plus);
        try (LoadRun run = start(open(stages, 0), length, Duration.ZERO)) {
            boolean done = false;
            while (!done && !run.isDone()) {
                run.awaitDone(WINDOW);
                target.tend();
                done = enough.test(run.takeWindow());
            }
        }
    }

    static Stage stage(double rate, Duration length) {
        return new Stage(rate, rate, length, 1);
    }

    private Window window(LoadRun run, Duration length, Consumer<Window> live)
            throws LabException, InterruptedException {
        run.awaitDone(length);
        target.tend();
        Window w = run.takeWindow();
        live.accept(w);
        return w;
    }

    private Load open(List<Stage> stages, int ordinal) {
        // another seed for each probe, so that a repeat is a repeat of the load and not of its luck
        return load.withArrivals(new Arrivals.Open(stages, options.poisson(), options.seed() + 7919L * ordinal));
    }

    /** Twice the longest latency that the SLO names: what takes longer has broken it. */
    private Duration drain() {
        Duration twice =
                Duration.ofNanos(2 * (long) options.slo().longestLatency().orElse(5e8));
        Duration drain = twice.compareTo(WINDOW) < 0 ? WINDOW : twice;
        return drain.compareTo(load.timeout()) > 0 ? load.timeout() : drain;
    }

    private LoadRun start(Load what, Duration length, Duration drain) throws LabException {
        try {
            return LoadEngine.start(
                    Loads.spec(what, target.address(), OptionalLong.empty(), length, drain, target.generatorCpus()));
        } catch (UncheckedIOException e) {
            throw new LabException("the load can't be offered: " + e.getMessage(), e);
        }
    }
}
