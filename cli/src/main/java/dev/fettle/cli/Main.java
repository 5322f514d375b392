package dev.fettle.cli;

import dev.fettle.cli.command.AuditCommand;
import dev.fettle.cli.command.BenchCommand;
import dev.fettle.cli.command.CapacityCommand;
import dev.fettle.cli.command.CaptureCommand;
import dev.fettle.cli.command.CheckCommand;
import dev.fettle.cli.command.CompareCommand;
import dev.fettle.cli.command.CompletionCommand;
import dev.fettle.cli.command.ConfigCommand;
import dev.fettle.cli.command.DiagnoseCommand;
import dev.fettle.cli.command.GateCommand;
import dev.fettle.cli.command.HistoryCommand;
import dev.fettle.cli.command.HostsCommand;
import dev.fettle.cli.command.ImportCommand;
import dev.fettle.cli.command.InitCommand;
import dev.fettle.cli.command.JudgeCommand;
import dev.fettle.cli.command.KnobsCommand;
import dev.fettle.cli.command.McpCommand;
import dev.fettle.cli.command.PutBackCommand;
import dev.fettle.cli.command.ReportCommand;
import dev.fettle.cli.command.ResumeCommand;
import dev.fettle.cli.command.RunsCommand;
import dev.fettle.cli.command.ServeCommand;
import dev.fettle.cli.command.ShowCommand;
import dev.fettle.cli.command.SweepCommand;
import dev.fettle.cli.command.TuneCommand;
import dev.fettle.cli.command.WatchCommand;
import dev.fettle.cli.option.Converters;
import dev.fettle.cli.option.HelpWords;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.run.AtHost;
import dev.fettle.cli.run.Version;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.EndWithCaller;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.StandardOutput;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.text.OneLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code fettle} command. */
@Command(
        name = "fettle",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Load-tests JVM web servers, says what limits them, and proves better settings.",
        synopsisSubcommandLabel = "COMMAND",
        description = "",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        subcommands = {
            TuneCommand.class,
            SweepCommand.class,
            CompareCommand.class,
            GateCommand.class,
            HistoryCommand.class,
            BenchCommand.class,
            WatchCommand.class,
            CaptureCommand.class,
            ImportCommand.class,
            InitCommand.class,
            CheckCommand.class,
            HostsCommand.class,
            JudgeCommand.class,
            CapacityCommand.class,
            AuditCommand.class,
            DiagnoseCommand.class,
            RunsCommand.class,
            ServeCommand.class,
            ShowCommand.class,
            ReportCommand.class,
            ConfigCommand.class,
            ResumeCommand.class,
            PutBackCommand.class,
            KnobsCommand.class,
            CompletionCommand.class,
            McpCommand.class,
            TrainCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Start with:",
            "  fettle tune                           tune the bundled login page, about five minutes",
            "  fettle tune examples/wiremock.yaml    tune WireMock, started by a command",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -d 10s",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong arguments or plan, 3 machine lacks something,",
            "            4 no valid result,",
            "            5 failed a check (--fail-if, --fail-on, --at-least; config: it differs; gate: worse),",
            "            6 no time to try or prove anything (gate: can't tell), 130 interrupted.",
            "Environment: FETTLE_JAVA_HOME the JDK that runs Fettle,",
            "             FETTLE_CALM=off don't wait for a quiet machine,",
            "             FETTLE_LEAST_FREE=100m disk that has to be free before a trial."
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    private Main() {}

    /** Runs the command and exits with its code. */
    public static void main(String... args) {
        EndWithCaller.watch();
        // the time of a bench runs from the command to its first request: don't let it wait until picocli has inspected
        // all other commands
        var output = StandardOutput.install();
        System.setProperty(
                "slf4j.internal.verbosity", "ERROR"); // libraries look for a log that a command has no use for
        if (AtHost.isMeant(args)) {
            args = AtHost.begin(args);
        }
        boolean quick = args.length > 0 && args[0].equals("bench");
        System.exit(output.end(
                quick
                        ? execute(
                                prepare(new CommandLine(BenchCommand.class).setCommandName("fettle bench")),
                                Arrays.copyOfRange(args, 1, args.length))
                        : execute(commandLine(), args)));
    }

    /** Executes a command. Too little memory or stack is reported in one line, like any other failure. */
    static int execute(CommandLine line, String... args) {
        try {
            return line.execute(args);
        } catch (VirtualMachineError e) {
            var parsed = Optional.ofNullable(line.getParseResult());
            CommandLine of = parsed.map(p -> p.asCommandLineList().getLast()).orElse(line);
            boolean verbose = parsed.map(PrintOptions::verbose).orElse(false);
            boolean memory = e instanceof OutOfMemoryError;
            boolean tellsWhere = of.getCommandSpec().findOption("--verbose") != null;
            var err = line.getErr();
            err.println(OneLine.each("fettle: "
                    + (memory ? "there is not enough memory for this" : "this is nested too deeply")
                    + ": " + e + (tellsWhere ? " (with --verbose: where)" : "")));
            if (verbose) {
                trace(e, err);
            }
            err.flush();
            return ExitCodes.FAILED;
        }
    }

    static CommandLine commandLine() {
        return prepare(new CommandLine(new Main()));
    }

    private static CommandLine prepare(CommandLine line) {
        String name = line.getCommandName();
        line.getCommandSpec().resourceBundle(new HelpWords(name.substring(name.lastIndexOf(' ') + 1)));
        line.getSubcommands().forEach((command, of) -> of.getCommandSpec().resourceBundle(new HelpWords(command)));
        Converters.register(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpWidth(100);
        line.setExpandAtFiles(false);
        line.setExecutionExceptionHandler(Main::explain);
        line.setParameterExceptionHandler(Main::wrongArguments);
        return line;
    }

    /** Prints what is wrong and where to find help: the whole usage text would push the message off the screen. */
    private static int wrongArguments(CommandLine.ParameterException e, String... args) {
        CommandLine line = e.getCommandLine();
        var err = line.getErr();
        Optional<String> value = Converters.wrong(e);
        err.println(OneLine.each("fettle: " + value.orElse(e.getMessage())));
        if (value.isEmpty()) {
            CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
            err.println("See: " + line.getCommandSpec().qualifiedName() + " --help");
        }
        err.flush();
        return ExitCodes.USAGE;
    }

    private static int explain(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
        var err = line.getErr();
        int code = switch (e) {
            case PlanException plan -> {
                plan.problems().forEach(p -> err.println(OneLine.each(p.toString())));
                yield ExitCodes.USAGE;
            }
            case CliException cli -> {
                err.println(OneLine.each("fettle: " + cli.getMessage()));
                yield cli.exitCode();
            }
            case LabException lab -> {
                err.println(OneLine.each("fettle: " + lab.getMessage()));
                yield ExitCodes.FAILED;
            }
            case InterruptedException _ -> ExitCodes.INTERRUPTED;
            default -> {
                boolean tellsWhere = line.getCommandSpec().findOption("--verbose") != null;
                err.println(OneLine.each("fettle: unexpected: " + e + (tellsWhere ? " (with --verbose: where)" : "")));
                yield ExitCodes.FAILED;
            }
        };
        if (PrintOptions.verbose(parsed)) {
            trace(e, err);
        }
        err.flush();
        return code;
    }

    private static void trace(Throwable e, PrintWriter err) {
        var text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true));
        err.print(OneLine.each(text.toString()));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing, for example: fettle tune");
    }
}
