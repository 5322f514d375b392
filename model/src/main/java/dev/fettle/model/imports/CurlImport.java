package dev.fettle.model.imports;

import dev.fettle.model.load.Templates;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns a {@code curl} command line into a scenario of one step. The line is never executed. */
public final class CurlImport {
    /** Options without a value that do not affect the request. */
    private static final Set<String> SILENT = Set.of("""
            -s --silent -S --show-error -v --verbose -i --include -f --fail -# --progress-bar -N --no-buffer --http1.1
            -g --globoff --fail-with-body -4 -6""".split("\\s+"));

    /** Options with a value that do not affect the request. */
    private static final Set<String> SILENT_WITH_VALUE = Set.of("""
            -o --output -w --write-out -m --max-time --connect-timeout --retry -c --cookie-jar -D --dump-header
            --trace --trace-ascii""".split("\\s+"));

    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("-X", "--request"),
            Map.entry("-H", "--header"),
            Map.entry("-d", "--data"),
            Map.entry("-b", "--cookie"),
            Map.entry("-u", "--user"),
            Map.entry("-A", "--user-agent"),
            Map.entry("-e", "--referer"),
            Map.entry("-k", "--insecure"),
            Map.entry("-G", "--get"),
            Map.entry("-I", "--head"),
            Map.entry("-L", "--location"),
            Map.entry("-F", "--form"));

    private static final Set<String> WITH_VALUE = Set.of("""
            --request --header --data --data-ascii --data-raw --data-binary --data-urlencode --json --cookie --user
            --user-agent --referer --url""".split("\\s+"));

    private final List<String> words;
    private final Draft draft = new Draft();
    private final List<String> headers = new ArrayList<>();
    private final List<String> data = new ArrayList<>();
    private final List<String> urls = new ArrayList<>();
    private String method = "";
    private boolean json;
    private boolean get;
    private boolean head;
    private boolean user;
    private boolean cookie;

    private CurlImport(ShellWords.Split split) {
        words = split.words();
        draft.variables.addAll(split.variables());
    }

    /**
     * Reads a command line such as {@code curl -d 'a=b' http://127.0.0.1:8080/form}.
     *
     * @throws ImportException if it is not a curl command, or uses something unsupported
     */
    public static Imported read(String command) {
        ShellWords.Split split = ShellWords.split(command);
        if (split.words().isEmpty() || !split.words().getFirst().matches("(.*/)?curl(\\.exe)?")) {
            throw new ImportException("a command line that begins with 'curl' is wanted");
        }
        return new CurlImport(split).imported();
    }

    private Imported imported() {
        for (int i = 1; i < words.size(); ) {
            i = word(i);
        }
        if (urls.size() != 1) {
            throw new ImportException(
                    urls.isEmpty()
                            ? "the curl command has no URL"
                            : "the curl command has " + urls.size() + " URLs: import them one by one");
        }
        String base = step(urls.getFirst());
        draft.notes.add("run it: fettle bench " + base + "/ --scenario FILE");
        return new Imported(ScenarioYaml.of("Imported from a curl command.", draft), List.copyOf(draft.notes));
    }

    /** Reads the option or URL at an index; returns the index of the next one. */
    private int word(int i) {
        String word = words.get(i);
        if (!word.startsWith("-") || word.equals("-")) {
            urls.add(word);
            return i + 1;
        }
        if (word.startsWith("--")) {
            return option(word, i + 1);
        }
        // short options may be combined, the last one followed by its value
        for (int at = 1; at < word.length(); at++) {
            String one = "-" + word.charAt(at);
            String name = SHORT.getOrDefault(one, one);
            if (WITH_VALUE.contains(name) || SILENT_WITH_VALUE.contains(name) || name.equals("--form")) {
                if (at + 1 < word.length()) {
                    value(name, word.substring(at + 1));
                    return i + 1;
                }
                return option(name, i + 1);
            }
            option(name, i + 1);
        }
        return i + 1;
    }

    private int option(String name, int next) {
        if (WITH_VALUE.contains(name) || SILENT_WITH_VALUE.contains(name)) {
            if (next == words.size()) {
                throw new ImportException(name + " lacks its value");
            }
            value(name, words.get(next));
            return next + 1;
        }
        switch (name) {
            case "--insecure" ->
                draft.notes.add("-k: certificates are checked unless the load says tls: {insecure: true}");
            case "--compressed" ->
                draft.notes.add(
                        "--compressed was left out: answers are not unpacked, so checks could not look into them");
            case "--location" ->
                draft.notes.add("-L was left out: redirects are not followed, each is a step of its own");
            case "--http2", "--http2-prior-knowledge" ->
                draft.notes.add(name + " was left out: scenarios are sent as HTTP/1.1");
            case "--get" -> get = true;
            case "--head" -> head = true;
            case "--form" -> throw new ImportException("-F: multipart forms are not supported");
            default -> {
                if (!SILENT.contains(name)) {
                    throw new ImportException("the curl option " + name + " is not known here: leave it out");
                }
            }
        }
        return next;
    }

    private void value(String name, String value) {
        switch (name) {
            case "--request" -> method = value;
            case "--header" -> headers.add(value);
            case "--url" -> urls.add(value);
            case "--user-agent" -> headers.add("User-Agent: " + value);
            case "--referer" -> headers.add("Referer: " + value);
            case "--user" -> user = true;
            case "--cookie" -> cookie(value);
            case "--json" -> {
                json = true;
                data.add(inline(name, value));
            }
            case "--data-raw" -> data.add(value);
            case "--data", "--data-ascii", "--data-binary" ->
                data.add(inline(name, value)); // line breaks go only from files
            case "--data-urlencode" -> data.add(encoded(value));
            default -> {
                // does not affect the request
            }
        }
    }

    private void cookie(String value) {
        if (value.contains("=")) {
            cookie = true;
        } else {
            draft.notes.add("-b FILE was left out: cookies come from the answers");
        }
    }

    private static String inline(String option, String value) {
        if (value.startsWith("@")) {
            throw new ImportException(option + " " + value + ": no file is read, put the data itself in");
        }
        return value;
    }

    /** curl's {@code content}, {@code =content} and {@code name=content}. */
    private static String encoded(String value) {
        int equals = value.indexOf('=');
        if (equals < 0 && value.contains("@")) {
            throw new ImportException("--data-urlencode " + value + ": no file is read, put the data itself in");
        }
        String name = equals <= 0 ? "" : value.substring(0, equals + 1);
        String content = value.substring(equals + 1);
        return name
                + (Templates.isPlain(content)
                        ? URLEncoder.encode(content, StandardCharsets.UTF_8)
                        : content.replaceAll("\\$\\{([A-Za-z0-9_]+)}", "\\${$1|url}"));
    }

    /** Adds the step; returns the URL's scheme, host and port. */
    private String step(String url) {
        String whole = url.matches("(?i)https?://.*") ? url : "http://" + url;
        // placeholders contain characters not allowed in a URL
        URI uri = uri(whole.replace("${", "$%7B").replace("}", "%7D"));
        if (uri.getHost() == null) {
            throw new ImportException("the URL '" + url + "' has no host");
        }
        if (uri.getUserInfo() != null) {
            user = true;
        }
        String body = String.join("&", data);
        String path = places(uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
        String query = places(uri.getRawQuery() == null ? "" : uri.getRawQuery());
        if (get && !body.isEmpty()) {
            query = query.isEmpty() ? body : query + "&" + body;
        }
        boolean sends = !data.isEmpty() && !get;
        String verb = !method.isEmpty() ? method : head ? "HEAD" : sends ? "POST" : "GET";
        var step =
                new Draft.Step(verb.toUpperCase(Locale.ROOT), query.isEmpty() ? path : path + "?" + draft.query(query));
        headers(step);
        if (sends) {
            body(step, body);
        }
        draft.steps.add(step);
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    private static String places(String escaped) {
        return escaped.replaceAll("\\$%7B([A-Za-z0-9_]+)%7D", "\\${$1}").replace("$%7B", "%24%7B");
    }

    private static URI uri(String text) {
        try {
            return new URI(text.replace(" ", "%20")
                    .replace("|", "%7C")
                    .replace("[", "%5B")
                    .replace("]", "%5D"));
        } catch (URISyntaxException e) {
            throw new ImportException("not a URL: " + e.getReason());
        }
    }

    private void headers(Draft.Step step) {
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                draft.notes.add("a header without a value was left out");
                continue;
            }
            String name = header.substring(0, colon).strip();
            if (name.equalsIgnoreCase("cookie")) {
                cookie = true;
            } else {
                draft.header(step, name, header.substring(colon + 1).strip());
            }
        }
        if (json) {
            step.headers.putIfAbsent("Content-Type", "application/json");
            step.headers.putIfAbsent("Accept", "application/json");
        }
        if (user) {
            step.headers.put("Authorization", "Basic " + draft.variable("basic"));
            draft.notes.add("the variable basic is the base64 of user:password");
        }
        if (cookie) {
            step.headers.put("Cookie", draft.variable("cookie"));
            draft.notes.add(
                    "cookies were taken out: log in by a step of its own, or put them in as the variable cookie");
        }
    }

    private void body(Draft.Step step, String body) {
        boolean typed = step.headers.keySet().stream().anyMatch(h -> h.equalsIgnoreCase("content-type"));
        if (typed || !isForm(body)) {
            if (!typed) {
                step.headers.put("Content-Type", "application/x-www-form-urlencoded");
            }
            step.body = Optional.of(draft.body(body));
            return;
        }
        fields(body).forEach((name, value) -> draft.field(step, name, value));
    }

    /** A form's fields as templates. */
    static Map<String, String> fields(String body) {
        var out = new LinkedHashMap<String, String>();
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            out.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
        return out;
    }

    /** Whether the body is a form with distinct field names, which can be written as a mapping. */
    static boolean isForm(String body) {
        Set<String> names = new HashSet<>();
        for (String pair : body.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1 || !names.add(pair.substring(0, equals)) || pair.charAt(0) == '{') {
                return false;
            }
        }
        return true;
    }

    private static String decoded(String text) {
        if (!Templates.isPlain(text)) {
            return text.replace("|url}", "}");
        }
        try {
            return Templates.escape(URLDecoder.decode(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
