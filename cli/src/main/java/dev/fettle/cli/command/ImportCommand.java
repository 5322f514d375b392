package dev.fettle.cli.command;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.model.imports.CurlImport;
import dev.fettle.model.imports.HarImport;
import dev.fettle.model.imports.ImportException;
import dev.fettle.model.imports.Imported;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
            "  pbpaste | fettle import curl --out login.yaml"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ImportCommand implements Runnable {
    private static final int MOST_BYTES = 256 << 20;

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
                    "Takes the requests to the first request's host, in order, and expects the recorded statuses.")
    int har(
            @Parameters(paramLabel = "FILE", description = "The HAR file; - reads standard input.") Path file,
            @Option(names = "--all", description = "Keep images, styles, scripts and fonts.") boolean all,
            @Option(names = "--think", description = "Keep the user's pauses as think times.") boolean think,
            @Option(
                            names = "--out",
                            paramLabel = "FILE",
                            description = "Write to this file instead of standard output.")
                    @Nullable
                    Path out)
            throws IOException {
        String text = file.toString().equals("-") ? standardInput() : read(file);
        return write(() -> HarImport.read(text, all, think), out);
    }

    @Command(
            name = "curl",
            mixinStandardHelpOptions = true,
            header = "Turns a curl command into a scenario.",
            description = "The command is only read, never executed.")
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
                    Path out)
            throws IOException {
        String line = command == null ? standardInput() : command;
        return write(() -> CurlImport.read(line), out);
    }

    private int write(Supplier<Imported> read, @Nullable Path out) throws IOException {
        Imported imported;
        try {
            imported = read.get();
        } catch (ImportException e) {
            throw new CliException(ExitCodes.USAGE, String.valueOf(e.getMessage()));
        }
        if (out == null) {
            spec.commandLine().getOut().print(imported.yaml());
            spec.commandLine().getOut().flush();
            return ExitCodes.OK;
        }
        try {
            Files.writeString(out, imported.yaml(), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new CliException(ExitCodes.USAGE, out + " exists already");
        }
        imported.notes().forEach(spec.commandLine().getErr()::println);
        return ExitCodes.OK;
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return text(in);
        } catch (NoSuchFileException e) {
            throw new CliException(ExitCodes.USAGE, "no such file: " + file);
        }
    }

    private static String standardInput() throws IOException {
        return text(System.in);
    }

    private static String text(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new CliException(ExitCodes.USAGE, "more than 256 MiB cannot be imported");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
