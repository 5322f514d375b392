package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fettle compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        header = "Compares variants with each other, interleaved, with paired intervals.",
        description = {
            "Runs blocks in random order on fresh processes (with --pid: in the running one). \"No difference shown\" is a normal"
                    + " result."
        },
        footer = {
            "",
            "Examples:",
            "  fettle compare examples/servers.yaml",
            "  fettle compare examples/overload.yaml",
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
