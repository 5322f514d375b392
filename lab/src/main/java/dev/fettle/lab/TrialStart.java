package dev.fettle.lab;

import dev.fettle.insight.audit.Preflight;
import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.LimitCheck;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.measure.Session;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.port.TargetPort;
import dev.fettle.lab.process.OtherUser;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** How the trials of a run begin: each in its own folder, within the machine's limits, launched and read back. */
final class TrialStart {
    static final Duration LAUNCHED_WITHIN = Duration.ofSeconds(60);

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private static final Duration READ_BACK_WITHIN = Duration.ofSeconds(10);

    private final LabEnvironment env;
    private final Path runFolder;
    private final PlanHooks hooks;
    private final TargetPort targets;
    private final LoadPort loads;
    private final Consumer<String> note;
    /** Warnings already given. */
    private final Set<String> warned = new HashSet<>();

    /** @param runFolder where each trial's folder is made */
    TrialStart(
            LabEnvironment env,
            Path runFolder,
            PlanHooks hooks,
            TargetPort targets,
            LoadPort loads,
            Consumer<String> note) {
        this.env = env;
        this.runFolder = runFolder;
        this.hooks = hooks;
        this.targets = targets;
        this.loads = loads;
        this.note = note;
    }

    /** A trial that is not launched yet. */
    Trial trial(int ordinal, TrialSpec spec, LabListener listener) throws LabException {
        // an interrupted trial has left its folder behind
        env.disk().check(runFolder);
        Path folder = Workspace.fresh(runFolder, "trial-" + ordinal);
        if (OtherUser.in(spec.target()) || hooks.changeUser()) {
            env.workspace().letThrough(folder);
        }
        return new Trial(env, targets, loads, ordinal, spec, folder, hooks, listener);
    }

    /** Checks a trial's needs against the machine's limits; each warning is given once. */
    void checkLimits(TrialSpec spec) throws TrialFailure {
        Preflight.Found found = LimitCheck.trial(env.proc(), spec.target(), spec.load(), spec.setting());
        Optional<String> refused = LimitCheck.refused(found);
        if (refused.isPresent()) {
            throw new TrialFailure(Kind.IMPOSSIBLE_SETTING, refused.get());
        }
        found.warnings().stream().filter(warned::add).forEach(note);
    }

    /**
     * How every trial of a target of its own begins: it is launched, gives the right answer, and has the setting.
     *
     * @param calm waits for a calm machine first, if given
     */
    Session<TrialFailure> launching(Trial trial, Optional<Calm> calm) {
        return inForce(trial, trial.session().then(TrialStage.LAUNCH, LAUNCHED_WITHIN, () -> {
            checkLimits(trial.spec());
            Trial.checkConstraints(env, trial.spec());
            trial.launch(calm);
        }));
    }

    /** After its launch: a trial's target gives the right answer, and has the setting. */
    static Session<TrialFailure> inForce(Trial trial, Session<TrialFailure> session) {
        return session.then(TrialStage.READY, READY_WITHIN, trial::awaitReady)
                .then(TrialStage.READ_BACK, READ_BACK_WITHIN, trial::readBack);
    }
}
