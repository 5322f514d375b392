package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Experiment.Step.Pair;
import dev.fettle.lab.engine.LocalLoad;
import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.launch.Artifacts;
import dev.fettle.lab.launch.Calibration;
import dev.fettle.lab.launch.TargetLauncher;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.LocalTargets;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs trials from launch to verdict: prepare, launch on its own CPUs, wait until ready (status and body), read back, warm up
 * until steady, measure, stop, judge. The step says on what: a target of its own ({@link SingleRunner}), two that take turns
 * ({@link PairRunner}), or one that outlives a trial and is held here. Every step has a time limit, and nothing is left running or
 * open afterwards, whatever happens. The plan's hooks run around each trial; those that run once end when the runner is closed.
 */
public final class TrialRunner implements AutoCloseable {
    private final LabEnvironment env;
    private final PlanHooks hooks;
    private final boolean noHooks;
    private final PairFit fit;
    private final Calm calm;
    private final TrialStart start;
    private final SingleRunner alone;
    private final PairRunner pairs;
    private @Nullable KeptTarget kept;
    private @Nullable WarmTarget warm;
    private @Nullable Trial standing;
    private int launch;

    /**
     * A runner for one run.
     *
     * @param runFolder where each trial's folder is made
     * @param own knobs of the user's application
     * @param tuned knobs that are read back in every trial
     * @param slo decides which answers to a load with stages are good, and which rates of a capacity
     * @param metric what the run's trials are judged by
     * @param files what is known already of the files that its targets are made of; with hooks before the
     *     trials, what they may make or change is seen only when they have run
     */
    public TrialRunner(
            LabEnvironment env,
            Path runFolder,
            Hooks hooks,
            List<OwnKnob> own,
            Set<String> tuned,
            Optional<Slo> slo,
            Objective.Metric metric,
            TrialFiles files,
            LabListener listener) {
        this(env, runFolder, hooks, own, tuned, slo, metric, files, new LocalLoad(), listener);
    }

    /** The same, whose loads are started elsewhere. */
    public TrialRunner(
            LabEnvironment env,
            Path runFolder,
            Hooks hooks,
            List<OwnKnob> own,
            Set<String> tuned,
            Optional<Slo> slo,
            Objective.Metric metric,
            TrialFiles files,
            LoadPort loads,
            LabListener listener) {
        this(
                env,
                runFolder,
                hooks,
                slo,
                metric,
                new LocalTargets(
                        env,
                        new TargetLauncher(
                                env,
                                Artifacts.of(env, listener::note),
                                new Calibration(runFolder),
                                own,
                                madeBefore(hooks) ? new TrialFiles() : files,
                                listener::note),
                        new EffectiveValues(env.proc(), own, tuned)),
                loads,
                Calm.thisMachine(env),
                listener);
    }

    /**
     * A runner whose targets and loads may be anywhere.
     *
     * @param targets launches the targets, and reads back what was set
     * @param loads starts the loads
     * @param disturbances observes what others do to the CPUs
     */
    TrialRunner(
            LabEnvironment env,
            Path runFolder,
            Hooks hooks,
            Optional<Slo> slo,
            Objective.Metric metric,
            TargetPort targets,
            LoadPort loads,
            Calm.Reader disturbances,
            LabListener listener) {
        this.env = env;
        this.noHooks = hooks.equals(Hooks.NONE);
        this.hooks = new PlanHooks(env, hooks, runFolder, listener::note);
        this.calm = Calm.of(env, disturbances, listener::note);
        this.fit = new PairFit(env.proc(), hooks);
        this.start = new TrialStart(env, runFolder, this.hooks, targets, loads, listener::note);
        this.alone = new SingleRunner(env, start, calm, fit, slo, metric);
        this.pairs = new PairRunner(env, start, alone, calm, fit);
    }

    /** Whether a hook may make a part of the target, or data, before the first trial. */
    private static boolean madeBefore(Hooks hooks) {
        return !hooks.before().isEmpty();
    }

    /** Runs one trial to its end. A trial that goes wrong is an outcome, not an exception. */
    public TrialOutcome run(int ordinal, TrialSpec spec, LabListener listener)
            throws LabException, InterruptedException {
        return run(ordinal, new Step.Run(spec, "", 0), listener);
    }

    /** Runs one trial, to its end or until it is surely worse than the step's bound. */
    TrialOutcome run(int ordinal, Step.Run step, LabListener listener) throws LabException, InterruptedException {
        endWarm();
        var clock = new Stopwatch(env.clock());
        return alone.run(start.trial(ordinal, step.spec(), listener), Duration.ZERO, step.giveUp())
                .outcome(clock.started(), clock.lap());
    }

    /**
     * Runs a pair: loaded in turn if both fit on the machine, otherwise one after the other.
     *
     * @return the outcomes in the pair's order; their times add up to the pair's
     */
    List<TrialOutcome> runPair(int ordinal, Pair pair, LabListener listener) throws LabException, InterruptedException {
        endWarm();
        return pairs.run(ordinal, pair, listener);
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
                var launching = spec.withLoad(step.probing().load());
                kept = new KeptTarget(env, start.trial(ordinal, launching, listener), calm, noHooks);
                if (!kept.bare()) {
                    kept.check();
                    start.checkLimits(launching);
                }
                kept.launch();
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
        var clock = new Stopwatch(env.clock());
        TrialSpec spec = step.run().spec();
        var said = new ArrayList<String>();
        try {
            Trial.checkConstraints(env, spec);
            start.checkLimits(spec);
        } catch (TrialFailure e) {
            return new TrialEnd(ordinal, spec, clock.started(), clock.lap(), List.of())
                    .failed(e.asFailure(), Optional.empty());
        }
        if (warm != null) {
            try {
                warm.set(spec.setting());
                return warm.measure(ordinal, step, clock.started(), clock::lap, said, listener);
            } catch (TrialFailure e) {
                said.add("the warm JVM was replaced by a fresh one for this trial: "
                        + e.asFailure().message());
                endWarm();
            }
        }
        var launching = spec.withSetting(step.launched());
        Trial trial = start.trial(ordinal, launching, listener);
        var fresh = new WarmTarget(env, trial, calm);
        warm = fresh;
        try {
            fresh.launch(start);
            fresh.set(spec.setting());
        } catch (TrialFailure e) {
            said.add("this setting had a process of its own, not the warm JVM: "
                    + e.asFailure().message());
            endWarm();
            TrialOutcome own = alone.run(start.trial(ordinal, spec, listener), Duration.ZERO, Optional.empty())
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
        Trial trial = start.trial(1, spec, listener);
        standing = trial;
        if (!trial.goesThrough(start.launching(trial, Optional.empty()))) {
            throw new LabException(
                    trial.failure().map(TrialOutcome.Failure::message).orElse("the target did not come up"));
        }
        return new Standing(trial.pid(), trial.up().about().address().getPort());
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
