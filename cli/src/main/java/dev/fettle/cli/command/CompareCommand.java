package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import picocli.CommandLine.Command;

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
            "  fettle compare pools.yaml --pid 12345 --live",
            "",
            "Exit codes: 0 an answer, also \"no difference shown\", 1 failed, 2 wrong arguments or plan,",
            "            4 not started, since it can't be valid here, or no trial was valid, 130 interrupted."
        })
public final class CompareCommand extends PlanCommand.Required {
    public CompareCommand() {
        super(ExperimentKind.COMPARE);
    }
}
