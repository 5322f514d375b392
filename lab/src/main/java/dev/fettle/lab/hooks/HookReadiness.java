package dev.fettle.lab.hooks;

import dev.fettle.lab.machine.CheckedNames;
import dev.fettle.lab.machine.DirectHttp;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.Readiness;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Placeholders;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;

/** Waits until a hook is ready. */
final class HookReadiness {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);

    private final Hook hook;
    private final HookProcess process;
    private final String label;
    private final String probeLog;
    private final HookContext context;

    /** @param file prefix of the hook's output files */
    HookReadiness(Hook hook, HookProcess process, String label, String file, HookContext context) {
        this.hook = hook;
        this.process = process;
        this.label = label;
        this.probeLog = file + "-ready.log";
        this.context = context;
    }

    /**
     * Waits.
     *
     * @param deadline by {@link System#nanoTime}
     * @throws TrialFailure if time is up, or a background hook has ended
     */
    void await(Ready ready, long deadline) throws TrialFailure, LabException, InterruptedException {
        try (HttpClient client = DirectHttp.client(LONGEST_LOOK).build()) {
            String last = "";
            while (true) {
                Optional<String> missing = missing(ready, client, deadline);
                if (hook.background() && !process.alive()) { // something else answered
                    throw process.ended("before it was ready");
                }
                if (missing.isEmpty()) {
                    return;
                }
                boolean late = System.nanoTime() > deadline;
                last = late && !last.isEmpty() ? last : missing.get(); // the last check was cut short
                if (late) {
                    client.shutdownNow();
                    throw process.failed(
                            "was not ready within " + HookProcess.seconds(hook.within()) + " (" + last + ")");
                }
                Thread.sleep(LOOK);
            }
        }
    }

    /** What is not ready yet; empty if everything is. */
    private Optional<String> missing(Ready ready, HttpClient client, long deadline)
            throws LabException, InterruptedException {
        return switch (ready) {
            case Ready.Tcp tcp -> tcp(filled(tcp.address()));
            case Ready.Http http -> http(client, filled(http.url()), http.status());
            case Ready.Log log ->
                process.said(log.text()) ? Optional.empty() : Optional.of("'" + log.text() + "' is not in its output");
            case Ready.Probe probe -> probe(probe, deadline);
        };
    }

    private String filled(String text) {
        return Placeholders.expand(text, context::value).orElse(text);
    }

    private static Optional<String> tcp(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(address.substring(colon + 1));
        try {
            var socket = new InetSocketAddress(CheckedNames.address(host), port);
            return Readiness.listens(socket) ? Optional.empty() : Optional.of("nothing listens on " + address);
        } catch (UnknownHostException e) {
            return Optional.of("unknown host '" + host + "'");
        }
    }

    /** The client connects by name, which leads to the address that it had when it was first resolved. */
    private static Optional<String> http(HttpClient client, String url, int status) throws InterruptedException {
        URI uri = URI.create(url);
        if (uri.getHost() == null) {
            return Optional.of(url + " has no host that can be asked: letters, digits, '-' and '.'");
        }
        try {
            CheckedNames.address(uri.getHost());
            int got = Readiness.status(client, uri, LONGEST_LOOK);
            return got == status ? Optional.empty() : Optional.of(url + " gives status " + got);
        } catch (UnknownHostException e) {
            return Optional.of("unknown host '" + uri.getHost() + "'");
        } catch (IOException e) {
            return Optional.of(url + " gives no answer");
        }
    }

    private Optional<String> probe(Ready.Probe probe, long deadline) throws LabException, InterruptedException {
        Optional<HookProcess> started =
                HookProcess.start(label + "'s probe", probeLog, probe.run(), hook.environment(), context);
        if (started.isEmpty()) {
            return Optional.empty();
        }
        try (HookProcess p = started.get()) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            boolean ended = p.awaitEnd(left);
            return ended && p.succeeded()
                    ? Optional.empty()
                    : Optional.of(ended ? "its probe does not exit with 0" : "its probe does not end");
        }
    }
}
