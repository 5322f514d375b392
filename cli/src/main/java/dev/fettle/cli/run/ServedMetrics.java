package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.OwnKey;
import dev.fettle.lab.web.Access;
import dev.fettle.lab.web.Answer;
import dev.fettle.lab.web.LoopbackServer;
import dev.fettle.load.HostPolicy;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.table.WatchMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a watch sees, at an address of this machine from which Prometheus fetches it. The token is the same each time, and lies in a file
 * that only this user can read, which Prometheus takes as {@code credentials_file}.
 */
public final class ServedMetrics implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String TOKEN = "metrics-token";

    private final WatchMetrics metrics;
    private final LoopbackServer server;
    private final Path token;

    private ServedMetrics(WatchMetrics metrics, LoopbackServer server, Path token) {
        this.metrics = metrics;
        this.server = server;
        this.token = token;
    }

    /**
     * Opens it.
     *
     * @param at what {@link #address} read
     * @param about what is watched, in words
     * @param state this user's folder, see {@link Machine#state}
     */
    public static ServedMetrics open(InetSocketAddress at, String about, Path state) throws LabException {
        String token = OwnKey.in(state).seal(List.of(TOKEN));
        Path file = state.resolve(TOKEN);
        try {
            Folders.writePrivate(file, token);
        } catch (IOException e) {
            throw new LabException("cannot write the token of --serve-metrics: " + file + ": " + e.getMessage(), e);
        }
        var metrics = new WatchMetrics(about);
        LoopbackServer server = LoopbackServer.open(
                at,
                new Access.Bearer(token),
                r -> r.path().equals(PATH)
                        ? answer(metrics, r.header("accept"))
                        : Answer.plain(404, "the figures are at " + PATH));
        return new ServedMetrics(metrics, server, file);
    }

    private static Answer answer(WatchMetrics metrics, String accept) {
        boolean open = accept.contains(OPEN_METRICS);
        String type = open ? OPEN_METRICS + "; version=1.0.0" : "text/plain; version=0.0.4";
        return Answer.of(type + "; charset=utf-8", metrics.text(open));
    }

    /** An address as an option has it: {@code 9404}, {@code 127.0.0.1:9404}, {@code [::1]:9404}. */
    public static InetSocketAddress address(String text) {
        try {
            URI read = new URI("metrics://" + (text.matches("^[0-9]{1,5}$") ? "127.0.0.1:" + text : text));
            if (read.getHost() != null
                    && read.getPort() >= 0
                    && read.getPort() <= Parse.MOST_PORTS
                    && read.getRawUserInfo() == null
                    && read.getRawPath().isEmpty()) {
                var at = new InetSocketAddress(read.getHost(), read.getPort());
                if (at.isUnresolved() || !HostPolicy.isLoopback(at.getAddress())) {
                    throw Parse.usage("--serve-metrics: " + read.getHost()
                            + " is not a loopback address: the figures are" + " for this machine alone (127.0.0.1:"
                            + read.getPort() + "); from another, use ssh -L");
                }
                return at;
            }
        } catch (URISyntaxException e) { // as if it had no port
        }
        throw Parse.usage("--serve-metrics: '" + text + "' is no address: a port, or 127.0.0.1:9404; port 0 is any"
                + " that is free");
    }

    /** One more second. */
    public void add(WatchPoint point) {
        metrics.add(point);
    }

    /** Where it is, and what to send, for the user. */
    public String words() {
        return "metrics  " + server.url(PATH) + "  with the header Authorization: Bearer, and the token in " + token;
    }

    @Override
    public void close() {
        server.close();
    }
}
