package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.model.imports.CurlImport;
import dev.fettle.model.imports.HarImport;
import dev.fettle.model.imports.ImportException;
import dev.fettle.model.imports.Imported;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle import}. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        header = "Turns a HAR file or a curl command into a scenario.",
        description =
                "Prints a scenario file for 'fettle bench URL --scenario FILE' or a plan's load.scenario. Secrets (tokens,"
                        + " passwords, cookies) become variables. Nothing is sent or executed.",
        footer = {
            "",
            "Examples:",
            "  fettle import har recording.har --out shop.yaml",
            "  fettle import har recording.har --think --all",
            "  fettle import curl \"curl -d 'account=ada' http://127.0.0.1:8080/login\"",
            "  cat curl.txt | fettle import curl --out login.yaml",
            "",
            "Exit codes: 0 done, 2 wrong arguments, what can't be read, or --out exists already."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ImportCommand implements Runnable {
    private static final int MOST_MEBIBYTES = 64;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "what is to be imported? har FILE, or curl 'curl …'");
    }

    @Command(
            name = "har",
            mixinStandardHelpOptions = true,
            header = "Turns a HAR file, as saved by a browser's network tools, into a scenario.",
            description =
                    "Takes the requests to the first request's host, in order, and expects the recorded statuses.",
            footer = {
                "",
                "Examples:",
                "  fettle import har recording.har --out shop.yaml",
                "  fettle import har recording.har --think --all"
            })
    int har(
            @Parameters(paramLabel = "FILE", description = "The HAR file, at most 64 MiB; - reads standard input.")
                    Path file,
            @Option(names = "--all", description = "Keep images, styles, scripts and fonts.") boolean all,
            @Option(names = "--think", description = "Keep the user's pauses as think times.") boolean think,
            @Option(
                            names = "--out",
                            paramLabel = "FILE",
                            description = "Write to this file instead of standard output.")
                    @Nullable
                    Path out) {
        String text = UserFile.read(file, MOST_MEBIBYTES);
        return write(() -> HarImport.read(text, all, think), out);
    }

    @Command(
            name = "curl",
            mixinStandardHelpOptions = true,
            header = "Turns a curl command into a scenario.",
            description = "The command is only read, never executed.",
            footer = {
                "",
                "Examples:",
                "  fettle import curl \"curl -d 'account=ada' http://127.0.0.1:8080/login\"",
                "  cat curl.txt | fettle import curl --out login.yaml"
            })
    int curl(
            @Parameters(
                            paramLabel = "COMMAND",
                            arity = "0..1",
                            description = "The whole command as one argument. Default: read it from standard input.")
                    @Nullable
                    String command,
            @Option(
                            names = "--out",
                            paramLabel = "FILE",
                            description = "Write to this file instead of standard output.")
                    @Nullable
                    Path out) {
        String line = command == null ? UserFile.standardInput(MOST_MEBIBYTES) : command;
        return write(() -> CurlImport.read(line), out);
    }

    private int write(Supplier<Imported> read, @Nullable Path out) {
        Imported imported;
        try {
            imported = read.get();
        } catch (ImportException e) {
            throw Parse.usage(String.valueOf(e.getMessage()));
        }
        var screen = new Screen(spec.commandLine(), false, false);
        if (out == null) {
            screen.result(imported.yaml());
            return ExitCodes.OK;
        }
        UserFile.create(out, imported.yaml());
        imported.notes().forEach(screen::error);
        return ExitCodes.OK;
    }
}
