package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import picocli.CommandLine.Command;

/** {@code fettle sweep}. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        header = "Measures a grid over any knobs and loads.",
        description = {
            "Measures each cell on fresh processes (with --pid: in the running one), several times, in random order. Prints a table"
                    + " with intervals; the report has a plot."
        },
        footer = {
            "",
            "Examples:",
            "  fettle sweep examples/jetty-threads.yaml",
            "  fettle sweep examples/dimensions.yaml",
            "  fettle sweep examples/tomcat-grid.yaml --json > grid.json",
            "  fettle sweep my-grid.yaml --pid 12345 --live",
            "",
            "Exit codes: 0 an answer, 1 failed, 2 wrong arguments or plan,",
            "            4 not started, since it can't be valid here, or no trial was valid, 130 interrupted."
        })
public final class SweepCommand extends PlanCommand.Required {
    public SweepCommand() {
        super(ExperimentKind.SWEEP);
    }
}
