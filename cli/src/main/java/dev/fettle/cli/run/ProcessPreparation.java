package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.guest.LeftBehind;
import dev.fettle.lab.guest.ProcessLook;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.PlanConstraints;
import dev.fettle.model.plan.PlanConstraints.Violation;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prepares a run on a process that is already running. */
final class ProcessPreparation {
    private ProcessPreparation() {}

    /**
     * Restores values that a killed Fettle left changed in processes, and inspects the plan's process, if it has one.
     * Must be called with the workspace locked: another Fettle's trial may be running.
     *
     * @param tell receives what the user should know
     * @return the plan with what was found
     * @throws CliException if there is nothing to load, or the process can't be set as the plan wants
     */
    static Plan look(Plan plan, LabEnvironment env, Consumer<String> tell) throws LabException, InterruptedException {
        LeftBehind.putBack(env.workspace(), env.proc(), tell);
        if (!(plan.target() instanceof Target.Running asked)) {
            return plan;
        }
        Plan looked;
        try {
            looked = plan.on(new ProcessLook(env, tell).at(asked));
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
        List<Violation> broken = PlanConstraints.check(
                looked, env.cpus().server().size(), env.proc().somaxconn());
        if (!broken.isEmpty()) {
            throw new CliException(
                    ExitCodes.USAGE, broken.stream().map(Violation::message).collect(Collectors.joining("\n")));
        }
        return looked;
    }
}
