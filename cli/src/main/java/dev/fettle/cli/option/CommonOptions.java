package dev.fettle.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands that have to do with runs. */
public final class CommonOptions extends PrintOptions {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder for the journal and the reports. Default: ${DEFAULT-VALUE}",
            defaultValue = ".fettle")
    @SuppressWarnings("NullAway.Init")
    public Path dir; // set by picocli

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
}
