package dev.fettle.cli.command;

import dev.fettle.cli.option.CommonOptions;
import dev.fettle.cli.option.ProcessOptions;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.Session;
import dev.fettle.lab.machine.LabException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle tune}. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        header = "Finds a better setting, proves it against the default, and hands it over.",
        description =
                "Measures the default, predicts from it what the server needs, tries settings around that, and holds the"
                        + " best against the default in interleaved pairs on fresh processes (with --pid: in the one that runs). \"No improvement shown\" is an ordinary"
                        + " outcome.",
        footer = {
            "",
            "Examples:",
            "  fettle tune                           the bundled login page on Tomcat, at most four minutes",
            "  fettle tune examples/wiremock.yaml    a command with {knob} placeholders",
            "  fettle tune my.yaml --json > result.json",
            "  fettle tune --pid 12345 --live        a server that is up: its pool resized live, and put back"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class TuneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private CommonOptions.Hosts hosts;

    @Mixin
    private ProcessOptions process;

    @Parameters(
            paramLabel = "PLAN",
            description =
                    "The plan, a YAML file. Default: the bundled examples/login.yaml, or running-process.yaml with"
                            + " --pid.",
            arity = "0..1")
    private @org.jspecify.annotations.Nullable Path plan;

    @Override
    public Integer call() throws LabException, InterruptedException {
        return new Session(spec.commandLine(), common)
                .start(ExperimentKind.TUNE, plan == null ? bundled() : plan, process, hosts.own);
    }

    private Path bundled() {
        return Machine.home().resolve("examples").resolve(process.given() ? "running-process.yaml" : "login.yaml");
    }
}
