package dev.fettle.cli.command;

import dev.fettle.cli.kept.RunPages;
import dev.fettle.cli.option.KeptPlaces;
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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Mixin
    private KeptPlaces places;

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
        List<Path> from = places.all();
        var pages = new RunPages(from);
        Screen screen = print.screen();
        try (var stop = new StopOnSignal();
                LoopbackServer server = open(from, pages)) {
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

    /**
     * On the port where bookmarks lead, the place of the pages is the same each time. Tokens and cookies are new at each start, and elsewhere the
     * place is, too: a browser sends a cookie to every port of this machine, and whoever listens on the usual one must not get one that is good
     * here.
     */
    private LoopbackServer open(List<Path> from, RunPages pages) throws LabException {
        try {
            return LoopbackServer.open(at(port == null ? PORT : port), atItsPlace(from), pages);
        } catch (LabException e) {
            if (port != null) {
                throw Parse.usage("--port " + port + ": " + e.getMessage());
            }
            return LoopbackServer.open(at(0), Access.Link.random(), pages);
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    private static Access.Link atItsPlace(List<Path> from) throws LabException {
        String folders = String.join(
                "\n",
                from.stream()
                        .map(p -> p.toAbsolutePath().normalize().toString())
                        .toList());
        String place =
                OwnKey.in(Machine.state()).seal(List.of("serve", folders)).substring(0, 16);
        Access.Link fresh = Access.Link.random();
        return new Access.Link(
                fresh.look(), fresh.act(), fresh.lookCookie(), fresh.actCookie(), fresh.secret(), "/" + place + "/");
    }
}
