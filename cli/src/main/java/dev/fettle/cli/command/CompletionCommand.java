package dev.fettle.cli.command;

import dev.fettle.cli.terminal.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
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
            "  fettle completion bash > /etc/bash_completion.d/fettle",
            "",
            "Exit codes: 0 printed, 2 there is none for this shell."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "SHELL", description = "bash or zsh: the script is the same for both.")
    private @Nullable String shell;

    @Override
    public Integer call() {
        if (shell != null && !shell.equals("bash") && !shell.equals("zsh")) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "there is no completion for " + shell + ": for bash and zsh only");
        }
        var line = spec.commandLine();
        line.getOut().println(quoted(AutoComplete.bash("fettle", spec.root().commandLine())));
        line.getOut().flush();
        return ExitCodes.OK;
    }

    /** The generator puts names into quotes as they are; an option that people write with an apostrophe would end them. */
    private String quoted(String script) {
        List<String> names = spec.root().subcommands().values().stream()
                .flatMap(c -> c.getCommandSpec().options().stream())
                .flatMap(o -> Stream.of(o.names()))
                .filter(n -> n.contains("'"))
                .distinct()
                .toList();
        String all = script;
        for (String name : names) {
            all = all.replace("'" + name + "'", name.replace("'", "\\'"));
        }
        return all;
    }
}
