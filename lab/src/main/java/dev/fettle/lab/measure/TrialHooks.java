package dev.fettle.lab.measure;

import dev.fettle.lab.hooks.PlanHooks;
import dev.fettle.lab.hooks.RunningHooks;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.port.TargetHandle;
import java.util.ArrayList;
import java.util.List;

/** The hooks around a trial: those of the run and its own. */
public record TrialHooks(PlanHooks run, RunningHooks trial) {
    /** Checks that hooks that must stay up are still running. */
    void check(String when) throws TrialFailure, LabException {
        run.check(when);
        trial.check(when);
    }

    /** All processes of a target's trial; empty if not all are known. */
    public List<Long> processes(TargetHandle target) {
        var all = new ArrayList<>(target.processes());
        if (!all.isEmpty()) {
            all.addAll(pids());
        }
        return all;
    }

    /** Their processes. */
    public List<Long> pids() {
        var all = new ArrayList<>(run.pids());
        all.addAll(trial.pids());
        return all;
    }
}
