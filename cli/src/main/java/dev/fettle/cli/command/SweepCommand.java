package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.ProcessOptions;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Session;
import dev.fettle.lab.machine.LabException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class SweepCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.Hosts hosts;

    @Mixin
    private ProcessOptions process;

    @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.", arity = "1")
    private Path plan;

    @Override
    public Integer call() throws LabException, InterruptedException {
        return new Session(spec.commandLine(), common).start(ExperimentKind.SWEEP, plan, process, hosts.own);
    }
}
