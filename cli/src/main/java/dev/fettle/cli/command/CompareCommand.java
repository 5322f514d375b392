package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fettle compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        header = "Holds variants against each other, interleaved, with paired intervals.",
        description = {
            "Blocks of random order on fresh processes (with --pid: in the one that runs). \"No difference shown\" is an ordinary outcome."
        },
        footer = {
            "",
            "Examples:",
            "  fettle compare examples/servers.yaml",
            "  fettle compare pools.yaml --pid 12345 --live"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CompareCommand extends PlanCommand {
    @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.", arity = "1")
    private Path plan;

    public CompareCommand() {
        super(ExperimentKind.COMPARE);
    }

    @Override
    Path plan() {
        return plan;
    }
}
