package dev.fettle.cli.option;

import dev.fettle.cli.terminal.Screen;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Options that every command has. */
public final class CommonOptions {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder for the journal and the reports. Default: ${DEFAULT-VALUE}",
            defaultValue = ".fettle")
    @SuppressWarnings("NullAway.Init")
    public Path dir; // set by picocli

    @Option(
            names = "--json",
            description = "Print the result as JSON on standard output; progress goes to standard error.")
    public boolean json;

    @Option(names = "--no-colour", description = "Print without colours. Setting NO_COLOR does the same.")
    boolean noColour;

    @Option(names = "--verbose", description = "Print the stack trace of an error.")
    boolean verbose;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command; // set by picocli

    /** The command that has these options. */
    public CommandLine line() {
        return command.commandLine();
    }

    /** Where the command writes. */
    public Screen screen() {
        return new Screen(line(), json, !noColour);
    }

    /** The run that a command is about. */
    public static final class WhichRun {
        @Parameters(
                paramLabel = "RUN",
                description = "A run's id or number, or 'latest'. Default: ${DEFAULT-VALUE}",
                defaultValue = "latest",
                arity = "0..1")
        @SuppressWarnings("NullAway.Init")
        public String name; // set by picocli
    }

    /** Options of commands that put load on something. */
    public static final class Hosts {
        @Option(
                names = "--own-host",
                paramLabel = "NAME",
                description = "Another host that you own and may load. Can be repeated.")
        public Set<String> own = new LinkedHashSet<>();
    }

    public static boolean verbose(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.hasMatchedOption("--verbose");
    }
}
