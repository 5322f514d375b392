package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fettle sweep}. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        header = "Measures a grid over any knobs and loads.",
        description = {
            "Every cell on fresh processes (with --pid: in the one that runs), repeated, in random order; a table with intervals, and a plot in the report."
        },
        footer = {
            "",
            "Examples:",
            "  fettle sweep examples/jetty-threads.yaml",
            "  fettle sweep examples/tomcat-grid.yaml --json > grid.json",
            "  fettle sweep my-grid.yaml --pid 12345 --live"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class SweepCommand extends PlanCommand {
    @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.", arity = "1")
    private Path plan;

    public SweepCommand() {
        super(ExperimentKind.SWEEP);
    }

    @Override
    Path plan() {
        return plan;
    }
}
