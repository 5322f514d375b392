package dev.fettle.cli.option;

import dev.fettle.load.HostPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where figures go while they are seen. */
public final class MetricsOptions {
    /** What OpenTelemetry's own exporters read; values are percent-encoded. */
    static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    static final String ATTRIBUTES = "OTEL_RESOURCE_ATTRIBUTES";

    private static final String SIGNAL = "/v1/metrics";

    @Option(
            names = "--serve-metrics",
            paramLabel = "PORT",
            description =
                    "Meanwhile, let Prometheus fetch the figures: http://127.0.0.1:PORT/metrics, as Prometheus text or"
                            + " OpenMetrics. On a loopback address only; the request has to bring a token, which lies in a"
                            + " file that is named at the start (credentials_file).")
    private @Nullable String serve;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            description =
                    "Meanwhile, send the figures to this receiver of OpenTelemetry (OTLP over HTTP, as JSON) every 5 s:"
                            + " http://127.0.0.1:4318. What it needs to know you is taken from --otlp-headers or"
                            + " OTEL_EXPORTER_OTLP_HEADERS, and leaves this machine over https only.")
    private @Nullable String otlp;

    @Option(
            names = "--otlp-headers",
            paramLabel = "FILE",
            description = "Headers for --otlp, one 'Name: value' a line.")
    private @Nullable Path headers;

    /**
     * A receiver.
     *
     * @param at its URL, path included
     * @param headers what it is sent besides
     * @param attributes what the user says of what the figures are of
     */
    public record Receiver(URI at, Map<String, String> headers, Map<String, String> attributes) {
        public Receiver {
            headers = Map.copyOf(headers);
            attributes = Map.copyOf(attributes);
        }

        /** Without the headers, which may be secret. */
        @Override
        public String toString() {
            return at.toString();
        }
    }

    /**
     * What is asked for, checked.
     *
     * @param serve where to let figures be fetched
     * @param send where to send them
     */
    public record Asked(Optional<InetSocketAddress> serve, Optional<Receiver> send) {
        public static final Asked NOTHING = new Asked(Optional.empty(), Optional.empty());

        public boolean any() {
            return serve.isPresent() || send.isPresent();
        }
    }

    /** Whether any is given. */
    public boolean any() {
        return serve != null || otlp != null || headers != null;
    }

    /** Checked, before anything is started. */
    public Asked asked() {
        if (headers != null && otlp == null) {
            throw Parse.usage("--otlp-headers is for --otlp URL");
        }
        return any()
                ? new Asked(
                        Optional.ofNullable(serve).map(MetricsOptions::address),
                        Optional.ofNullable(otlp).map(o -> receiver(o, headers, System.getenv())))
                : Asked.NOTHING;
    }

    /** An address as an option has it: {@code 9404}, {@code 127.0.0.1:9404}, {@code [::1]:9404}. */
    static InetSocketAddress address(String text) {
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

    /** A receiver as {@code --otlp} has it; where only its root is named, the path of metrics is added. */
    static Receiver receiver(String text, @Nullable Path file, Map<String, String> environment) {
        URI read;
        try {
            read = new URI(text);
        } catch (URISyntaxException e) {
            read = URI.create("");
        }
        String scheme = Optional.ofNullable(read.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        if (read.getHost() == null
                || !(scheme.equals("http") || scheme.equals("https"))
                || read.getPort() > Parse.MOST_PORTS) {
            throw Parse.usage(
                    "--otlp: not the URL of a receiver of OTLP over HTTP: http://127.0.0.1:4318 would be right");
        }
        if (read.getRawUserInfo() != null || read.getRawQuery() != null || read.getRawFragment() != null) {
            throw Parse.usage(
                    "--otlp: the URL ends with its path, and names no user: what the receiver needs to know you"
                            + " is a header, in a file (--otlp-headers FILE) or in " + HEADERS);
        }
        String path = read.getRawPath().replaceFirst("/$", "");
        URI at = URI.create(scheme + "://" + read.getRawAuthority() + (path.endsWith(SIGNAL) ? path : path + SIGNAL));
        Map<String, String> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(pairs(environment.get(HEADERS), HEADERS));
        if (file != null) {
            UserFile.read(file, 1).lines().filter(l -> !l.isBlank()).forEach(line -> {
                int colon = line.indexOf(':');
                if (colon < 1) {
                    throw Parse.usage("--otlp-headers " + file + ": a line is no header: 'Name: value' would be right");
                }
                sent.put(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            });
        }
        sent.keySet().forEach(name -> checkHeader(name, sent.get(name)));
        if (!sent.isEmpty() && scheme.equals("http") && !isHere(read.getHost())) {
            throw Parse.usage(
                    "--otlp: headers may be secret, and http to " + read.getHost() + " would show them: use https");
        }
        return new Receiver(at, sent, pairs(environment.get(ATTRIBUTES), ATTRIBUTES));
    }

    private static void checkHeader(String name, @Nullable String value) {
        if (!name.matches("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
                || value == null
                || value.chars().anyMatch(c -> c < ' ' || c > '~')
                || Set.of("host", "connection", "content-length", "expect", "upgrade")
                        .contains(name.toLowerCase(Locale.ROOT))) {
            throw Parse.usage(
                    "--otlp: a header of " + HEADERS + " or --otlp-headers can't be sent: its name or value has"
                            + " characters that no header has, or it is one of the connection's own");
        }
    }

    private static boolean isHere(String host) {
        try {
            return HostPolicy.isLoopback(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Pairs as OpenTelemetry's variables have them: {@code key=value,key=value}, percent-encoded. */
    private static Map<String, String> pairs(@Nullable String text, String variable) {
        Map<String, String> all = new LinkedHashMap<>();
        if (text != null) {
            Arrays.stream(text.split(",", -1)).filter(p -> !p.isBlank()).forEach(pair -> {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw Parse.usage(variable + " is not key=value,key=value");
                }
                all.put(
                        pair.substring(0, equals).strip(),
                        decoded(pair.substring(equals + 1).strip(), variable));
            });
        }
        return all;
    }

    private static String decoded(String value, String variable) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Parse.usage(variable + " has a % that two hexadecimal digits do not follow: write %25");
        }
    }
}
