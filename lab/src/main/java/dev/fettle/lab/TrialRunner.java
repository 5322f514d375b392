package dev.fettle.lab;

import dev.fettle.insight.GateInput;
import dev.fettle.insight.SteadyState;
import dev.fettle.insight.ValidityGate;
import dev.fettle.load.LoadEngine;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.model.Constraints;
import dev.fettle.model.Evidence;
import dev.fettle.model.Hooks;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.model.Secrets;
import dev.fettle.model.Setting;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialOutcome.Kind;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.Verdict;
import dev.fettle.watch.HostWatch;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One trial from launch to verdict: prepare, launch on its own CPUs, ready (status and body), read back, warm up until
 * steady, measure, stop, judge. Every step has a bound, and nothing is left running or open afterwards, whatever happened.
 * The plan's hooks run around each trial; those that run once end when the runner is closed.
 */
public final class TrialRunner implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final int TICKS_PER_WINDOW = 2;
    /** Share of the CPUs from which on what runs beside somebody else's process is worth a note. */
    private static final double NOTABLE = 0.1;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

    private final LabEnvironment env;
    private final Path runFolder;
    private final TargetLauncher launcher;
    private final Effective effective;
    private final PlanHooks hooks;

    /** A runner for one run of a plan without hooks. */
    public TrialRunner(LabEnvironment env, Path runFolder, LabListener listener) {
        this(env, runFolder, Hooks.NONE, listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     */
    public TrialRunner(LabEnvironment env, Path runFolder, Hooks hooks, LabListener listener) {
        this.env = env;
        this.hooks = new PlanHooks(env, hooks, runFolder, listener::note);
        this.runFolder = runFolder;
        this.effective = new Effective(env.proc());
        this.launcher =
                new TargetLauncher(env, Artifacts.of(env, listener::note), new Calibration(runFolder), listener::note);
    }

    /** Runs one trial. A trial that goes wrong is an outcome, not an exception. */
    TrialOutcome run(int ordinal, TrialSpec spec, LabListener listener) throws LabException, InterruptedException {
        Instant started = env.clock().instant();
        long begin = System.nanoTime();
        Path folder = Workspace.fresh(runFolder, "trial-" + ordinal); // one that was cut off has left its own
        var progress = new ProgressTeller(ordinal, listener);
        progress.stage(LabListener.Stage.LAUNCH, Duration.ofSeconds(60));
        RunningHooks around = null;
        RunningTarget target = null;
        Optional<Seen> seen = Optional.empty();
        Optional<TrialOutcome.Failure> failure = Optional.empty();
        List<String> afterwards = List.of();
        try {
            checkConstraints(spec);
            Ports ports = hooks.ports();
            around = hooks.around(folder, ports, spec.setting());
            target = launcher.launch(spec, folder, ports);
            Readiness.await(target, spec.load());
            OptionalInt acceptQueue = effective.readBack(target, spec.target(), spec.setting());
            seen = Optional.of(load(spec, target, around, acceptQueue, progress));
        } catch (TrialFailure e) {
            failure = Optional.of(cause(e, around).asFailure());
        } finally {
            progress.stage(LabListener.Stage.STOP, Duration.ofSeconds(5));
            if (target != null) {
                target.close();
            }
            if (around != null) {
                afterwards = hooks.end(around);
            }
        }
        TrialSpec safe = Secrets.redact(spec);
        List<String> notes = afterwards;
        Optional<Seen> measured = seen;
        Verdict verdict = failure.map(TrialRunner::voidBecause).orElseGet(() -> verdict(safe, measured.orElseThrow()));
        return new TrialOutcome(
                ordinal,
                safe,
                started,
                Duration.ofNanos(System.nanoTime() - begin),
                seen.map(Seen::warmUp).orElse(Duration.ZERO),
                seen.map(Seen::measurement),
                seen.map(Seen::evidence).map(e -> e.withNotes(notes)),
                failure,
                verdict);
    }

    /** A target that fails after something that it needs has gone fails because of that. */
    private TrialFailure cause(TrialFailure e, @Nullable RunningHooks around) throws LabException {
        hooks.check("during a trial");
        if (around != null) {
            try {
                around.check("during the trial");
            } catch (TrialFailure gone) {
                return gone;
            }
        }
        return e;
    }

    /** Ends the hooks that were run once. */
    @Override
    public void close() {
        hooks.close();
    }

    /** What can be known to be impossible is not even started. */
    private void checkConstraints(TrialSpec spec) throws TrialFailure {
        int somaxconn = env.proc().somaxconn();
        List<String> broken = Constraints.check(
                spec.target(), spec.setting(), env.cpus().server().size(), somaxconn);
        if (!broken.isEmpty()) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.join("; ", broken));
        }
    }

    private record Seen(
            Duration warmUp, Optional<Verdict.Reason> notSteady, Measurement measurement, Evidence evidence) {}

    private static Verdict voidBecause(TrialOutcome.Failure failure) {
        return new Verdict(List.of(new Verdict.Reason(
                failure.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                failure.message(),
                failure.kind().passing())));
    }

    private static Verdict verdict(TrialSpec spec, Seen seen) {
        Verdict gate = ValidityGate.judge(spec, seen.measurement(), Optional.of(seen.evidence()));
        if (seen.notSteady().isEmpty()) {
            return gate;
        }
        var reasons = new ArrayList<>(gate.reasons());
        reasons.addFirst(seen.notSteady().get());
        return new Verdict(reasons);
    }

    private Seen load(
            TrialSpec spec, RunningTarget target, RunningHooks around, OptionalInt acceptQueue, ProgressTeller progress)
            throws TrialFailure, LabException, InterruptedException {
        Load load = spec.load();
        Duration atMost =
                load.warmUpAtMost().plus(load.measure()).plus(load.timeout()).plusSeconds(30);
        var cpus = new HashSet<>(serverCpus(target));
        cpus.addAll(env.cpus().generator());
        var watch = new HostWatch(env.proc(), target.pid(), cpus, processes(target, around), target.probe);
        var measuring = new Measuring(load);
        try (LoadRun run = start(load, target, atMost)) {
            progress.stage(LabListener.Stage.WARM_UP, load.warmUpAtMost());
            long begin = System.nanoTime();
            boolean steady = false;
            var compilers = new CompilerThreads(env.proc(), target.process.map(Child::jvmPid));
            while (!steady && System.nanoTime() - begin < load.warmUpAtMost().toNanos()) {
                compilers.keepOn(env.cpus().generator());
                window(run, target, measuring, false, load, Optional.empty(), progress);
                lookAfter(around);
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
                window(run, target, measuring, true, load, Optional.of(watch), progress);
                lookAfter(around);
            }
            HostWatch.Seen host = watch.end();
            Measurement measurement = measuring.measurement(run.connectionsOpen(), run.notes());
            target.notes.addAll(run.notes());
            if (target.process.map(c -> c.said("java.lang.OutOfMemoryError")).orElse(false)) {
                throw died(target);
            }
            return new Seen(warmUp, atBound.reason(), measurement, evidence(target, host, measuring, acceptQueue));
        }
    }

    private void lookAfter(RunningHooks around) throws TrialFailure, LabException {
        hooks.check("under load");
        around.check("under load");
    }

    /** All processes of the trial; empty if they are not all known. */
    private List<Long> processes(RunningTarget target, RunningHooks around) {
        var all = new ArrayList<>(target.processes());
        if (!all.isEmpty()) {
            all.addAll(hooks.pids());
            all.addAll(around.pids());
        }
        return all;
    }

    private LoadRun start(Load load, RunningTarget target, Duration atMost) throws TrialFailure {
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
    private void window(
            LoadRun run,
            RunningTarget target,
            Measuring measuring,
            boolean measured,
            Load load,
            Optional<HostWatch> watch,
            ProgressTeller progress)
            throws InterruptedException, TrialFailure {
        for (int tick = 0; tick < TICKS_PER_WINDOW; tick++) {
            run.awaitDone(TICK);
            watch.ifPresent(HostWatch::sample);
        }
        Window window = run.takeWindow();
        measuring.add(window, measured);
        progress.window(measuring);
        if (!target.alive()) {
            throw died(target);
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
                .map(e -> "; errors: " + e.getKey() + " " + e.getValue().example())
                .orElse("");
    }

    private static TrialFailure died(RunningTarget target) throws InterruptedException {
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

    /** The CPUs that the target may use: those it was given, or those that it had when Fettle came. */
    private Set<Integer> serverCpus(RunningTarget target) {
        Set<Integer> own = target.guest
                .<Set<Integer>>map(g -> env.proc().allowedCpus(Long.toString(g.pid())))
                .orElse(Set.of());
        return own.isEmpty()
                ? ProcessKnobs.cpus(Setting.of(target.effective), env.cpus().server())
                : own;
    }

    private Evidence evidence(RunningTarget target, HostWatch.Seen host, Measuring measuring, OptionalInt acceptQueue) {
        boolean watched = target.watched();
        var notes = new ArrayList<>(target.notes);
        Map<String, String> facts = new TreeMap<>(target.facts);
        Set<Integer> cpus = serverCpus(target);
        // what runs beside a process that is somebody else's may be its database: that is for its owner to know
        if (target.guest.isPresent() && host.foreignCpu().orElse(0) > NOTABLE) {
            notes.add(String.format(
                    Locale.ROOT,
                    "other processes used %.0f %% of the CPUs while it was measured: unless they belong to it, as its database"
                            + " does, measure when they rest",
                    100 * host.foreignCpu().getAsDouble()));
        }
        facts.put(GateInput.SERVER_CPUS, CpuLayout.list(cpus));
        facts.put(GateInput.GENERATOR_CPUS, CpuLayout.list(env.cpus().generator()));
        return new Evidence(
                cpus.size(),
                watched ? host.cpuSeconds() : OptionalDouble.empty(),
                watched ? host.compilerSeconds() : OptionalDouble.empty(),
                OptionalDouble.of(measuring.generatorCpuShare()),
                measuring.sendLagP99Millis(),
                host.steal(),
                target.guest.isPresent() ? OptionalDouble.empty() : host.foreignCpu(),
                host.busyWorkers(),
                host.busyWorkersMax(),
                host.workers(),
                host.queued(),
                host.gcMillis(),
                host.listenOverflows(),
                host.synRetransmits(),
                acceptQueue,
                host.loadAverage(),
                target.startupMillis,
                target.effective,
                facts,
                notes);
    }
}
