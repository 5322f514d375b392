package dev.fettle.cli.command;

import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle tune}. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        header = "Finds a better setting, proves it against the default, and writes the configuration.",
        description =
                "Measures the default (your own configuration, with what the plan holds), predicts a better setting from it, tries settings around the prediction, and then"
                        + " compares the best one with the default in interleaved pairs on fresh processes (with --pid: in the running"
                        + " one). \"No improvement shown\" is a normal result.",
        footer = {
            "",
            "Examples:",
            "  fettle tune                           fettle.yaml; without one the bundled login page, about five minutes",
            "  fettle tune examples/wiremock.yaml    a command with {knob} placeholders",
            "  fettle tune my.yaml --json > result.json",
            "  fettle tune --pid 12345 --live        a running server: resizes its pool live, and puts it back",
            "",
            "Exit codes: 0 an answer, also \"no improvement shown\", 1 failed, 2 wrong arguments or plan,",
            "            4 not started, since it can't be valid here, or the default gave no valid figures,",
            "            6 no time to try or prove anything, 130 interrupted."
        })
public final class TuneCommand extends PlanCommand {
    @Parameters(
            paramLabel = "PLAN",
            description =
                    "The plan, a YAML file. Default: fettle.yaml of this folder, else the bundled examples/login.yaml; with --pid"
                            + " the bundled running-process.yaml.",
            arity = "0..1")
    private @org.jspecify.annotations.Nullable Path plan;

    @Option(
            names = "--cold",
            description =
                    "Take nothing from earlier tunes of the same target, load, knobs and machine in --dir. Otherwise what they found"
                            + " is tried right after the prediction; their figures are never used.")
    private boolean cold;

    public TuneCommand() {
        super(ExperimentKind.TUNE);
    }

    @Override
    boolean cold() {
        return cold;
    }

    @Override
    Path plan() {
        if (plan != null) {
            return plan;
        }
        Path bundled = Machine.home().resolve("examples");
        if (ofAProcess()) {
            return bundled.resolve("running-process.yaml");
        }
        return Files.exists(InitCommand.WRITTEN) ? InitCommand.WRITTEN : bundled.resolve("login.yaml");
    }
}
