package dev.fettle.cli.option;

import dev.fettle.lab.remote.Destination;
import dev.fettle.model.plan.Plan;
import java.util.List;
import picocli.CommandLine.Option;

/** The machines that send the load. */
public final class FromOption {
    private static final String WHAT =
            "Send the load from these machines together, over your own ssh: each sends a part, and what they saw"
                    + " becomes one result. In a URL, 127.0.0.1 is each machine's own.";

    @Option(names = "--from", paramLabel = "HOST", split = ",", description = WHAT)
    private List<Destination> from = List.of();

    /** The same of a command whose {@code --from} is a rate. */
    public static final class Load {
        @Option(names = "--load-from", paramLabel = "HOST", split = ",", description = WHAT)
        private List<Destination> from = List.of();

        /** The plan with the machines that are asked for; without any, those that it names itself. */
        public Plan of(Plan plan) {
            return from.isEmpty()
                    ? plan
                    : plan.withFrom(different("--load-from", from).stream()
                            .map(Destination::text)
                            .toList());
        }
    }

    /** The machines; empty if this one sends the load. */
    public List<Destination> machines() {
        return different("--from", from);
    }

    private static List<Destination> different(String option, List<Destination> machines) {
        if (machines.stream().distinct().count() < machines.size()) {
            throw Parse.usage(option + " names a machine twice: each sends one part of the load");
        }
        return List.copyOf(machines);
    }
}
