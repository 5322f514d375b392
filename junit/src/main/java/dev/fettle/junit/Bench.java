package dev.fettle.junit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A load on a URL: {@code fettle bench}. Immutable: each method gives another one. Without {@link #rate} each connection waits for its
 * answer before its next request; with it requests are due on a schedule, and latency counts from then.
 */
public final class Bench {
    /** What start, warm-up and a slow end may take on top of the load. */
    private static final Duration ON_TOP = Duration.ofMinutes(5);

    private final String url;
    private final List<String> options;
    private final List<String> headers;
    private final List<String> failIf;
    private final String body;
    private final Duration longest;

    private Bench(
            String url,
            List<String> options,
            List<String> headers,
            List<String> failIf,
            String body,
            Duration longest) {
        this.url = url;
        this.options = options;
        this.headers = headers;
        this.failIf = failIf;
        this.body = body;
        this.longest = longest;
    }

    static Bench of(String url) {
        return new Bench(url, List.of(), List.of(), List.of(), "", ON_TOP);
    }

    /** How many clients; at a {@link #rate}, the most connections. Default: 10. */
    public Bench connections(int connections) {
        return with("--connections=" + connections);
    }

    /** How long it measures, after the warm-up. Default: 10 s. */
    public Bench duration(Duration duration) {
        Bench next = with("--duration=" + millis(duration));
        return new Bench(url, next.options, headers, failIf, body, longest.plus(duration));
    }

    /** Ends after this many requests; then there is no warm-up of the server. */
    public Bench requests(long requests) {
        return with("--requests=" + requests);
    }

    /** Sends at this rate whatever the server does: {@code 1000/s}, {@code 90/m}. */
    public Bench rate(String rate) {
        return with("--rate=" + rate);
    }

    /** A load before the measuring that is not counted; zero: none. Default: until Fettle's own code is compiled, 1 to 10 s. */
    public Bench warmUp(Duration warmUp) {
        Bench next = with("--warm-up=" + millis(warmUp));
        return new Bench(url, next.options, headers, failIf, body, longest.plus(warmUp));
    }

    /** Longest wait for one answer. Default: 10 s. */
    public Bench timeout(Duration timeout) {
        return with("--timeout=" + millis(timeout));
    }

    /** The method. Default: GET, or POST with a {@link #body}. */
    public Bench method(String method) {
        return with("--method=" + method);
    }

    /** A request header. It reaches the command on its standard input: no list of processes shows it. */
    public Bench header(String name, String value) {
        if ((name + value).chars().anyMatch(c -> c < ' ' && c != '\t') || name.isBlank() || name.contains(":")) {
            throw new IllegalArgumentException("no header: " + name);
        }
        return new Bench(url, options, and(headers, name + ": " + value), failIf, body, longest);
    }

    /** The request's body, or the message of a WebSocket. It reaches the command in a file that only this user can read. */
    public Bench body(String text) {
        return new Bench(url, options, headers, failIf, text, longest);
    }

    /** The status that answers must have. Default: 200. */
    public Bench status(int status) {
        return with("--status=" + status);
    }

    /** What answers must contain: an error page is fast, too. */
    public Bench contains(String text) {
        return with("--contains=" + text);
    }

    /** The steps that each client takes, in a YAML file, instead of one repeated request. */
    public Bench scenario(Path file) {
        return with("--scenario=" + file.toAbsolutePath());
    }

    /**
     * What must hold, else the test fails with the figures: {@code p99<50ms, errors<0.1%, throughput>1000/s}. Figures: p50, p75, p90,
     * p95, p99, p99.9, p99.99, max, mean, errors, throughput. Can be called again: all must hold.
     *
     * @throws IllegalArgumentException for a condition without a comparison
     */
    public Bench slo(String conditions) {
        return new Bench(url, options, headers, and(failIf, Slo.failIf(conditions)), body, longest);
    }

    /** Observes the process that listens at the URL: its CPU time, busy workers and collections come with the figures. */
    public Bench pid(long pid) {
        return with("--pid=" + pid);
    }

    /** Any other option of {@code fettle bench}, as one argument: {@code --http2}, {@code --stages=100/s:10s}. */
    public Bench option(String option) {
        if (!option.startsWith("-")) {
            throw new IllegalArgumentException("'" + option + "' is no option: write --name or --name=value");
        }
        return with(option);
    }

    /** How long the command may take in all. Default: 5 minutes on top of duration and warm-up. */
    public Bench within(Duration longest) {
        return new Bench(url, options, headers, failIf, body, longest);
    }

    /**
     * Loads the URL and judges the result.
     *
     * @return the figures, of a valid result that meets the objective
     * @throws org.opentest4j.AssertionFailedError if the objective is broken, with the figures
     * @throws org.opentest4j.TestAbortedException if the result is void, with the reason: it says nothing about the server
     * @throws FettleException if there was no load: no command, nothing listens, wrong options
     */
    public BenchResult run() {
        return run(FettleCommand.find());
    }

    BenchResult run(FettleCommand command) {
        if (body.isEmpty()) {
            return judged(command, Stream.empty());
        }
        Path file = bodyFile();
        try {
            return judged(command, Stream.of("--body=@" + file));
        } finally {
            remove(file);
        }
    }

    private BenchResult judged(FettleCommand command, Stream<String> withBody) {
        List<String> arguments = Stream.of(
                        Stream.of("bench", url, "--json"),
                        options.stream(),
                        headers.isEmpty() ? Stream.<String>empty() : Stream.of("--header=@-"),
                        withBody,
                        failIf.stream().map(c -> "--fail-if=" + c))
                .flatMap(s -> s)
                .toList();
        String input = headers.stream().map(h -> h + "\n").collect(Collectors.joining());
        return Verdict.bench(command.run(arguments, input, longest));
    }

    private Bench with(String option) {
        return new Bench(url, and(options, option), headers, failIf, body, longest);
    }

    private static List<String> and(List<String> all, String one) {
        var next = new ArrayList<>(all);
        next.add(one);
        return List.copyOf(next);
    }

    static String millis(Duration time) {
        return time.toMillis() + "ms";
    }

    /** Readable and writable by its owner only, as temporary files are. */
    private Path bodyFile() {
        try {
            Path file = Files.createTempFile("fettle-body", "");
            Files.writeString(file, body, StandardCharsets.UTF_8);
            return file;
        } catch (IOException e) {
            throw new FettleException("the body can't be handed over: " + e.getMessage(), e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
