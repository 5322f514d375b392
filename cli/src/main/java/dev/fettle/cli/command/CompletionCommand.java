package dev.fettle.cli.command;

import dev.fettle.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fettle completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        header = "Prints a completion script for bash and zsh.",
        footer = {
            "",
            "Examples:",
            "  source <(fettle completion)",
            "  fettle completion > /etc/bash_completion.d/fettle"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var line = spec.commandLine();
        line.getOut().println(AutoComplete.bash("fettle", spec.root().commandLine()));
        line.getOut().flush();
        return ExitCodes.OK;
    }
}
