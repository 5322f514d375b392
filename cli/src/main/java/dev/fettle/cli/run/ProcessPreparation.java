package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.guest.ProcessInspection;
import dev.fettle.lab.guest.PutBack;
import dev.fettle.lab.guest.ValueRestore;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.PlanConstraints;
import dev.fettle.model.plan.PlanConstraints.Violation;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Secrets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prepares a run on a process that is already running, and one that goes on. */
final class ProcessPreparation {
    private ProcessPreparation() {}

    /**
     * Restores values that a killed Fettle left changed in processes, and inspects the plan's process, if it has one.
     *
     * @param tell receives what the user should know
     * @return the plan with what was found
     * @throws CliException if there is nothing to load, or the process can't be set as the plan wants
     */
    static Plan look(Plan plan, LabEnvironment env, Consumer<String> tell) throws LabException, InterruptedException {
        var debts = new Debts(env.state(), env.proc());
        ValueRestore.putBack(debts, OptionalLong.empty()).stream()
                .filter(p -> p.state() == PutBack.State.DONE || p.state() == PutBack.State.FAILED)
                .map(PutBack::text)
                .forEach(tell);
        Optional<Target.Running> asked = plan.target().running();
        if (asked.isEmpty()) {
            return plan;
        }
        Plan looked;
        try {
            looked = plan.on(new ProcessInspection(env, tell).at(asked.get()));
        } catch (LabException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()), e);
        }
        List<Violation> broken = PlanConstraints.check(
                looked, env.cpus().server().size(), env.proc().somaxconn());
        if (!broken.isEmpty()) {
            throw Parse.usage(broken.stream().map(Violation::message).collect(Collectors.joining("\n")));
        }
        return looked;
    }

    /**
     * The plan with the process on which its run began, which the plan file need not name, and with what an option of its URL changed:
     * TLS, and the path.
     *
     * @param begun the run's plan as journalled
     */
    static Plan again(Plan plan, Plan begun) {
        Optional<Target.Running> process = begun.target().running();
        if (process.isEmpty()) {
            return plan;
        }
        Plan on = plan.on(process.get());
        Plan same = on.withLoad(on.load().withWire(begun.load().wire())); // which has no secrets
        String path = begun.load().request().path();
        if (same.load().scenario().isPresent()
                || path.equals(Secrets.path(same.load().request().path()))) {
            return same; // the plan's own, which may have a secret
        }
        if (path.contains(Secrets.MASK)) {
            throw Parse.usage(
                    "the path of --url has what may be secret, which is not journalled: start a new run, or put the path into the"
                            + " plan");
        }
        return same.withLoad(same.load().withPath(path));
    }
}
