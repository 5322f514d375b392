package dev.fettle.cli;

import dev.fettle.lab.LabException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Mixin
    private Common.Hosts hosts;

    @Mixin
    private ProcessOptions process;

    @Parameters(paramLabel = "PLAN", description = "The plan, a YAML file.", arity = "1")
    private Path plan;

    @Override
    public Integer call() throws LabException, InterruptedException {
        return new Session(spec.commandLine(), common).start(Kind.COMPARE, plan, process, hosts.own);
    }
}
