package dev.fettle.model.imports;

import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scenario under construction. Its texts are templates; secrets have become variables. */
final class Draft {
    /** Headers set by Fettle, hop-by-hop, or for the browser's cache. */
    private static final Set<String> LEFT_OUT = Set.of("""
            connection keep-alive proxy-connection content-length transfer-encoding te trailer upgrade
            accept-encoding if-none-match if-modified-since priority upgrade-insecure-requests
            cache-control pragma""".split("\\s+"));

    private static final Pattern PATH_PARAMETER = Pattern.compile("(;([^=;/]*)=)([^;/]+)");
    private static final int LONGEST_VARIABLE = 60;

    static final class Step {
        final String method;
        final String path;
        final Map<String, String> headers = new LinkedHashMap<>();
        final Map<String, String> form = new LinkedHashMap<>();
        Optional<String> body = Optional.empty();
        OptionalInt status = OptionalInt.empty();
        long thinkMillis;

        Step(String method, String path) {
            this.method = method;
            this.path = path;
        }
    }

    final List<Step> steps = new ArrayList<>();
    final Set<String> notes = new LinkedHashSet<>();
    /** Variables the user has to supply. */
    final Set<String> variables = new LinkedHashSet<>();
    /** Variables for bodies that the recording does not hold, and what is known of each; without a value, the file is refused. */
    final Map<String, String> missing = new LinkedHashMap<>();
    /** Headers that are of no use in a scenario. */
    final Set<String> leftOut = new LinkedHashSet<>();

    /** Adds a header unless it is automatic or useless; a secret one becomes a variable. */
    void header(Step step, String name, String template) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (LEFT_OUT.contains(lower) || lower.startsWith(":") || lower.startsWith("sec-")) {
            leftOut.add(name);
        } else if (!Request.isHeaderName(name) || template.chars().anyMatch(c -> c < ' ' || c == 127)) {
            notes.add("a header was left out: its name or value holds characters that can't be sent");
        } else if (!lower.equals("cookie")) {
            boolean secret = Secrets.looksSecretInRequest(lower) || BodySecrets.holdsSecret(template);
            step.headers.put(name, secret ? variable(lower.replace('-', '_')) : template);
        }
    }

    /**
     * Adds a body: as fields if it is a form with distinct names, else as a text without its secrets.
     *
     * @param form whether it is sent as a form
     */
    void body(Step step, String template, boolean form) {
        if (form && FormText.isFields(template)) {
            step.headers
                    .entrySet()
                    .removeIf(h -> h.getKey().equalsIgnoreCase("content-type")
                            && h.getValue().equalsIgnoreCase(FormText.TYPE));
            FormText.fields(template)
                    .forEach((name, value) ->
                            step.form.put(name, isSecret(name, value, value) ? variable(name) : value));
        } else {
            step.body = Optional.of(text(template));
        }
    }

    /** A body without its secrets; all of it is one where a secret's name stands in what can't be read. */
    private String text(String template) {
        var read = new BodySecrets(this::place);
        Optional<String> known = read.json(template).or(() -> read.xml(template));
        if (known.isPresent()) {
            return known.get();
        }
        if (FormText.isPairs(template)) {
            return pairs(template, "|url");
        }
        String decoded = FormText.unescaped(template);
        if (Templates.isPlace(template)
                || !Secrets.looksSecretInRequest(decoded) && !BodySecrets.holdsSecret(decoded)) {
            return template;
        }
        notes.add("a body in which a secret may stand was taken out: put it in as the variable body");
        return variable("body");
    }

    /** A path whose parameters with secret-looking names have become variables. */
    String path(String template) {
        var out = new ArrayList<String>();
        for (String segment : template.split("/", -1)) {
            int end = segment.indexOf(';') < 0 ? segment.length() : segment.indexOf(';');
            String word = segment.substring(0, end);
            String parameters = PATH_PARAMETER
                    .matcher(segment.substring(end))
                    .replaceAll(m -> Matcher.quoteReplacement(
                            isSecret(m.group(2), m.group(3), m.group(3))
                                    ? m.group(1) + variable(m.group(2))
                                    : m.group()));
            out.add((isSecret("", word, word) ? variable("token") : word) + parameters);
        }
        return String.join("/", out);
    }

    /** A query whose parameters with secret-looking names have become variables. */
    String query(String template) {
        return pairs(template, "");
    }

    private String pairs(String template, String filter) {
        var out = new ArrayList<String>();
        for (String pair : template.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = FormText.unescaped(pair.substring(0, Math.max(0, equals)));
            String value = pair.substring(equals + 1);
            boolean secret = isSecret(name, value, FormText.unescaped(value));
            out.add(secret ? pair.substring(0, equals + 1) + place(name.isEmpty() ? "query" : name, filter) : pair);
        }
        return String.join("&", out);
    }

    static boolean isSecret(String name, String template, String value) {
        return !template.isEmpty()
                && !Templates.isPlace(template)
                && (Secrets.looksSecretInRequest(name) || BodySecrets.holdsSecret(value));
    }

    /** A placeholder for a value the user supplies. */
    String variable(String wish) {
        return place(wish, "");
    }

    private String place(String wish, String filter) {
        String name = variableName(wish);
        while (missing.containsKey(name)) {
            name = "v_" + name;
        }
        variables.add(name);
        return "${" + name + filter + "}";
    }

    /** A placeholder for a body that was not recorded. */
    String missing(String about) {
        String name = missing.isEmpty() ? "body" : "body_" + (missing.size() + 1);
        for (int i = missing.size() + 2; variables.contains(name); i++) {
            name = "body_" + i;
        }
        missing.put(name, about);
        return "${" + name + "}";
    }

    /** A name that a variable of a scenario may have, from what it is to be called. */
    static String variableName(String wish) {
        String name = wish.replaceAll("[^A-Za-z0-9_.-]", "_");
        return Templates.isName(name) && !Templates.BUILT_IN.contains(name)
                ? name
                : "v_" + name.substring(0, Math.min(LONGEST_VARIABLE, name.length()));
    }
}
