package dev.fettle.lab;

import dev.fettle.load.LoadEngine;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.Evidence;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.Proc;
import dev.fettle.watch.WorkerProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Plain load on something that is already up: no launch, and a warm-up for Fettle's own sake, or as long as is asked for. */
public final class Bench {
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final String BUSY = "Fettle's own code was still being compiled when the measuring began";

    private final Load load;
    private final WarmUp warmUp;
    private final InetSocketAddress address;
    private final OptionalLong requests;
    private final Optional<Path> histogramLog;
    private final Optional<Watched> watched;

    /**
     * A bench that has not begun.
     *
     * @param load what is offered; {@link Load#measure()} is measured
     * @param warmUp what comes before; {@link Load#warmUpAtMost()} says nothing here
     * @param requests stop after this many; empty: only the time bounds it
     * @param histogramLog where to write an HdrHistogram log
     * @param watched the process that is loaded, if it shall be watched; the caller closes it
     */
    public Bench(
            Load load,
            WarmUp warmUp,
            InetSocketAddress address,
            OptionalLong requests,
            Optional<Path> histogramLog,
            Optional<Watched> watched) {
        this.watched = watched;
        this.load = load;
        this.warmUp = warmUp;
        this.address = address;
        this.requests = requests;
        this.histogramLog = histogramLog;
    }

    /**
     * What came of it.
     *
     * @param warmUp how long the warm-up was
     * @param evidence what was seen of this machine, and of the target if it is watched
     * @param interrupted whether it was stopped before its end: then the figures are those until then
     */
    public record Result(Duration warmUp, Measurement measurement, Evidence evidence, boolean interrupted) {}

    /**
     * One second of it, or half a second of a warm-up.
     *
     * @param window its figures
     * @param connections open at its end
     * @param failed requests failed since the load began
     */
    public record Second(Measurement.Window window, int connections, long failed) {}

    /**
     * Runs it to its end, or until the thread is interrupted.
     *
     * @param live told once a second, on this thread
     * @throws IllegalArgumentException if such a load can't be offered; the message says why
     * @throws LabException if this machine can't do it
     */
    public Result run(Consumer<Second> live) throws LabException {
        Duration all = warmUp.atMost().plus(load.measure());
        var proc = new Proc();
        Surroundings around = Surroundings.of(proc, address, watched.map(Watched::pid));
        HostWatch watch = watched.map(w -> w.watch(around.meter()))
                .orElseGet(() -> new HostWatch(proc, ProcessHandle.current().pid(), around.meter(), WorkerProbe.NONE));
        watch.begin();
        try (var log = new HistogramLog(histogramLog);
                LoadRun run = LoadEngine.start(Loads.spec(load, address, requests, all, Set.of()))) {
            return follow(run, watch, around, log, live);
        } catch (UncheckedIOException e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new LabException("cannot write the histogram log: " + e.getMessage(), e);
        }
    }

    private Result follow(LoadRun run, HostWatch watch, Surroundings around, HistogramLog log, Consumer<Second> live) {
        var measuring = new Measuring(load);
        Warmed warmed = Warmed.NOT;
        if (!warmUp.isNone()) {
            warmed = warmUp(run, measuring, live);
            watch.begin();
        }
        boolean interrupted = warmed.interrupted();
        int open = 0;
        int current = 0;
        boolean done = false;
        while (!done) {
            try {
                done = interrupted || run.awaitDone(WINDOW);
            } catch (InterruptedException e) {
                // whoever stops a bench wants to see what it has measured
                interrupted = true;
                done = true;
            }
            int now = run.connectionsOpen();
            current = done && now == 0 ? current : now; // at its end it has closed them
            open = Math.max(open, now);
            Window window = run.takeWindow();
            if (!done) {
                watched.ifPresent(w -> w.sample(watch));
            }
            measuring.add(window, true);
            log.add(window);
            live.accept(new Second(measuring.last(), current, measuring.failedSoFar()));
        }
        HostWatch.Seen host = watch.end();
        long connects = measuring.measurement(0).connect().count();
        // a run that ended within its first second has closed them again: then those that were made are those achieved
        int achieved = open > 0 ? open : (int) Math.min(load.connections(), connects);
        List<String> notes = Stream.of(
                        run.notes().stream(), warmed.note().stream(), around.note(host.disturbance()).stream())
                .flatMap(n -> n)
                .toList();
        Evidence machine = evidence(host, around, measuring, notes);
        return new Result(
                warmed.time(),
                measuring.measurement(achieved, notes),
                watched.map(w -> w.evidence(machine, host)).orElse(machine),
                interrupted);
    }

    /** What came of the warm-up. */
    private record Warmed(Duration time, boolean interrupted, Optional<String> note) {
        static final Warmed NOT = new Warmed(Duration.ZERO, false, Optional.empty());
    }

    private Warmed warmUp(LoadRun run, Measuring measuring, Consumer<Second> live) {
        long begun = System.nanoTime();
        long end = begun + warmUp.atMost().toNanos();
        Optional<WarmUp.Look> compilers = warmUp.look();
        long step = (compilers.isPresent() ? WarmUp.STEP : WINDOW).toNanos();
        boolean calm = false;
        try {
            for (long left = end - System.nanoTime();
                    left > 0 && !calm && !run.isDone();
                    left = end - System.nanoTime()) {
                run.awaitDone(Duration.ofNanos(Math.min(left, step)));
                calm = compilers.map(WarmUp.Look::calm).orElse(false);
                if (calm || System.nanoTime() >= end) {
                    run.endIn(load.measure());
                }
                measuring.addKeepingConnects(run.takeWindow());
                live.accept(new Second(measuring.last(), run.connectionsOpen(), measuring.failedSoFar()));
            }
        } catch (InterruptedException e) {
            return new Warmed(Duration.ofNanos(System.nanoTime() - begun), true, Optional.empty());
        }
        return compilers.isPresent()
                ? new Warmed(
                        Duration.ofNanos(System.nanoTime() - begun), false, calm ? Optional.empty() : Optional.of(BUSY))
                : new Warmed(warmUp.atMost(), false, Optional.empty());
    }

    private static Evidence evidence(
            HostWatch.Seen host, Surroundings around, Measuring measuring, List<String> notes) {
        var none = OptionalDouble.empty();
        return new Evidence(
                0,
                none,
                none,
                OptionalDouble.of(measuring.generatorCpuShare()),
                measuring.sendLagP99Millis(),
                host.disturbance().steal(),
                around.foreign(host.disturbance()),
                none,
                none,
                none,
                none,
                none,
                host.listenOverflows(),
                host.synRetransmits(),
                OptionalInt.empty(),
                host.loadAverage(),
                0,
                Map.of(),
                Map.of(),
                notes,
                around.serverSteal(host.disturbance()),
                host.disturbance().generatorSteal(),
                OptionalInt.empty(),
                OptionalDouble.empty());
    }
}
