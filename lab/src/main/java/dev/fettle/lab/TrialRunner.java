package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Experiment.Step.Pair;
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
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.HostLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Trials from launch to verdict: prepare, launch on its own CPUs, ready (status and body), read back, warm up until
 * steady, measure, stop, judge; one alone, or two as a pair. Every step has a bound, and nothing is left running or open
 * afterwards, whatever happened. The plan's hooks run around each trial; those that run once end when the runner is closed.
 */
public final class TrialRunner implements AutoCloseable {
    /** What a server may fail of because another one is up: a port, a file, memory, a hook that takes hold of one thing. */
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
    /** Warnings that have been said. */
    private final Set<String> warned = new HashSet<>();

    private final Consumer<String> note;
    private final boolean noHooks;
    private @Nullable KeptTarget kept;

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
        this(env, runFolder, hooks, List.of(), listener);
    }

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     * @param own knobs of the user's application
     */
    public TrialRunner(LabEnvironment env, Path runFolder, Hooks hooks, List<OwnKnob> own, LabListener listener) {
        this.env = env;
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

    /** Runs one trial. A trial that goes wrong is an outcome, not an exception. */
    public TrialOutcome run(int ordinal, TrialSpec spec, LabListener listener)
            throws LabException, InterruptedException {
        var clock = new Took(env);
        return alone(trial(ordinal, spec, listener), Duration.ZERO, Map.of()).outcome(clock.started(), clock.lap());
    }

    /**
     * Runs a pair: loaded in turn where two fit on the machine, or else one after the other.
     *
     * @return its outcomes in the pair's order; what they took adds up to what the pair took
     */
    List<TrialOutcome> runPair(int ordinal, Pair pair, LabListener listener) throws LabException, InterruptedException {
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
            fit.never(beside.refused().get()); // each is sound by itself, so it was the other that it did not bear
        }
        return apart;
    }

    /**
     * What came of two that were up at the same time.
     *
     * @param refused why it shows nothing, if one of them may have failed because the other was there
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
                new SideBySide(first, second).run();
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

    /** What this machine does not let it have is said before, each line once. */
    private void checkLimits(TrialSpec spec) throws TrialFailure {
        LimitCheck.Found found =
                LimitCheck.check(LimitCheck.Needs.of(spec.load(), spec.setting()), HostLimits.of(env.proc(), "self"));
        if (!found.refused().isEmpty()) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, String.join("; ", found.refused()));
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

    /** Both are warmed up for as long as the first was; the second for longer, if it needs that. */
    private List<TrialOutcome> oneAfterTheOther(int ordinal, Pair pair, String why, Took clock, LabListener listener)
            throws LabException, InterruptedException {
        var facts = Map.of(PairSlices.SIDE_BY_SIDE, "false", PairSlices.WHY_NOT, why);
        listener.trialBegins(ordinal, pair.first());
        Trial first = alone(trial(ordinal, pair.first().spec(), listener), Duration.ZERO, facts);
        TrialOutcome one = first.outcome(clock.started(), clock.lap());
        listener.trialBegins(ordinal + 1, pair.second());
        Instant then = env.clock().instant();
        Trial second = alone(trial(ordinal + 1, pair.second().spec(), listener), first.warmUp(), facts);
        return List.of(one, second.outcome(then, clock.lap()));
    }

    private Trial trial(int ordinal, TrialSpec spec, LabListener listener) throws LabException {
        // one that was cut off has left its own folder
        return new Trial(env, ordinal, spec, Workspace.fresh(runFolder, "trial-" + ordinal), hooks, listener);
    }

    /** A trial from beginning to end, with nothing beside it. */
    private Trial alone(Trial trial, Duration warmUpAtLeast, Map<String, String> facts)
            throws LabException, InterruptedException {
        try (trial) {
            if (launched(trial, Optional.of(calm), facts)) {
                try {
                    LoadedTarget load = trial.begin();
                    trial.progress()
                            .stage(
                                    LabListener.Stage.WARM_UP,
                                    trial.spec().load().warmUpAtMost());
                    load.warmUp(warmUpAtLeast);
                    trial.progress()
                            .stage(
                                    LabListener.Stage.MEASURE,
                                    trial.spec().load().measure());
                    load.measure();
                    trial.done(load, Set.of());
                } catch (TrialFailure e) {
                    trial.failed(e);
                }
            }
        }
        fit.used(trial);
        return trial;
    }

    /**
     * Runs a trial on the target that is kept, which is launched for the first one.
     *
     * @throws LabException also if the target fails: then nothing is known of this trial, and the run can be resumed
     */
    public TrialOutcome runKept(int ordinal, Step.Kept step, LabListener listener)
            throws LabException, InterruptedException {
        try {
            if (kept == null) {
                TrialSpec spec = step.run().spec();
                var launch = new TrialSpec(
                        spec.phase(),
                        spec.variant(),
                        spec.point(),
                        spec.block(),
                        spec.target(),
                        spec.setting(),
                        step.probing().load());
                kept = new KeptTarget(env, trial(ordinal, launch, listener), noHooks);
                if (!kept.bare()) {
                    kept.check();
                    checkLimits(launch);
                }
                kept.launch(launcher, effective);
            }
            return kept.run(ordinal, step, listener);
        } catch (TrialFailure e) {
            throw new LabException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The time that passes. */
    private static final class Took {
        private final Instant started;
        private long since = System.nanoTime();

        Took(LabEnvironment env) {
            started = env.clock().instant();
        }

        Instant started() {
            return started;
        }

        /** Since it began, or since the last time. */
        Duration lap() {
            long now = System.nanoTime();
            var lap = Duration.ofNanos(now - since);
            since = now;
            return lap;
        }
    }

    /** Ends the target that was kept, and the hooks that were run once. */
    @Override
    public void close() {
        if (kept != null) {
            kept.close();
        }
        hooks.close();
    }
}
