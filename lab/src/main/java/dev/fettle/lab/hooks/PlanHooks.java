package dev.fettle.lab.hooks;

import dev.fettle.lab.hooks.RunningHooks.Numbered;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.OtherUser;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.HookOutcome.Where;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A plan's hooks over a run: some run once, when the first trial begins, the others around each trial. */
public final class PlanHooks implements AutoCloseable {
    private final LabEnvironment env;
    private final Hooks hooks;
    private final Path runFolder;
    private final Consumer<String> note;
    private final Ports shared = new Ports();
    private Optional<RunningHooks> once = Optional.empty();

    /**
     * Runs none yet.
     *
     * @param runFolder where the hooks that run once are run
     * @param note receives failures of cleanup hooks
     */
    public PlanHooks(LabEnvironment env, Hooks hooks, Path runFolder, Consumer<String> note) {
        this.env = env;
        this.hooks = hooks;
        this.runFolder = runFolder;
        this.note = note;
    }

    /** Whether one of them runs something as another user. */
    public boolean changeUser() {
        return OtherUser.in(hooks);
    }

    /** The ports of a trial: its own, and those of the hooks that run once. */
    public Ports ports() throws LabException {
        shared.reserve(hooks.ports(Scope.RUN));
        var ports = new Ports(shared);
        ports.reserve(hooks.ports());
        return ports;
    }

    /**
     * Starts a trial's hooks, and before the first trial those of the run.
     *
     * @param runs collects the outcomes
     * @throws TrialFailure if a hook of the trial fails
     * @throws LabException if a hook of the run fails, since every trial needs it
     */
    public RunningHooks around(Path trialFolder, Ports ports, Setting setting, HookRuns runs)
            throws TrialFailure, LabException, InterruptedException {
        if (once.isEmpty()) {
            try {
                once = Optional.of(begin(Scope.RUN, runFolder, shared, Setting.DEFAULT, runs));
            } catch (TrialFailure e) {
                throw new LabException(String.valueOf(e.getMessage()), e);
            }
        }
        check("between two trials");
        return begin(Scope.TRIAL, trialFolder, ports, setting, runs);
    }

    private RunningHooks begin(Scope scope, Path folder, Ports ports, Setting setting, HookRuns runs)
            throws TrialFailure, LabException, InterruptedException {
        Path java = env.jdks().java(Optional.empty());
        var context = new HookContext(folder, java, env.cpus().generator(), ports, setting);
        return RunningHooks.begin(
                numbered(Where.BEFORE, hooks.before(), scope),
                numbered(Where.AFTER, hooks.after(), scope),
                context,
                runs);
    }

    private static List<Numbered> numbered(Where where, List<Hook> all, Scope scope) {
        var out = new ArrayList<Numbered>();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).scope() == scope) {
                out.add(new Numbered(where, i + 1, all.get(i)));
            }
        }
        return out;
    }

    /**
     * Checks the hooks of the run.
     *
     * @throws LabException if a background hook has ended
     */
    public void check(String when) throws LabException {
        if (once.isPresent()) {
            try {
                once.get().check(when);
            } catch (TrialFailure e) {
                throw new LabException(e.getMessage() + "; it was to stay up for the whole run", e);
            }
        }
    }

    /** The processes of the run's background hooks. */
    public List<Long> pids() {
        return once.map(RunningHooks::pids).orElse(List.of());
    }

    /** Ends a trial's hooks, and returns the failures of its cleanup hooks. */
    public List<String> end(RunningHooks around) {
        around.close();
        around.problems().forEach(note);
        return around.problems();
    }

    @Override
    public void close() {
        once.ifPresent(this::end);
        once = Optional.empty();
    }
}
