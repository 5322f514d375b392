package dev.fettle.cli.command;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.HostSurvey;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.run.PlanFile;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.lab.remote.Destination;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code fettle hosts}. */
@Command(
        name = "hosts",
        mixinStandardHelpOptions = true,
        header = "Says what other machines are like, and what is in the way of using them.",
        description =
                "Over your own ssh, with its configuration, keys and known hosts; it never asks for a password. Kernel, CPUs"
                        + " and who uses them, JDK, memory, disk, limits, the clock against this one's with its error, round"
                        + " trip, and bandwidth through ssh. It copies nothing there and changes nothing.",
        footer = {
            "",
            "Examples:",
            "  fettle hosts perf@app-1",
            "  fettle hosts app-1 gen-1 gen-2 --json | jq '.[].problems'",
            "  fettle hosts shop.yaml",
            "",
            "Exit codes: 0 Fettle can run on all of them, 3 one lacks something or can't be reached,",
            "            2 wrong arguments, 130 stopped with Ctrl-C.",
            "Environment: FETTLE_SSH the ssh to use, if it is not the one on the PATH."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class HostsCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "HOST|PLAN",
            arity = "1..*",
            description =
                    "HOST, USER@HOST, ssh://USER@HOST:PORT, or a name of your ssh configuration; or a plan (.yaml):"
                            + " the machines that send its load.")
    private List<String> hosts;

    @Mixin
    private PrintOptions common;

    @Override
    public Integer call() throws InterruptedException {
        Screen screen = common.screen();
        HostSurvey survey = HostSurvey.of(machines(), host -> screen.live("asking " + host + " …"));
        screen.result(common.json ? survey.json() : survey.text(screen.width(), screen.colour()));
        return survey.usable() ? ExitCodes.OK : ExitCodes.ENVIRONMENT;
    }

    private List<Destination> machines() {
        return hosts.stream().flatMap(HostsCommand::named).distinct().toList();
    }

    private static Stream<Destination> named(String text) {
        if (!text.endsWith(".yaml") && !text.endsWith(".yml")) {
            return Stream.of(Parse.machine(text));
        }
        Path file =
                UserFile.named(text).orElseThrow(() -> Parse.usage("there is no plan " + text + " that can be read"));
        List<String> from =
                PlanFile.read(new Machine().planReader(), file).plan().from();
        if (from.isEmpty()) {
            throw Parse.usage("the load of " + text + " is sent by this machine: it has no load: {from: […]}");
        }
        return from.stream().map(Parse::machine);
    }
}
