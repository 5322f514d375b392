package dev.fettle.cli;

import dev.fettle.lab.LabException;
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
                        + " best against the default in interleaved pairs on fresh processes. \"No improvement shown\" is an ordinary"
                        + " outcome.",
        footer = {
            "",
            "Examples:",
            "  fettle tune                           the bundled login page on Tomcat, at most four minutes",
            "  fettle tune examples/wiremock.yaml    a command with {knob} placeholders",
            "  fettle tune my.yaml --json > result.json"
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class TuneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Mixin
    private Common.Hosts hosts;

    @Parameters(
            paramLabel = "PLAN",
            description = "The plan, a YAML file. Default: the bundled examples/login.yaml.",
            arity = "0..1")
    private @org.jspecify.annotations.Nullable Path plan;

    @Override
    public Integer call() throws LabException, InterruptedException {
        return new Session(spec.commandLine(), common)
                .start(Kind.TUNE, plan == null ? Machine.home().resolve("examples/login.yaml") : plan, hosts.own);
    }
}
