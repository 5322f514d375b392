package dev.fettle.cli.option;

import dev.fettle.cli.terminal.Screen;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command prints. */
public class PrintOptions {
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

    /** Whether stack traces are wanted. */
    public static boolean verbose(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.hasMatchedOption("--verbose");
    }
}
