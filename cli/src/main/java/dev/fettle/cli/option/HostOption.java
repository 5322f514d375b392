package dev.fettle.cli.option;

import dev.fettle.lab.remote.Destination;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The machine that a command looks at. */
public final class HostOption {
    /** Its name. */
    public static final String ON = "--on";

    @Option(
            names = ON,
            paramLabel = "HOST",
            description =
                    "Do this on another machine, over your own ssh: HOST, USER@HOST, or a name of your ssh configuration."
                            + " It needs a JDK 25; Fettle itself is copied there, once a version. Processes and files that"
                            + " are read are that machine's, files that are written are here.")
    private @Nullable Destination on;

    /** The other machine; empty if it is this one. */
    public Optional<Destination> machine() {
        return Optional.ofNullable(on);
    }
}
