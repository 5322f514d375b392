package dev.fettle.lab;

import dev.fettle.insight.SteadyState;
import dev.fettle.load.LoadEngine;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.Arrivals;
import dev.fettle.model.Evidence;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.model.TrialOutcome.Kind;
import dev.fettle.model.Verdict;
import dev.fettle.watch.HostWatch;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The target of a trial under its load: warmed up until steady, then measured, and in every window looked after. */
final class UnderLoad {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final int TICKS_PER_WINDOW = 2;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

    private final LabEnvironment env;
    private final RunningTarget target;
    private final Load load;
    private final PlanHooks hooks;
    private final RunningHooks around;
    private final ProgressTeller progress;

    /**
     * What came of it.
     *
     * @param notSteady why it may not be used, if the warm-up reached its bound
     */
    record Seen(Duration warmUp, Optional<Verdict.Reason> notSteady, Measurement measurement, Evidence evidence) {}

    /**
     * A target that answers.
     *
     * @param hooks those of the run
     * @param around those of the trial
     */
    UnderLoad(
            LabEnvironment env,
            RunningTarget target,
            Load load,
            PlanHooks hooks,
            RunningHooks around,
            ProgressTeller progress) {
        this.env = env;
        this.target = target;
        this.load = load;
        this.hooks = hooks;
        this.around = around;
        this.progress = progress;
    }

    /**
     * Puts the load on it, to the end.
     *
     * @param acceptQueue the listening socket's limit, where it is known
     * @throws TrialFailure if the target or one of its hooks does not last
     */
    Seen measured(OptionalInt acceptQueue) throws TrialFailure, LabException, InterruptedException {
        Duration atMost =
                load.warmUpAtMost().plus(load.measure()).plus(load.timeout()).plusSeconds(30);
        var cpus = new HashSet<>(TrialEvidence.serverCpus(env, target));
        cpus.addAll(env.cpus().generator());
        var watch = new HostWatch(env.proc(), target.pid(), cpus, processes(), target.probe);
        var measuring = new Measuring(load);
        try (LoadRun run = start(atMost)) {
            progress.stage(LabListener.Stage.WARM_UP, load.warmUpAtMost());
            long begin = System.nanoTime();
            boolean steady = false;
            var compilers = new CompilerThreads(env.proc(), target.process.map(Child::jvmPid));
            while (!steady && System.nanoTime() - begin < load.warmUpAtMost().toNanos()) {
                compilers.keepOn(env.cpus().generator());
                window(run, measuring, false, Optional.empty());
                lookAfter();
                steady = SteadyState.judge(measuring.series()).steady();
            }
            Duration warmUp = Duration.ofNanos(System.nanoTime() - begin);
            SteadyState.AtBound atBound = SteadyState.atBound(measuring.series());
            atBound.note().ifPresent(target.notes::add);

            progress.stage(LabListener.Stage.MEASURE, load.measure());
            watch.begin();
            long measureBegin = System.nanoTime();
            while (System.nanoTime() - measureBegin < load.measure().toNanos()) {
                compilers.keepOn(env.cpus().generator());
                window(run, measuring, true, Optional.of(watch));
                lookAfter();
            }
            HostWatch.Seen host = watch.end();
            int connections = run.connectionsOpen();
            if (load.arrivals() instanceof Arrivals.Open) {
                run.endIn(Duration.ZERO);
                run.awaitDone(TICK);
                measuring.addEnd(run.takeWindow());
            }
            Measurement measurement = measuring.measurement(connections, run.notes());
            target.notes.addAll(run.notes());
            if (target.process.map(c -> c.said("java.lang.OutOfMemoryError")).orElse(false)) {
                throw died();
            }
            return new Seen(
                    warmUp, atBound.reason(), measurement, TrialEvidence.of(env, target, host, measuring, acceptQueue));
        }
    }

    private void lookAfter() throws TrialFailure, LabException {
        hooks.check("under load");
        around.check("under load");
    }

    /** All processes of the trial; empty if they are not all known. */
    private List<Long> processes() {
        var all = new ArrayList<>(target.processes());
        if (!all.isEmpty()) {
            all.addAll(hooks.pids());
            all.addAll(around.pids());
        }
        return all;
    }

    private LoadRun start(Duration atMost) throws TrialFailure {
        try {
            return LoadEngine.start(Loads.spec(
                    load,
                    target.address,
                    OptionalLong.empty(),
                    atMost,
                    env.cpus().generator()));
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new TrialFailure(Kind.LAB, "the load can't be offered: " + e.getMessage());
        }
    }

    /** One window of load: waits, takes it, and looks after the target. */
    private void window(LoadRun run, Measuring measuring, boolean measured, Optional<HostWatch> watch)
            throws InterruptedException, TrialFailure {
        for (int tick = 0; tick < TICKS_PER_WINDOW; tick++) {
            run.awaitDone(TICK);
            watch.ifPresent(HostWatch::sample);
        }
        Window window = run.takeWindow();
        measuring.add(window, measured);
        progress.window(measuring);
        if (!target.alive()) {
            throw died();
        }
        Duration silence = load.timeout().compareTo(LONGEST_SILENCE) > 0 ? load.timeout() : LONGEST_SILENCE;
        if (measuring.silentFor() > silence.toNanos() / 1e9) {
            throw new TrialFailure(
                    Kind.HUNG,
                    String.format(
                            "no valid response for %.0f s while %d connections were open%s",
                            measuring.silentFor(), run.connectionsOpen(), firstError(window)));
        }
    }

    private static String firstError(Window window) {
        return window.errors().entrySet().stream()
                .findFirst()
                .map(e -> "; errors: " + ErrorKinds.of(e.getKey()).text() + " "
                        + e.getValue().example())
                .orElse("");
    }

    private TrialFailure died() throws InterruptedException {
        if (target.process.isEmpty()) {
            return new TrialFailure(Kind.DIED, target.ended("under load"));
        }
        Child child = target.process.get();
        child.awaitEnd(Duration.ofSeconds(1));
        boolean memory = child.said("OutOfMemoryError");
        String words = child.lineWith("OutOfMemoryError").orElseGet(() -> child.tail(3));
        String message = (child.alive()
                        ? "the target threw"
                        : "the target exited with code " + child.exitCode().orElse(-1) + " under load")
                + (words.isBlank() ? "" : ": " + words);
        return new TrialFailure(memory ? Kind.OUT_OF_MEMORY : Kind.DIED, message);
    }
}
