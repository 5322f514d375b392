package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.run.PlanCheck;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.model.text.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        header = "Says what is wrong with a plan, and what it would do, without running it.",
        description =
                "Reads the plan as a run would, on this machine: every mistake with its line and column, JDKs that are"
                        + " missing, limits that are too low. If it is sound: the trials, the time and the CPUs of each command that can run it.",
        footer = {
            "",
            "Examples:",
            "  fettle check my.yaml",
            "  fettle check my.yaml --json",
            "",
            "Exit codes: 0 sound, 2 it has mistakes."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.")
    private Path plan;

    @Mixin
    private CommonOptions.Hosts hosts;

    @Option(names = "--json", description = "Print the answer as JSON.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isReadable(plan)) {
            throw Parse.usage("there is no plan " + Secrets.redactUrl(plan.toString()));
        }
        PlanCheck check = PlanCheck.of(plan, hosts.own);
        var screen = new Screen(spec.commandLine(), json, false);
        screen.result(json ? check.json(plan) : check.text(plan, screen.width(), screen.colour()));
        return check.sound() ? ExitCodes.OK : ExitCodes.USAGE;
    }
}
