package dev.fettle.model.imports;

import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Secrets;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

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

    /** What a URL may not hold. */
    private static final Pattern ODD = Pattern.compile("[^!-~]+");

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
        return ScenarioYaml.of("Imported from a curl command.", draft);
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
                    throw new ImportException(
                            "the curl option " + name.replaceFirst("=.*", "") + " is not known here: leave it out");
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
    private String step(String text) {
        if (text.matches("(?i)[a-z][a-z0-9+.-]*://.*") && !text.matches("(?i)https?://.*")) {
            throw new ImportException(
                    "the URL '" + Secrets.redactUrl(text) + "' is neither http nor https, and nothing else is sent");
        }
        String whole = text.matches("(?i)https?://.*") ? text : "http://" + text;
        // placeholders contain characters not allowed in a URL
        RequestUrl url = url(whole.replace("${", "$%7B").replace("}", "%7D"));
        if (!url.hasHost()) {
            throw new ImportException("the URL '" + Secrets.redactUrl(text) + "' has no host");
        }
        if (url.uri().getUserInfo() != null) {
            user = true;
        }
        String body = String.join("&", data);
        String query = places(url.query());
        if (get && !body.isEmpty()) {
            String more = escaped(body);
            query = query.isEmpty() ? more : query + "&" + more;
        }
        boolean sends = !data.isEmpty() && !get;
        String verb = (!method.isEmpty() ? method : head ? "HEAD" : sends ? "POST" : "GET").toUpperCase(Locale.ROOT);
        if (!Request.METHODS.contains(verb)) {
            throw new ImportException(
                    "-X " + verb + ": a scenario sends " + String.join(", ", Request.METHODS) + " and nothing else");
        }
        String path = draft.path(places(url.path()));
        var step = new Draft.Step(verb, query.isEmpty() ? path : path + "?" + draft.query(query));
        headers(step, url);
        if (sends) {
            body(step, body);
        }
        draft.steps.add(step);
        return url.origin();
    }

    private static String places(String escaped) {
        return escaped.replaceAll("\\$%7B([A-Za-z0-9_]+)%7D", "\\${$1}").replace("$%7B", "%24%7B");
    }

    private static RequestUrl url(String text) {
        try {
            return RequestUrl.read(text, " |[]");
        } catch (URISyntaxException e) {
            throw new ImportException("not a URL: " + e.getReason());
        }
    }

    /** What curl puts into a query as it is, and a path may not hold. */
    private static String escaped(String query) {
        return ODD.matcher(query)
                .replaceAll(m ->
                        URLEncoder.encode(m.group(), StandardCharsets.UTF_8).replace("+", "%20"));
    }

    private void headers(Draft.Step step, RequestUrl url) {
        for (String header : headers) {
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip();
            if (colon < 1 || value.isEmpty()) {
                draft.notes.add("a header without a value was left out");
                continue;
            }
            String name = header.substring(0, colon).strip();
            if (name.equalsIgnoreCase("cookie")) {
                cookie = true;
            } else if (!name.equalsIgnoreCase("host") || !value.equalsIgnoreCase(url.authority())) {
                draft.header(step, name, value);
            }
        }
        if (!draft.leftOut.isEmpty()) {
            draft.notes.add("headers left out, since Fettle sets them or they are of a browser: "
                    + String.join(", ", draft.leftOut));
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

    /** A body is a form unless a header says something else. */
    private void body(Draft.Step step, String body) {
        List<String> types = step.headers.entrySet().stream()
                .filter(h -> h.getKey().equalsIgnoreCase("content-type"))
                .map(h -> h.getValue().toLowerCase(Locale.ROOT))
                .toList();
        draft.body(step, body, types.stream().allMatch(t -> t.startsWith(FormText.TYPE)));
        if (types.isEmpty() && step.body.isPresent()) {
            step.headers.put("Content-Type", FormText.TYPE);
        }
    }
}
