package dev.fettle.lab;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.ValidityGate;
import dev.fettle.lab.UnderLoad.Seen;
import dev.fettle.model.Constraints;
import dev.fettle.model.Hooks;
import dev.fettle.model.Secrets;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.TrialOutcome.Kind;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One trial from launch to verdict: prepare, launch on its own CPUs, ready (status and body), read back, warm up until
 * steady, measure, stop, judge. Every step has a bound, and nothing is left running or open afterwards, whatever happened.
 * The plan's hooks run around each trial; those that run once end when the runner is closed.
 */
public final class TrialRunner implements AutoCloseable {
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
        var hookRuns = new HookRuns();
        try {
            checkConstraints(spec);
            Ports ports = hooks.ports();
            around = hooks.around(folder, ports, spec.setting(), hookRuns);
            target = launcher.launch(spec, folder, ports);
            Readiness.await(target, spec.load());
            OptionalInt acceptQueue = effective.readBack(target, spec.target(), spec.setting());
            seen = Optional.of(new UnderLoad(env, target, spec.load(), hooks, around, progress).measured(acceptQueue));
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
                verdict,
                hookRuns.all());
    }

    /** Runs a pair, one after the other; its outcomes in the pair's order. */
    List<TrialOutcome> runPair(int ordinal, Experiment.Step.Pair pair, LabListener listener)
            throws LabException, InterruptedException {
        listener.trialBegins(ordinal, pair.first());
        TrialOutcome first = run(ordinal, pair.first().spec(), listener);
        listener.trialBegins(ordinal + 1, pair.second());
        return List.of(first, run(ordinal + 1, pair.second().spec(), listener));
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

    private static Verdict voidBecause(TrialOutcome.Failure failure) {
        return new Verdict(List.of(new Verdict.Reason(
                failure.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                failure.message(),
                failure.kind().passing())));
    }

    private static Verdict verdict(TrialSpec spec, Seen seen) {
        Verdict gate = ValidityGate.judge(spec, seen.measurement(), Optional.of(seen.evidence()));
        return seen.notSteady().map(gate::because).orElse(gate);
    }
}
