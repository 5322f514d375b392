package dev.fettle.cli.option;

import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.read.ScenarioReader;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The request, and the expected answer. */
final class RequestOptions {
    private static final int MOST_BODY = 64 << 20;

    private static final String CONTENT_TYPE = "Content-Type";

    /** {@code ${NAME}}, or what only begins like that. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(?:([A-Za-z_][A-Za-z0-9_]*+)})?+");

    @Option(
            names = {"-X", "--method"},
            paramLabel = "METHOD",
            description = "Default: GET, or POST with --body or --form")
    private @Nullable String method;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME: VALUE|@FILE",
            description =
                    "Add a request header, or those in a file, a line each: what others must not see in the list of"
                            + " processes. @- is the standard input. $${NAME} in a VALUE, quoted for the shell, is that"
                            + " variable of the environment. Can be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "--body",
            paramLabel = "TEXT|@FILE",
            description = "Request body, or the WebSocket message (default: hello)")
    private @Nullable String body;

    @Option(
            names = "--form",
            paramLabel = "NAME=VALUE",
            description = "Send a form field in the body. Can be repeated.")
    private List<String> form = new ArrayList<>();

    @Option(names = "--status", paramLabel = "CODE", description = "Status that answers must have. Default: 200")
    @Range(least = "100", most = "599", right = "a status is from 100 to 599")
    private int status = 200;

    @Option(names = "--contains", paramLabel = "TEXT", description = "Text that answers must contain.")
    private @Nullable String contains;

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "YAML file of the steps that each client takes, instead of one repeated request.")
    private @Nullable Path scenario;

    /**
     * The scenario, if there is one; other options then say nothing about requests.
     *
     * @param messages whether its steps are messages over a WebSocket, opened by the URL and headers
     */
    Optional<Scenario> scenario(URI uri, boolean messages) {
        if (scenario == null) {
            return Optional.empty();
        }
        Scenario steps = ScenarioReader.readFile(scenario);
        for (Scenario.Flow flow : steps.flows()) {
            for (Scenario.Step step : flow.steps()) {
                if (step.isMessage() != messages) {
                    throw Parse.usage("--scenario: step '" + step.name() + "' "
                            + (messages
                                    ? "is a request; over a WebSocket a step sends a message: 'send: TEXT'"
                                    : "sends a message, so the URL has to begin with ws:// or wss://"));
                }
            }
        }
        if (messages) {
            if (body != null || contains != null) {
                throw Parse.usage("--scenario says what is sent and expected: leave out --body and --contains");
            }
            return Optional.of(steps);
        }
        if (method != null
                || !headers.isEmpty()
                || body != null
                || !form.isEmpty()
                || status != 200
                || contains != null) {
            throw Parse.usage("--scenario says what is sent and expected: leave out -X, -H, --body, --form, --status"
                    + " and --contains");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        if (uri.getRawQuery() != null || !path.isEmpty() && !path.equals("/")) {
            throw Parse.usage("--scenario has its own paths: the URL is only http://HOST[:PORT]/");
        }
        return Optional.of(steps);
    }

    /**
     * The request that opens a WebSocket; its body is the message.
     *
     * @param subprotocols to offer
     */
    Load.Request opening(URI uri, List<String> subprotocols) {
        if (method != null || !form.isEmpty() || status != 200) {
            throw Parse.usage("over a WebSocket --body is sent as a message: leave out -X, --form and --status");
        }
        Map<String, String> fields = headerFields();
        if (!subprotocols.isEmpty()) {
            fields.put("Sec-WebSocket-Protocol", String.join(", ", subprotocols));
        }
        return new Load.Request(
                "GET",
                path(uri),
                fields,
                scenario == null ? Optional.of(body().orElse(Load.USUAL_MESSAGE)) : Optional.empty());
    }

    Load.Request request(URI uri) {
        Map<String, String> fields = headerFields();
        Optional<String> content = body();
        if (!form.isEmpty() && fields.keySet().stream().noneMatch(CONTENT_TYPE::equalsIgnoreCase)) {
            fields.put(CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        String verb = method != null ? method : content.isEmpty() ? "GET" : "POST";
        return new Load.Request(verb, path(uri), fields, content);
    }

    private static String path(URI uri) {
        return (uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath())
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    private Map<String, String> headerFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String h : headers.stream().flatMap(h -> lines(h, System.getenv())).toList()) {
            int colon = h.indexOf(':');
            if (colon < 1) {
                throw Parse.usage("-H '" + Secrets.redact(h) + "': NAME: VALUE is wanted");
            }
            String name = h.substring(0, colon).trim();
            if (!names.add(name)) {
                throw Parse.usage("-H: '" + name + "' is there twice; join the values with ', ' (of Cookie with '; ')");
            }
            fields.put(name, h.substring(colon + 1).trim());
        }
        return fields;
    }

    /** A header with the variables that it names, or those in a file as they are. */
    static Stream<String> lines(String header, Map<String, String> environment) {
        return header.startsWith("@")
                ? UserFile.read(Path.of(header.substring(1)), 1).lines().filter(l -> !l.isBlank())
                : Stream.of(filled(header, environment));
    }

    /** What comes from a variable is taken for a secret: it may not stand where it would be shown. */
    private static String filled(String header, Map<String, String> environment) {
        int value = header.indexOf(':') + 1;
        if (value == 0 || header.indexOf("${", value) < 0) {
            return header;
        }
        String name = header.substring(0, value - 1).strip();
        if (Secrets.harmless(name)) {
            throw Parse.usage(
                    "-H '" + name + "': its value is shown in reports, so it takes none from the environment");
        }
        Matcher m = VARIABLE.matcher(header).region(value, header.length());
        var all = new StringBuilder(header.substring(0, value));
        int done = value;
        while (m.find()) {
            if (m.group(1) == null || !environment.containsKey(m.group(1))) {
                throw Parse.usage("-H '" + name + "': "
                        + (m.group(1) == null
                                ? "after '${' the name of a variable and '}' are wanted; a value with '${' in it is given in a file: -H @FILE"
                                : "there is no variable " + m.group(1) + " in the environment (is it exported?)"));
            }
            all.append(header, done, m.start()).append(environment.get(m.group(1)));
            done = m.end();
        }
        return all.append(header.substring(done)).toString();
    }

    /**
     * The expected answer to a message.
     *
     * @param echo whether it must equal the message
     */
    Load.Expect answer(boolean echo) {
        if (echo && scenario != null) {
            throw Parse.usage("--scenario says what is sent and expected: leave out --expect-echo");
        }
        Load.Expect any = expect();
        if (echo && any.contains().isPresent()) {
            throw Parse.usage("--expect-echo wants the whole answer: leave it out, or --contains");
        }
        return any.withEcho(echo);
    }

    /** The expected answer. */
    Load.Expect expect() {
        if (contains != null && contains.isEmpty()) {
            throw Parse.usage("--contains needs a text to find");
        }
        return new Load.Expect(status, OptionalInt.empty(), Optional.ofNullable(contains));
    }

    private Optional<String> body() {
        if (form.isEmpty()) {
            return Optional.ofNullable(body).map(b -> b.startsWith("@") ? file(b.substring(1)) : b);
        }
        if (body != null) {
            throw Parse.usage("give either --body or --form");
        }
        return Optional.of(form.stream().map(RequestOptions::field).collect(Collectors.joining("&")));
    }

    private static String field(String text) {
        int eq = text.indexOf('=');
        if (eq < 1) {
            throw Parse.usage("--form '" + text + "': NAME=VALUE is wanted");
        }
        return URLEncoder.encode(text.substring(0, eq), StandardCharsets.UTF_8) + "="
                + URLEncoder.encode(text.substring(eq + 1), StandardCharsets.UTF_8);
    }

    private static String file(String name) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(NamedFile.bytes(Path.of(name), MOST_BODY)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Parse.usage("--body @" + name + ": only text in UTF-8 can be sent");
        } catch (FileSystemException | InvalidPathException e) {
            throw Parse.usage("--body @" + name + ": the file can't be read");
        } catch (IOException e) {
            throw Parse.usage("--body @" + name + ": the file can't be read: " + e.getMessage());
        }
    }
}
