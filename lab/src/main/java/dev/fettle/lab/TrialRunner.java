package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Experiment.Step.Pair;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.audit.Preflight;
import dev.fettle.insight.trials.PairSlices;
import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.Calibration;
import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs trials from launch to verdict, singly or in pairs: prepare, launch on its own CPUs, wait until ready (status and body),
 * read back, warm up until steady, measure, stop, judge. Every step has a time limit, and nothing is left running or open
 * afterwards, whatever happens. The plan's hooks run around each trial; those that run once end when the runner is closed.
 */
public final class TrialRunner implements AutoCloseable {
    /** Failures that another running server may cause: a port, a file, memory, a hook that needs something exclusively. */
    private static final Set<Kind> BESIDE = Set.of(
            Kind.DID_NOT_START,
            Kind.NEVER_READY,
            Kind.WRONG_ANSWER,
            Kind.OUT_OF_MEMORY,
            Kind.PROCESS_LIMIT,
            Kind.HOOK,
            Kind.LAB);

    private final LabEnvironment env;
    private final Path runFolder;
    private final TargetLauncher launcher;
    private final EffectiveValues effective;
    private final PlanHooks hooks;
    private final PairFit fit;
    private final Calm calm;
    /** Warnings already given. */
    private final Set<String> warned = new HashSet<>();

    private final Consumer<String> note;
    private final boolean noHooks;
    private final Optional<Slo> slo;
    private final Objective.Metric metric;
    private @Nullable KeptTarget kept;
    private @Nullable WarmTarget warm;
    private @Nullable Trial standing;
    private int launch;

    /** A runner for one run of a plan without hooks. */
    public TrialRunner(LabEnvironment env, Path runFolder, LabListener listener) {
        this(env, runFolder, Hooks.NONE, listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder parent of each trial's folder
     */
    public TrialRunner(LabEnvironment env, Path runFolder, Hooks hooks, LabListener listener) {
        this(env, runFolder, hooks, List.of(), listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     * @param own knobs of the user's application
     */
    public TrialRunner(LabEnvironment env, Path runFolder, Hooks hooks, List<OwnKnob> own, LabListener listener) {
        this(env, runFolder, hooks, own, Optional.empty(), listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     * @param own knobs of the user's application
     * @param slo decides which answers to a load with stages are good
     */
    public TrialRunner(
            LabEnvironment env,
            Path runFolder,
            Hooks hooks,
            List<OwnKnob> own,
            Optional<Slo> slo,
            LabListener listener) {
        this(env, runFolder, hooks, own, slo, Objective.Metric.THROUGHPUT, listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     * @param own knobs of the user's application
     * @param slo decides which answers to a load with stages are good, and which rates of a capacity
     * @param metric what the run's trials are judged by
     */
    public TrialRunner(
            LabEnvironment env,
            Path runFolder,
            Hooks hooks,
            List<OwnKnob> own,
            Optional<Slo> slo,
            Objective.Metric metric,
            LabListener listener) {
        this.env = env;
        this.slo = slo;
        this.metric = metric;
        this.note = listener::note;
        this.noHooks = hooks.equals(Hooks.NONE);
        this.hooks = new PlanHooks(env, hooks, runFolder, listener::note);
        this.calm = Calm.of(env, listener::note);
        this.fit = new PairFit(env.proc(), hooks);
        this.runFolder = runFolder;
        this.effective = new EffectiveValues(env.proc(), own);
        this.launcher = new TargetLauncher(
                env, Artifacts.of(env, listener::note), new Calibration(runFolder), own, listener::note);
    }

    /** Runs one trial to its end. A trial that goes wrong is an outcome, not an exception. */
    public TrialOutcome run(int ordinal, TrialSpec spec, LabListener listener)
            throws LabException, InterruptedException {
        return run(ordinal, new Step.Run(spec, "", 0), listener);
    }

    /** Runs one trial, to its end or until it is surely worse than the step's bound. */
    TrialOutcome run(int ordinal, Step.Run step, LabListener listener) throws LabException, InterruptedException {
        endWarm();
        var clock = new Took(env);
        return alone(trial(ordinal, step.spec(), listener), Duration.ZERO, Map.of(), step.giveUp())
                .outcome(clock.started(), clock.lap());
    }

    /**
     * Runs a pair: loaded in turn if both fit on the machine, otherwise one after the other.
     *
     * @return the outcomes in the pair's order; their times add up to the pair's
     */
    List<TrialOutcome> runPair(int ordinal, Pair pair, LabListener listener) throws LabException, InterruptedException {
        endWarm();
        var clock = new Took(env);
        Optional<String> whyNot = fit.whyNot(pair.first().spec(), pair.second().spec());
        if (whyNot.isPresent()) {
            return oneAfterTheOther(ordinal, pair, whyNot.get(), clock, listener);
        }
        listener.trialBegins(ordinal, pair.first());
        listener.trialBegins(ordinal + 1, pair.second());
        Beside beside = sideBySide(ordinal, pair, clock, listener);
        if (beside.refused().isEmpty()) {
            return beside.outcomes();
        }
        List<TrialOutcome> apart =
                oneAfterTheOther(ordinal, pair, beside.refused().get(), clock, listener);
        if (apart.stream().allMatch(o -> o.failure().isEmpty())) {
            fit.never(beside.refused().get()); // each works alone, so the other was the cause
        }
        return apart;
    }

    /**
     * The result of two trials that were up at the same time.
     *
     * @param refused why the result can't be used, if one may have failed because of the other
     */
    private record Beside(List<TrialOutcome> outcomes, Optional<String> refused) {}

    private Beside sideBySide(int ordinal, Pair pair, Took clock, LabListener listener)
            throws LabException, InterruptedException {
        var facts = Map.of(PairSlices.SIDE_BY_SIDE, "true");
        try (Trial first = trial(ordinal, pair.first().spec(), listener);
                Trial second = trial(ordinal + 1, pair.second().spec(), listener)) {
            Optional<String> refused = Optional.empty();
            if (!launched(first, Optional.of(calm), facts)) {
                second.failed(SideBySide.partnerFailed(first));
            } else if (launched(second, Optional.empty(), facts)) {
                Optional<BiFunction<Trial, Trial, CapacityRun>> search = searched(first.spec())
                        .map(s -> (trial, partner) -> new CapacityRun(env, trial, Optional.of(partner), s, calm));
                new SideBySide(first, second, search).run();
            } else {
                first.failed(SideBySide.partnerFailed(second));
                refused = second.failure()
                        .filter(f -> BESIDE.contains(f.kind()))
                        .map(f -> "the second server did not come up beside the first: " + f.message());
            }
            second.close();
            first.close();
            fit.used(first);
            fit.used(second);
            if (first.killed() || second.killed()) {
                refused = Optional.of(
                        "one server was killed while both were up, as the kernel does when memory runs out");
            }
            if (refused.isPresent()) {
                return new Beside(List.of(), refused);
            }
            Duration half = clock.lap().dividedBy(2);
            return new Beside(
                    List.of(first.outcome(clock.started(), half), second.outcome(clock.started(), half)), refused);
        }
    }

    /** Checks a trial's needs against the machine's limits; each warning is given once. */
    private void checkLimits(TrialSpec spec) throws TrialFailure {
        Preflight.Found found = LimitCheck.trial(env.proc(), spec.target(), spec.load(), spec.setting());
        Optional<String> refused = LimitCheck.refused(found);
        if (refused.isPresent()) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, refused.get());
        }
        found.warnings().stream().filter(warned::add).forEach(note);
    }

    private boolean launched(Trial trial, Optional<Calm> calm, Map<String, String> facts)
            throws LabException, InterruptedException {
        try {
            checkLimits(trial.spec());
            trial.launch(launcher, effective, calm, facts);
            return true;
        } catch (TrialFailure e) {
            trial.failed(e);
            return false;
        }
    }

    /** The second is warmed up for at least as long as the first. */
    private List<TrialOutcome> oneAfterTheOther(int ordinal, Pair pair, String why, Took clock, LabListener listener)
            throws LabException, InterruptedException {
        var facts = Map.of(PairSlices.SIDE_BY_SIDE, "false", PairSlices.WHY_NOT, why);
        listener.trialBegins(ordinal, pair.first());
        Trial first = alone(trial(ordinal, pair.first().spec(), listener), Duration.ZERO, facts, Optional.empty());
        TrialOutcome one = first.outcome(clock.started(), clock.lap());
        listener.trialBegins(ordinal + 1, pair.second());
        Instant then = env.clock().instant();
        Trial second =
                alone(trial(ordinal + 1, pair.second().spec(), listener), first.warmUp(), facts, Optional.empty());
        return List.of(one, second.outcome(then, clock.lap()));
    }

    private Trial trial(int ordinal, TrialSpec spec, LabListener listener) throws LabException {
        // an interrupted trial has left its folder behind
        return new Trial(env, ordinal, spec, Workspace.fresh(runFolder, "trial-" + ordinal), hooks, listener);
    }

    /** Runs a trial from start to end, alone. */
    private Trial alone(Trial trial, Duration warmUpAtLeast, Map<String, String> facts, Optional<GiveUp> giveUp)
            throws LabException, InterruptedException {
        try (trial) {
            if (launched(trial, Optional.of(calm), facts)) {
                try {
                    Optional<Slo> under = searched(trial.spec());
                    if (trial.spec().load().hasStages()) {
                        trial.spike(slo.orElseThrow(() -> new LabException("a load with stages needs an SLO")));
                    } else if (under.isPresent()) {
                        search(trial, under.get(), warmUpAtLeast);
                    } else {
                        steady(trial, warmUpAtLeast, giveUp);
                    }
                } catch (TrialFailure e) {
                    trial.failed(e);
                }
            }
        }
        fit.used(trial);
        return trial;
    }

    /** The SLO under which a trial searches for its capacity; empty if it measures its load. */
    private Optional<Slo> searched(TrialSpec spec) {
        boolean judged = switch (spec.phase()) {
            case BASELINE, SEARCH, RACE, DUEL, SWEEP, COMPARE -> !spec.load().hasStages();
            case WARM_UP, IDLE, BRACKET, NARROW, CONFIRM, SPIKE, DIAGNOSE, TEST, RAMP -> false;
        };
        return judged && metric == Objective.Metric.CAPACITY ? slo : Optional.empty();
    }

    private void search(Trial trial, Slo under, Duration warmUpAtLeast)
            throws TrialFailure, LabException, InterruptedException {
        var run = new CapacityRun(env, trial, Optional.empty(), under, calm);
        Load closed = trial.spec().load().withMeasure(run.timing().look());
        try (LoadedTarget load = trial.begin(closed)) {
            trial.progress().stage(LabListener.Stage.WARM_UP, closed.warmUpAtMost());
            load.warmUp(warmUpAtLeast);
            trial.progress()
                    .stage(LabListener.Stage.MEASURE, trial.spec().load().measure());
            load.measure();
            run.looked(load);
        }
        while (!run.done()) {
            run.probe();
        }
        run.finish();
    }

    private static void steady(Trial trial, Duration warmUpAtLeast, Optional<GiveUp> giveUp)
            throws TrialFailure, LabException, InterruptedException {
        LoadedTarget load = trial.begin();
        trial.progress().stage(LabListener.Stage.WARM_UP, trial.spec().load().warmUpAtMost());
        load.warmUp(warmUpAtLeast, giveUp);
        trial.progress().stage(LabListener.Stage.MEASURE, trial.spec().load().measure());
        load.measure();
        trial.done(load, Set.of());
    }

    /**
     * Runs a trial on the kept target, which is launched for the first one.
     *
     * @throws LabException also if the target fails: this trial then has no outcome, and the run can be resumed
     */
    public TrialOutcome runKept(int ordinal, Step.Kept step, LabListener listener)
            throws LabException, InterruptedException {
        TrialSpec spec = step.run().spec();
        try {
            if (kept != null && spec.block() != launch) {
                kept.close(); // the next process
                kept = null;
            }
            if (kept == null) {
                launch = spec.block();
                var launching = new TrialSpec(
                        spec.phase(),
                        spec.variant(),
                        spec.point(),
                        spec.block(),
                        spec.target(),
                        spec.setting(),
                        step.probing().load());
                kept = new KeptTarget(env, trial(ordinal, launching, listener), calm, noHooks);
                if (!kept.bare()) {
                    kept.check();
                    checkLimits(launching);
                }
                kept.launch(launcher, effective);
            }
            return kept.run(ordinal, step, listener);
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Runs a trial in the warm JVM of the search. If there is none, or it does not take the setting, or fails with it, a fresh one is
     * launched and takes its place. If even that does not take the setting while it runs, the trial gets a process of its own.
     */
    public TrialOutcome runLive(int ordinal, Step.Live step, LabListener listener)
            throws LabException, InterruptedException {
        var clock = new Took(env);
        TrialSpec spec = step.run().spec();
        var said = new ArrayList<String>();
        try {
            Trial.checkConstraints(env, spec);
            checkLimits(spec);
        } catch (TrialFailure e) {
            return failed(ordinal, spec, e.asFailure(), clock);
        }
        if (warm != null) {
            try {
                warm.set(spec.setting());
                return warm.measure(ordinal, step, clock.started(), clock::lap, said, listener);
            } catch (TrialFailure e) {
                said.add("the warm JVM was replaced by a fresh one for this trial: " + e.getMessage());
                endWarm();
            }
        }
        var launching = new TrialSpec(
                spec.phase(), spec.variant(), spec.point(), spec.block(), spec.target(), step.launched(), spec.load());
        Trial trial = trial(ordinal, launching, listener);
        var fresh = new WarmTarget(env, trial, calm, effective);
        warm = fresh;
        try {
            fresh.launch(launcher);
            fresh.set(spec.setting());
        } catch (TrialFailure e) {
            said.add("this setting had a process of its own, not the warm JVM: " + e.getMessage());
            endWarm();
            TrialOutcome own = alone(trial(ordinal, spec, listener), Duration.ZERO, Map.of(), Optional.empty())
                    .outcome(clock.started(), clock.lap());
            return own.noted(said);
        }
        try {
            return fresh.measure(ordinal, step, clock.started(), clock::lap, said, listener);
        } catch (TrialFailure e) {
            trial.failed(e);
            endWarm();
            return trial.outcome(spec, clock.started(), clock.lap());
        }
    }

    private static TrialOutcome failed(int ordinal, TrialSpec spec, TrialOutcome.Failure failure, Took clock) {
        return new TrialOutcome(
                ordinal,
                Redaction.of(spec),
                clock.started(),
                clock.lap(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.of(failure),
                Trial.voidBecause(failure));
    }

    /** Ends the warm JVM, if there is one. */
    private void endWarm() {
        if (warm != null) {
            warm.close();
            fit.used(warm.trial());
            warm = null;
        }
    }

    /** A target that was launched to be inspected. */
    public record Standing(long pid, int port) {}

    /**
     * Launches a target as a trial would, but puts no load on it. It runs until this runner is closed.
     *
     * @throws LabException if it does not start, or is not a process that Fettle launches
     */
    public Standing stand(TrialSpec spec, LabListener listener) throws LabException, InterruptedException {
        Trial trial = trial(1, spec, listener);
        standing = trial;
        if (!launched(trial, Optional.empty(), Map.of())) {
            throw new LabException(
                    trial.failure().map(TrialOutcome.Failure::message).orElse("the target did not come up"));
        }
        return new Standing(trial.pid(), trial.up().address().getPort());
    }

    /** Ends the kept target, and the hooks that ran once. */
    @Override
    public void close() {
        if (kept != null) {
            kept.close();
        }
        endWarm();
        if (standing != null) {
            standing.close();
        }
        hooks.close();
    }
}
