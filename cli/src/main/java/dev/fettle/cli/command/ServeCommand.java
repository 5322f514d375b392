package dev.fettle.cli.command;

import dev.fettle.cli.kept.RunPages;
import dev.fettle.cli.option.Parse;
import dev.fettle.cli.option.PrintOptions;
import dev.fettle.cli.run.Machine;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.cli.terminal.Screen;
import dev.fettle.cli.terminal.StopOnSignal;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.OwnKey;
import dev.fettle.lab.web.Access;
import dev.fettle.lab.web.LoopbackServer;
import dev.fettle.report.JsonFields;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fettle serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        header =
                "Shows the runs of folders in a browser: a list, each report, two next to each other, a plan over time.",
        description = {
            "Prints a link with a token, and answers on 127.0.0.1 alone until Ctrl-C; from another machine, use ssh -L. It reads"
                    + " journals and what --json printed, and writes nothing. New runs are there when the page is loaded again."
        },
        footer = {
            "",
            "Examples:",
            "  fettle serve",
            "  fettle serve .fettle ci-artifacts",
            "  fettle serve --port 9405 /srv/perf/runs",
            "",
            "Exit codes: 0 stopped with Ctrl-C, 1 failed, 2 wrong arguments, no such folder, the port is taken."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ServeCommand implements Callable<Integer> {
    private static final int PORT = 9405;

    @Parameters(
            paramLabel = "DIR|FILE",
            arity = "0..*",
            description = "Where runs were kept; folders in it are looked into, too. Default: .fettle")
    private List<Path> places = new ArrayList<>();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "Default: 9405, or any that is free; with the same port and folders, addresses stay the same.")
    private @Nullable Integer port;

    @Mixin
    private PrintOptions print;

    @Override
    public Integer call() throws LabException, InterruptedException {
        if (port != null && (port < 0 || port > Parse.MOST_PORTS)) {
            throw Parse.usage("--port " + port + ": a port is 0 (any that is free) to " + Parse.MOST_PORTS);
        }
        List<Path> from = places.isEmpty() ? List.of(Path.of(".fettle")) : places;
        var pages = new RunPages(from);
        Access.Link access = access(from);
        Screen screen = print.screen();
        try (var stop = new StopOnSignal();
                LoopbackServer server = open(access, pages)) {
            String link = server.link(false).toString();
            screen.result(
                    print.json
                            ? new JsonFields().put("url", link).line()
                            : "runs of "
                                    + String.join(
                                            ", ",
                                            from.stream().map(Path::toString).toList()) + "\n  " + link
                                    + "\nCtrl-C ends it.");
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            return ExitCodes.OK;
        }
        return ExitCodes.OK;
    }

    private LoopbackServer open(Access.Link access, RunPages pages) throws LabException {
        if (port == null) {
            try {
                return LoopbackServer.open(at(PORT), access, pages);
            } catch (LabException e) {
                return LoopbackServer.open(at(0), access, pages);
            }
        }
        try {
            return LoopbackServer.open(at(port), access, pages);
        } catch (LabException e) {
            throw Parse.usage("--port " + port + ": " + e.getMessage());
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** The same each time for this user and these folders, so that a bookmark stays good; nobody may act. */
    private static Access.Link access(List<Path> from) throws LabException {
        OwnKey key = OwnKey.in(Machine.state());
        String folders = String.join(
                "\n",
                from.stream()
                        .map(p -> p.toAbsolutePath().normalize().toString())
                        .toList());
        var tokens = new ArrayList<String>();
        for (String what : List.of("look", "act", "look-cookie", "act-cookie", "secret", "place")) {
            tokens.add(key.seal(List.of("serve", what, folders)).substring(0, 32));
        }
        return new Access.Link(
                tokens.get(0),
                tokens.get(1),
                tokens.get(2),
                tokens.get(3),
                tokens.get(4),
                "/" + tokens.get(5).substring(0, 16) + "/");
    }
}
