package dev.fettle.lab.measure;

import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.load.JitCompilers;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Plain load on something that is already up, without a launch. By default the warm-up is only for Fettle's own code.
 *
 * @param load the load, measured for {@link Load#measure()}
 * @param warmUp comes before; {@link Load#warmUpAtMost()} is ignored
 * @param requests stop after this many; empty: only the time limits it
 * @param histogramLog where to write an HdrHistogram log
 * @param watched the loaded process, if it is to be watched; the caller closes it
 */
public record Bench(
        Load load,
        WarmUp warmUp,
        InetSocketAddress address,
        OptionalLong requests,
        Optional<Path> histogramLog,
        Optional<Watched> watched) {
    private static final Duration WINDOW = Duration.ofSeconds(1);

    /** At most this long is awaited what its engine says at the end of a load that is stopped. */
    private static final Duration ENDED_WITHIN = Duration.ofSeconds(5);

    /** If a warm-up ends late, as on a starved machine, the load may go on for this much longer. */
    private static final Duration LATE = Duration.ofMinutes(2);

    /**
     * The result of a bench.
     *
     * @param warmUp how long the warm-up was
     * @param evidence about this machine, and about the target if it is watched
     * @param interrupted whether it was stopped early; the figures then cover the time until then
     * @param cold a warning that Fettle's own code was still being compiled and may have been the limit; empty if not
     * @param failure why the load generator failed before the end; empty if it did not
     * @param unlogged why the histogram log is not complete; empty if it is, or none is wanted
     */
    public record Result(
            Duration warmUp,
            Measurement measurement,
            Evidence evidence,
            boolean interrupted,
            Optional<String> cold,
            Optional<String> failure,
            Optional<String> unlogged) {}

    /**
     * One second of a bench, or half a second of its warm-up.
     *
     * @param window its figures
     * @param connections open at the end
     * @param failed failed requests since the load began
     * @param live the same as it was taken
     * @param soFar all until now, made when it is asked for; only while the second is being received
     */
    public record Second(
            Measurement.Window window, int connections, long failed, LiveWindow live, Supplier<SoFar> soFar) {}

    /**
     * A bench that goes on.
     *
     * @param measurement empty while it warms up
     * @param evidence of the timeline alone: nothing is read for it
     */
    public record SoFar(Optional<Measurement> measurement, Evidence evidence) {}

    /**
     * Runs it to its end, or until the thread is interrupted.
     *
     * @param live receives every second, on this thread
     * @throws IllegalArgumentException if the load is impossible; the message says why
     * @throws LabException if this machine can't do it
     */
    public Result run(Consumer<Second> live) throws LabException {
        return run(new Sides(Clock.SYSTEM, new LocalLoad(), this::watch, JitCompilers::workedNanos), live);
    }

    /** The same, sent by others. */
    public Result run(OtherSenders others, Consumer<Second> live) throws LabException {
        return run(new Sides(Clock.SYSTEM, others, this::watch, others::compiledNanos, others::rehearse, false), live);
    }

    /**
     * What a bench touches.
     *
     * @param watch begins to watch, given what else runs on this machine
     * @param compiled CPU time of the senders' own compilers so far, in nanoseconds
     * @param rehearse warms the senders up
     * @param here whether the load is sent from this machine
     */
    record Sides(
            Clock clock,
            LoadPort loads,
            Function<Surroundings, WatchPort> watch,
            LongSupplier compiled,
            BiFunction<LoadPort.Order, WarmUp, Warmed> rehearse,
            boolean here) {
        /** Of a load that this process sends. */
        Sides(Clock clock, LoadPort loads, Function<Surroundings, WatchPort> watch, LongSupplier compiled) {
            this(
                    clock,
                    loads,
                    watch,
                    compiled,
                    (order, warmUp) -> Warmed.rehearsed(Loads.spec(order), warmUp, clock, compiled),
                    true);
        }
    }

    private WatchPort watch(Surroundings around) {
        HostWatch host =
                watched.map(w -> w.watch(around.meter())).orElseGet(() -> HostWatch.ofHost(new Proc(), around.meter()));
        return new LocalWatch(
                host,
                watched.flatMap(w -> w.dumps(load)),
                watched.<Runnable>map(w -> () -> w.sample(host)).orElse(() -> {}),
                OptionalFigure::empty);
    }

    Result run(Sides sides, Consumer<Second> live) throws LabException {
        // after a warm-up on the target, the end is set when it is over
        Duration all = warmUp.rehearsal() || warmUp.isNone()
                ? load.measure()
                : warmUp.atMost().plus(LATE).plus(load.measure());
        var order = new LoadPort.Order(load, address, requests, all, Duration.ZERO, Set.of());
        Loads.spec(order); // refuses what can't be sent before anything is touched
        Warmed rehearsed = rehearsed(sides, order);
        Surroundings around = sides.here()
                ? Surroundings.of(new Proc(), address, watched.map(Watched::pid))
                : Surroundings.withoutLoad(new Proc(), watched.map(Watched::pid));
        WatchPort watch = sides.watch().apply(around);
        watch.begin();
        try (var log = new HistogramLog(histogramLog);
                LoadRun run = sides.loads().start(order)) {
            var going =
                    new Going(new LoadWindows(run, watch, WINDOW, sides.clock()), sides, around, rehearsed, log, live);
            var session = new Session<RuntimeException>();
            if (!warmUp.isNone() && !warmUp.rehearsal()) {
                session.then(TrialStage.WARM_UP, warmUp.atMost(), going::warmUp);
            }
            session.then(TrialStage.MEASURE, load.measure(), going::measure);
            session.run();
            return going.result();
        } catch (UncheckedIOException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new LabException("cannot write the histogram log: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("a bench ends with what it has when it is interrupted", e);
        }
    }

    private Warmed rehearsed(Sides sides, LoadPort.Order order) throws LabException {
        try {
            return warmUp.rehearsal() ? sides.rehearse().apply(order, warmUp) : Warmed.NOT;
        } catch (UncheckedIOException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A bench that has its load. */
    private final class Going {
        private final LoadWindows windows;
        private final LoadRun run;
        private final WatchPort watch;
        private final Sides sides;
        private final Surroundings around;
        private final Warmed rehearsed;
        private final HistogramLog log;
        private final Consumer<Second> live;
        private final Measuring measuring = Measuring.ofBench(load);
        private final RefusedCheck nobody = new RefusedCheck();
        private Warmed warmed;
        private boolean interrupted;
        private int open;
        private long compiled;

        Going(
                LoadWindows windows,
                Sides sides,
                Surroundings around,
                Warmed rehearsed,
                HistogramLog log,
                Consumer<Second> live) {
            this.around = around;
            this.windows = windows;
            this.run = windows.run();
            this.watch = windows.watch();
            this.sides = sides;
            this.rehearsed = rehearsed;
            this.warmed = rehearsed;
            this.log = log;
            this.live = live;
        }

        void warmUp() {
            Clock clock = sides.clock();
            long begun = clock.nanos();
            long end = begun + warmUp.atMost().toNanos();
            Optional<WarmUp.CompilerActivity> compilers = warmUp.look(sides.compiled());
            long step = (compilers.isPresent() ? warmUp.step() : WINDOW).toNanos();
            boolean calm = false;
            try {
                for (long left = end - clock.nanos();
                        left > 0 && !calm && !run.isDone() && !nobody.isSure();
                        left = end - clock.nanos()) {
                    windows.await(clock.nanos() + Math.min(left, step));
                    calm = compilers.map(WarmUp.CompilerActivity::calm).orElse(false);
                    Window window = windows.next();
                    nobody.saw(window);
                    measuring.addKeepingConnects(window);
                    live.accept(second(window, run.connectionsOpen()));
                }
                // only now: on a starved machine, the last check of the warm-up may take as long as the whole
                // measurement
                run.endIn(load.measure());
                warmed = compilers.isPresent()
                        ? new Warmed(clock.since(begun), false, calm)
                        : new Warmed(warmUp.atMost(), false, false);
            } catch (InterruptedException e) {
                warmed = new Warmed(clock.since(begun), true, false);
            }
            watch.begin();
        }

        void measure() {
            watch.measuringBegins();
            watched.ifPresent(Watched::measuringBegins);
            interrupted = warmed.interrupted();
            compiled = sides.compiled().getAsLong();
            int current = 0;
            boolean done = false;
            do {
                try {
                    done = interrupted || !windows.await(sides.clock().nanos() + WINDOW.toNanos());
                } catch (InterruptedException e) {
                    // interrupted by the user: the figures so far are still shown
                    interrupted = true;
                    done = true;
                }
                int now = run.connectionsOpen();
                current = done ? current : now; // they are closed at the end
                open = Math.max(open, current);
                if (interrupted) {
                    end(run);
                }
                Window window = windows.next();
                nobody.saw(window);
                measuring.add(window, true);
                log.add(window);
                live.accept(second(window, current));
            } while (!done && !nobody.isSure());
            if (oneRate() && run.isDone()) {
                measuring.endsHere();
            }
            compiled = sides.compiled().getAsLong() - compiled;
        }

        private Second second(Window window, int connections) {
            return new Second(
                    measuring.last(),
                    connections,
                    measuring.failedSoFar(),
                    new LiveWindow(window, watch),
                    () -> soFar(connections));
        }

        private SoFar soFar(int connections) {
            Timeline all = watch.timeline();
            return new SoFar(
                    measuring.hasBegun() ? Optional.of(measuring.measurement(connections)) : Optional.empty(),
                    TrialEvidence.ofMachine(
                            around.cpus(),
                            around.known(RecordedEvidence.soFar(all).aggregates()),
                            measuring,
                            List.of(),
                            all));
        }

        Result result() {
            Aggregates host = watch.end();
            watch.close();
            // a look at the very end finds some of them closed already, and a short run has no other
            Measurement all = measuring.measurement(0);
            int opened = (int) Math.min(load.connections(), all.connect().count());
            boolean once = all.reconnects() == 0 && all.failed() == 0;
            int achieved = once || open == 0 ? Math.max(open, opened) : open;
            Optional<String> warm = rehearsed.calm() ? Optional.of(rehearsed.words()) : Optional.empty();
            List<String> notes = Stream.of(run.notes().stream(), warm.stream(), around.note(host).stream())
                    .flatMap(n -> n)
                    .toList();
            Evidence machine = TrialEvidence.ofMachine(
                            around.cpus(), around.known(host.withoutCpuTime()), measuring, notes, watch.timeline())
                    .noted(watch.notes())
                    .withAgents(measuring.agents(run.senders()));
            Measurement measurement = measuring.measurement(achieved, notes);
            return new Result(
                    warmUp.rehearsal() ? Duration.ZERO : warmed.time(),
                    measurement,
                    watched.map(w -> w.evidence(machine, host)).orElse(machine),
                    interrupted,
                    cold(warmed, compiled, measurement, machine),
                    run.failure(),
                    log.failure());
        }
    }

    /** Ends it as at its end, so that what is under way, or was never sent, is known. */
    private static void end(LoadRun run) {
        run.endIn(Duration.ZERO);
        try {
            run.awaitDone(ENDED_WITHIN);
        } catch (InterruptedException e) {
            // again: then what has been seen must do
        }
    }

    /** Whether it is an open load of one rate until its end, so that what is left over then has piled up. */
    private boolean oneRate() {
        return load.arrivals() instanceof Arrivals.Open && !load.hasStages() && requests.isEmpty();
    }

    private Optional<String> cold(Warmed warmed, long compiled, Measurement m, Evidence machine) {
        double busiest = machine.generatorCpuShare().orElse(Double.NaN);
        double mean = m.latency().mean();
        double own =
                busiest * load.threads() * m.elapsed().toNanos() / m.latency().count();
        return WarmUp.cold(warmed.calm(), compiled, m.elapsed(), busiest, mean > 0 ? own / mean : Double.NaN);
    }
}
