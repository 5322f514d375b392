package dev.fettle.cli.option;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The load on a URL except for its timing: connections, request, expected answer, transport. A mixin of the commands
 * that load a URL; each has its own options for when requests are sent.
 */
public final class LoadOptions {
    @ArgGroup(validate = false, order = 2, heading = "%nConnections:%n")
    private Connections connections = new Connections();

    @ArgGroup(validate = false, order = 3, heading = "%nRequest and answer:%n")
    private RequestOptions request = new RequestOptions();

    @ArgGroup(validate = false, order = 4, heading = "%nMessages over a WebSocket (ws://, wss://):%n")
    private MessageOptions message = new MessageOptions();

    @ArgGroup(validate = false, order = 5, heading = "%nOn the wire:%n")
    private WireOptions wire = new WireOptions();

    @Mixin
    private CommonOptions.Hosts hosts = new CommonOptions.Hosts();

    static final class Connections {
        @Option(
                names = {"-c", "--connections"},
                paramLabel = "N",
                description = "Number of connections; in the open model, the maximum. Default: ${bundle:"
                        + HelpWords.CONNECTIONS + "}")
        @Range(least = "1", most = "60000", right = "1 to 60000 connections are possible")
        private @Nullable Integer count;

        @Option(
                names = {"-t", "--threads"},
                paramLabel = "N",
                description = "Generator threads. Default: 1")
        private int threads = 1;

        @Option(
                names = "--timeout",
                paramLabel = "TIME",
                converter = Converters.Time.class,
                description = "Longest wait for one answer. Default: 10s")
        @Range(least = "1ms", most = "10m")
        private Duration timeout = Duration.ofSeconds(10);
    }

    /** Hosts that the user declared their own. */
    public Set<String> ownHosts() {
        return hosts.own;
    }

    /** Refuses these options, except for those about hosts, where no URL is loaded. */
    public static void refuse(CommandLine line, String because) {
        line.getParseResult().matchedOptions().stream()
                .filter(LoadOptions::holds)
                .findFirst()
                .ifPresent(o -> {
                    throw Parse.usage(o.longestName() + " is for a URL: " + because);
                });
    }

    private static boolean holds(OptionSpec option) {
        return option.userObject() instanceof Field field
                && List.of(Connections.class, RequestOptions.class, MessageOptions.class, WireOptions.class)
                        .contains(field.getDeclaringClass());
    }

    /** Resolves the URL's host before the run, and refuses hosts of others. */
    public InetSocketAddress address(URI uri) {
        try {
            return HostGuard.check(uri, hosts.own);
        } catch (LabException e) {
            // an unknown host is not a usage error, just as a closed port is not
            int code = e.getCause() instanceof UnknownHostException ? ExitCodes.FAILED : ExitCodes.USAGE;
            throw new CliException(code, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The load.
     *
     * @param usual number of connections by default
     * @param uri from {@link Parse#url}
     * @param arrivals when requests are sent
     * @param warmUp time before measuring
     * @param measure length of the measuring phase
     */
    public Load load(int usual, URI uri, Arrivals arrivals, Duration warmUp, Duration measure) {
        int n = connections.count == null ? usual : connections.count;
        if (connections.threads < 1 || connections.threads > n) {
            throw Parse.usage(
                    "-t " + connections.threads + ": 1 to " + n + " threads make sense for " + n + " connections");
        }
        boolean messages = Parse.isWebSocket(uri);
        boolean secure = Parse.isSecure(uri);
        if (!messages) {
            message.refuse();
        }
        var load = new Load(
                n,
                !wire.noKeepAlive,
                messages ? request.opening(uri, message.subprotocols) : request.request(uri),
                messages ? request.answer(message.echo) : request.expect(),
                connections.timeout,
                warmUp,
                measure,
                connections.threads,
                arrivals,
                messages ? wire.webSocket(message.protocol(), secure) : wire.wire(secure),
                Optional.empty());
        return request.scenario(uri, messages).map(load::withScenario).orElse(load);
    }
}
