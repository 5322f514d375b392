package dev.fettle.lab;

import dev.fettle.insight.gate.ValidityGate;
import dev.fettle.lab.hooks.HookRuns;
import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.hooks.RunningHooks;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadMode;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.lab.measure.Session;
import dev.fettle.lab.measure.TrialHooks;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetHandle;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.model.trial.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One trial: launches its target, puts it under load, stops and judges it, each when its driver says so. */
final class Trial implements AutoCloseable {

    private final LabEnvironment env;
    private final TargetPort targets;
    private final LoadPort loads;
    private final int ordinal;
    private final TrialSpec spec;
    private final Path folder;
    private final PlanHooks hooks;
    private ProgressReporter progress;
    private final HookRuns hookRuns = new HookRuns();

    private @Nullable RunningHooks around;
    private @Nullable TargetHandle target;
    /** The last load; what was watched under it is kept if the target fails. */
    private @Nullable LoadedTarget load;

    private Conditions conditions = Conditions.ALONE;
    private OptionalInt acceptQueue = OptionalInt.empty();
    private Optional<Seen> seen = Optional.empty();
    private Optional<Evidence> untilFailure = Optional.empty();
    private Optional<Slo> slo = Optional.empty();
    private Optional<TrialOutcome.Failure> failure = Optional.empty();
    private OptionalLong peakMemory = OptionalLong.empty();
    private final List<String> afterwards = new ArrayList<>();
    private boolean closed;

    /**
     * @param targets launches its target
     * @param loads starts its loads
     */
    Trial(
            LabEnvironment env,
            TargetPort targets,
            LoadPort loads,
            int ordinal,
            TrialSpec spec,
            Path folder,
            PlanHooks hooks,
            LabListener listener) {
        this.env = env;
        this.targets = targets;
        this.loads = loads;
        this.ordinal = ordinal;
        this.spec = spec;
        this.folder = folder;
        this.hooks = hooks;
        this.progress = new ProgressReporter(env.clock(), ordinal, listener);
    }

    TrialSpec spec() {
        return spec;
    }

    /** A session with it, without stages yet. */
    Session<TrialFailure> session() {
        return new Session<>(progress);
    }

    /**
     * Goes through a session; if a stage fails, the trial has failed.
     *
     * @return whether it came to the session's end
     */
    boolean goesThrough(Session<TrialFailure> session) throws LabException, InterruptedException {
        try {
            session.run();
            return true;
        } catch (TrialFailure e) {
            failed(e);
            return false;
        }
    }

    /**
     * Launches the target; it may not answer yet.
     *
     * @param calm waits for a calm machine first, if given
     */
    void launch(Optional<Calm> calm) throws TrialFailure, LabException, InterruptedException {
        Ports ports = hooks.ports();
        around = hooks.around(folder, ports, spec.setting(), hookRuns);
        Optional<String> disturbed = Optional.empty();
        if (calm.isPresent()) {
            disturbed = calm.get().await(spec.load().measure(), own(running()));
        }
        target = targets.launch(spec, folder, ports.byName());
        disturbed.ifPresent(target::note);
    }

    /** Waits for the right answer. */
    void awaitReady() throws TrialFailure, InterruptedException {
        up().awaitReady(spec.load());
    }

    /** Reads back the setting. */
    void readBack() throws TrialFailure, InterruptedException {
        acceptQueue = up().readBack(spec);
        up().observe(spec, folder);
    }

    /** The trial's processes that run before its target is launched. */
    private List<Long> own(RunningHooks around) {
        var own = new ArrayList<Long>(List.of(ProcessHandle.current().pid()));
        own.addAll(new TrialHooks(hooks, around).pids());
        spec.target().running().ifPresent(r -> own.add(r.pid()));
        return own;
    }

    /** Refuses a setting that is known to be impossible. */
    static void checkConstraints(LabEnvironment env, TrialSpec spec) throws TrialFailure {
        List<String> broken = Constraints.check(
                spec.target(),
                spec.setting(),
                env.cpus().server().size(),
                env.proc().somaxconn());
        if (!broken.isEmpty()) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.join("; ", broken));
        }
    }

    /** Starts the load on the launched target. */
    LoadedTarget begin(CoRunner beside) throws TrialFailure {
        return begin(spec.load(), progress, beside, manner(false));
    }

    /** @param starved whether long stretches without a valid answer are acceptable */
    LoadMode manner(boolean starved) {
        return new LoadMode(env.cpus().generator(), Duration.ZERO, starved);
    }

    /** The load that was begun last. */
    LoadedTarget underLoad() {
        if (load == null) {
            throw new IllegalStateException("trial " + ordinal + " has no load");
        }
        return load;
    }

    /** Ends the load that was begun last, if there is one. */
    void rests() {
        if (load != null) {
            load.close();
        }
    }

    /** Starts a load other than the trial's own, of a target that runs alone; the caller closes it. */
    LoadedTarget begin(Load other) throws TrialFailure {
        return begin(other, progress, CoRunner.nothing(other), manner(false));
    }

    /**
     * Starts a load other than the trial's own; the caller closes it. If the target fails before another load begins, what was
     * watched under this one is kept, even if it is closed by then.
     */
    LoadedTarget begin(Load other, ProgressReporter teller, CoRunner beside, LoadMode manner) throws TrialFailure {
        LoadedTarget begun = aside(other, teller, beside, manner);
        load = begun;
        return begun;
    }

    /**
     * Starts a load that only asks whether the target is at rest; the caller closes it. If the target fails, what was watched under
     * the load before is kept, as a fraction of a second says little.
     */
    LoadedTarget aside(Load other, ProgressReporter teller, CoRunner beside, LoadMode manner) throws TrialFailure {
        return LoadedTarget.begin(
                env, loads, up(), up().over(other), new TrialHooks(hooks, running()), teller::window, beside, manner);
    }

    ProgressReporter progress() {
        return progress;
    }

    /** From now on its progress is reported as that of another trial, which its target serves, too. */
    void progress(ProgressReporter of) {
        progress = of;
    }

    OptionalInt acceptQueue() {
        return acceptQueue;
    }

    /** It is run so at the same time as others. */
    void under(Conditions how) {
        conditions = how;
    }

    Conditions conditions() {
        return conditions;
    }

    /** The outcomes of its hooks so far. */
    List<HookOutcome> hookRuns() {
        return hookRuns.all();
    }

    /** The launched target. */
    TargetHandle up() {
        if (target == null) {
            throw new IllegalStateException("trial " + ordinal + " is not launched");
        }
        return target;
    }

    private RunningHooks running() {
        if (around == null) {
            throw new IllegalStateException("trial " + ordinal + " is not launched");
        }
        return around;
    }

    /** Its target's process. */
    long pid() {
        return up().about().pid();
    }

    /** All processes of the trial; empty if not all are known. */
    List<Long> processes() {
        return new TrialHooks(hooks, running()).processes(up());
    }

    /** Takes the result of the load. */
    void done(LoadedTarget measured, Set<Integer> takenOut) throws InterruptedException {
        done(measured.seen(acceptQueue, takenOut));
    }

    /** Takes the result of a load with stages, which the SLO judges. */
    void spiked(Seen all, Slo good) {
        slo = Optional.of(good);
        done(all);
    }

    /** Takes the result. */
    void done(Seen all) {
        seen = Optional.of(
                new Seen(all.warmUp(), all.notSteady(), all.early(), all.measurement(), up().recorded(all.evidence())));
    }

    /** Takes a failure. If a hook in the background has ended, that is the cause. */
    void failed(TrialFailure e) throws LabException {
        TrialFailure because = e;
        hooks.check("during a trial");
        if (around != null) {
            try {
                around.check("during the trial");
            } catch (TrialFailure gone) {
                because = gone;
            }
        }
        seen = Optional.empty();
        failure = Optional.of(because.asFailure().during(progress.stage()));
        if (load != null && !because.asFailure().kind().passing()) {
            untilFailure = Optional.of(load.untilFailure(acceptQueue));
        }
    }

    Optional<TrialOutcome.Failure> failure() {
        return failure;
    }

    /** Whether another process killed its target, as the kernel does when memory runs out. */
    boolean killed() {
        return target != null && target.killed();
    }

    /** Its target's peak memory in bytes, once the trial is closed. */
    OptionalLong peakMemory() {
        return peakMemory;
    }

    /** How long it was warmed up; zero before that. */
    Duration warmUp() {
        return seen.map(Seen::warmUp).orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        progress.slice(0, 0);
        progress.stage(TrialStage.STOP, Duration.ofSeconds(5));
        rests();
        if (target != null) {
            peakMemory = target.peakMemory();
            target.close();
            if (target.logsLeftOut() > 0) {
                afterwards.add((target.logsLeftOut() >> 20)
                        + " MiB of the target's logs are left out: it wrote more than is kept of a trial");
            }
        }
        if (around != null) {
            afterwards.addAll(hooks.end(around));
        }
    }

    /**
     * The outcome; only once the trial is closed.
     *
     * @param took the time charged to this trial
     */
    TrialOutcome outcome(Instant started, Duration took) {
        return outcome(spec, started, took);
    }

    /**
     * The outcome of a setting that was set in its target while that ran; only once the trial is closed.
     *
     * @param of what was tried, in place of what the target was launched with
     * @param took the time charged to it
     */
    TrialOutcome outcome(TrialSpec of, Instant started, Duration took) {
        var end = new TrialEnd(ordinal, of, started, took, hookRuns.all());
        if (failure.isPresent()) {
            return end.failed(
                    failure.get(), untilFailure.map(e -> e.noted(afterwards).withConditions(conditions)));
        }
        if (seen.isEmpty() && of.phase() == TrialSpec.Phase.START) {
            return end.cameUp();
        }
        Seen all = seen.orElseThrow().under(conditions);
        return end.measured(all.noted(afterwards), verdict(end.spec(), all, slo));
    }

    /**
     * The verdict on what was seen of a trial.
     *
     * @param spike decides which answers are good, if the rate changes
     */
    static Verdict verdict(TrialSpec spec, Seen seen, Optional<Slo> spike) {
        Optional<Evidence> evidence = Optional.of(seen.evidence());
        Verdict gate = spike.map(s -> ValidityGate.judgeSpike(spec, seen.measurement(), evidence, s))
                .orElseGet(() -> ValidityGate.judge(spec, seen.measurement(), evidence));
        // what makes a trial void anyway makes its early end void, too
        return seen.early()
                .filter(_ -> gate.valid())
                .or(seen::notSteady)
                .map(gate::because)
                .orElse(gate);
    }
}
