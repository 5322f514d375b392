package dev.fettle.cli;

import dev.fettle.insight.ValidityGate;
import dev.fettle.lab.Bench;
import dev.fettle.lab.HostGuard;
import dev.fettle.lab.LabException;
import dev.fettle.model.Load;
import dev.fettle.model.Measurement;
import dev.fettle.model.Setting;
import dev.fettle.model.Target;
import dev.fettle.model.TrialSpec;
import dev.fettle.model.Units;
import dev.fettle.model.Verdict;
import dev.fettle.report.BenchSummary;
import dev.fettle.report.JsonReport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fettle bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Puts plain load on a URL: the closed model, as ab and wrk do, with honest figures.",
        description =
                "Each connection waits for its answer before its next request. The load stops by itself, at -n requests"
                        + " or after -d. Answers that are not what is expected are counted as errors, not as throughput.",
        footer = {
            "",
            "Examples:",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -d 10s",
            "  fettle bench http://127.0.0.1:8080/ -c 100 -n 200000 --no-keep-alive",
            "  fettle bench http://127.0.0.1:8080/login -H 'Accept: text/html' --contains 'Log in' --json",
            "",
            "Exit code 4: it ran, but the figures say nothing about the server (errors, the generator was the limit)."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Common common;

    @Mixin
    private Common.Hosts hosts;

    @Parameters(paramLabel = "URL", description = "What to load: http://HOST[:PORT]/PATH")
    private String url;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Connections at once. Default: ${DEFAULT-VALUE}",
            defaultValue = "10")
    private int connections;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "How long: 500ms, 10s, 2m. Default: 10s, or none with -n (then at most 10m)")
    private @Nullable String duration;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            description = "Stop after this many requests.")
    private @Nullable Long requests;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            description = "Generator threads. Default: ${DEFAULT-VALUE}",
            defaultValue = "1")
    private int threads;

    @Option(names = "--no-keep-alive", description = "A new connection for each request.")
    private boolean noKeepAlive;

    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            description = "Default: GET, or POST with --body")
    private @Nullable String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME: VALUE",
            description = "A request header. Can be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--body", paramLabel = "TEXT", description = "Request body.")
    private @Nullable String body;

    @Option(
            names = "--status",
            paramLabel = "CODE",
            description = "The expected status. Default: ${DEFAULT-VALUE}",
            defaultValue = "200")
    private int status;

    @Option(names = "--contains", paramLabel = "TEXT", description = "Text that the response body must contain.")
    private @Nullable String contains;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Longest wait for one answer. Default: ${DEFAULT-VALUE}",
            defaultValue = "10s")
    private String timeout;

    @Option(names = "--hlog", paramLabel = "FILE", description = "Write an HdrHistogram log, an interval a second.")
    private @Nullable Path hlog;

    @Override
    public Integer call() throws LabException, InterruptedException, IOException {
        URI uri = parse(url);
        InetSocketAddress address;
        try {
            address = HostGuard.check(uri, hosts.own);
        } catch (LabException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        Duration atMost = duration == null
                ? requests == null ? Duration.ofSeconds(10) : Duration.ofMinutes(10)
                : time("-d", duration);
        Load load = load(uri, atMost);
        var screen = new Screen(spec.commandLine(), common);
        String label = uri.getScheme() + "://" + uri.getAuthority();
        screen.say("Loading " + label + load.request().path() + " with " + connections + " connections, "
                + (requests == null ? "for " + atMost.toMillis() / 1000.0 + " s" : requests + " requests"));
        Bench.Result result;
        try {
            result = new Bench(
                            load,
                            address,
                            requests == null ? OptionalLong.empty() : OptionalLong.of(requests),
                            atMost,
                            Optional.ofNullable(hlog))
                    .run(p -> screen.live(String.format(
                            Locale.ROOT,
                            "%5.1f s · %,.0f/s · p99 %.2f ms · %d failed",
                            p.stageSeconds(),
                            p.throughput(),
                            p.p99Millis(),
                            p.failed())));
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        Measurement m = result.measurement();
        if (m.responses() == 0 && m.statuses().isEmpty()) {
            String why = m.errorExamples().entrySet().stream()
                    .findFirst()
                    .map(e -> e.getValue())
                    .orElse("no answer");
            throw new CliException(ExitCodes.FAILED, "cannot load " + label + ": " + why);
        }
        Verdict verdict = soften(ValidityGate.judge(spec(uri, load), m, Optional.of(result.evidence())), load, m);
        if (common.json) {
            screen.result(
                    new JsonReport().bench(label, load, m, result.evidence().generatorCpuShare(), verdict));
        } else {
            screen.result(BenchSummary.text(label, load, m, screen.colour()));
            result.evidence().notes().forEach(screen::say);
            verdict.reasons()
                    .forEach(r ->
                            screen.say((r.passing() ? "CAUTION" : "VOID") + " (" + r.rule() + "): " + r.message()));
        }
        // what may be gone the next time (a disturbed machine, a cold server) is a caution; the rest makes the figures
        // void
        return verdict.reasons().stream().allMatch(Verdict.Reason::passing) ? ExitCodes.OK : ExitCodes.NO_VALID_RESULT;
    }

    /**
     * A bench has neither launch nor warm-up: clients that are still connecting, or have no request left at the end, are part of
     * a short one. That is a caution here, while in a trial it is a fault.
     */
    private static Verdict soften(Verdict verdict, Load load, Measurement m) {
        boolean idle = m.occupied() < load.connections() * m.elapsed().toNanos() / 1e9;
        return new Verdict(verdict.reasons().stream()
                .map(r -> idle && r.rule().equals("littles-law") ? new Verdict.Reason(r.rule(), r.message(), true) : r)
                .toList());
    }

    private static TrialSpec spec(URI uri, Load load) {
        return new TrialSpec(TrialSpec.Phase.SWEEP, "", Map.of(), 0, new Target.Url(uri), Setting.DEFAULT, load);
    }

    private Load load(URI uri, Duration atMost) {
        String path = (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath())
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        Map<String, String> fields = new LinkedHashMap<>();
        for (String h : headers) {
            int colon = h.indexOf(':');
            if (colon < 1) {
                throw usage("-H '" + h + "': NAME: VALUE is wanted");
            }
            fields.put(h.substring(0, colon).trim(), h.substring(colon + 1).trim());
        }
        if (connections < 1 || connections > 60_000) {
            throw usage("-c " + connections + ": 1 to 60000 connections are possible");
        }
        if (threads < 1 || threads > connections) {
            throw usage("-t " + threads + ": 1 to " + connections + " threads make sense for " + connections
                    + " connections");
        }
        if (requests != null && requests < 1) {
            throw usage("-n " + requests + ": at least 1 request is wanted");
        }
        String verb = method != null ? method : body == null ? "GET" : "POST";
        return new Load(
                connections,
                !noKeepAlive,
                new Load.Request(verb, path, fields, Optional.ofNullable(body)),
                new Load.Expect(status, OptionalInt.empty(), Optional.ofNullable(contains)),
                time("--timeout", timeout),
                Duration.ZERO,
                atMost,
                threads);
    }

    private URI parse(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null || !"http".equals(uri.getScheme())) {
                throw usage("'" + text + "' is no URL that can be loaded: http://HOST[:PORT]/PATH is wanted");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw usage("'" + text + "' is no URL: " + e.getReason() + " at position " + e.getIndex());
        }
    }

    private Duration time(String option, String text) {
        try {
            return Units.duration(text);
        } catch (IllegalArgumentException e) {
            throw usage(option + " " + text + ": " + e.getMessage());
        }
    }

    private static CliException usage(String message) {
        return new CliException(ExitCodes.USAGE, message);
    }
}
