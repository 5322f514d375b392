package dev.fettle.cli.option;

import dev.fettle.lab.remote.Destination;
import java.util.List;
import picocli.CommandLine.Option;

/** The machines that send the load. */
public final class FromOption {
    @Option(
            names = "--from",
            paramLabel = "HOST",
            split = ",",
            description =
                    "Send the load from these machines together, over your own ssh: each sends a part, and what they saw"
                            + " becomes one result. In a URL, 127.0.0.1 is each machine's own.")
    private List<Destination> from = List.of();

    /**
     * The machines; empty if this one sends the load.
     *
     * @throws dev.fettle.cli.terminal.CliException if one is named twice
     */
    public List<Destination> machines() {
        if (from.stream().distinct().count() < from.size()) {
            throw Parse.usage("--from names a machine twice: each sends one part of the load");
        }
        return List.copyOf(from);
    }
}
