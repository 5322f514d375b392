package dev.fettle.model.imports;

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
    /** Headers set by Fettle, hop-by-hop, for the browser's cache, or specific to the recorded host. */
    private static final Set<String> LEFT_OUT = Set.of("""
            host connection keep-alive proxy-connection content-length transfer-encoding te trailer upgrade
            accept-encoding if-none-match if-modified-since origin referer priority upgrade-insecure-requests
            cache-control pragma""".split("\\s+"));

    private static final Pattern JSON_MEMBER =
            Pattern.compile("\"([^\"\\\\]{1,60})\"(\\s*:\\s*)\"((?:[^\"\\\\]++|\\\\.)*+)\"");

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

    /** Adds a header unless it is automatic or useless; a secret one becomes a variable. */
    void header(Step step, String name, String template) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean dropped = LEFT_OUT.contains(lower) || lower.startsWith(":") || lower.startsWith("sec-");
        if (!dropped && !lower.equals("cookie")) {
            step.headers.put(name, isSecret(lower) ? variable(lower.replace('-', '_')) : template);
        }
    }

    private static boolean isSecret(String header) {
        return Secrets.looksSecret(header) || header.equals("x-csrf") || header.equals("x-xsrf");
    }

    /** Adds a form field; one whose name looks secret becomes a variable. */
    void field(Step step, String name, String template) {
        step.form.put(name, Secrets.looksSecret(name) && Templates.isPlain(template) ? variable(name) : template);
    }

    /** Replaces the values of JSON members with secret-looking names by variables. */
    String body(String template) {
        Matcher m = JSON_MEMBER.matcher(template);
        var out = new StringBuilder();
        while (m.find()) {
            boolean secret = Secrets.looksSecret(m.group(1)) && Templates.isPlain(m.group(3));
            String value = secret ? place(m.group(1), "|json") : m.group(3);
            m.appendReplacement(out, Matcher.quoteReplacement('"' + m.group(1) + '"' + m.group(2) + '"' + value + '"'));
        }
        return m.appendTail(out).toString();
    }

    /** Replaces the values of query parameters with secret-looking names by variables. */
    String query(String template) {
        var out = new ArrayList<String>();
        for (String pair : template.split("&", -1)) {
            int equals = pair.indexOf('=');
            boolean secret = equals > 0
                    && equals < pair.length() - 1
                    && Secrets.looksSecret(pair.substring(0, equals))
                    && Templates.isPlain(pair);
            out.add(secret ? pair.substring(0, equals + 1) + variable(pair.substring(0, equals)) : pair);
        }
        return String.join("&", out);
    }

    /** A placeholder for a value the user supplies. */
    String variable(String wish) {
        return place(wish, "");
    }

    private String place(String wish, String filter) {
        String name = wish.replaceAll("[^A-Za-z0-9_.-]", "_");
        if (!Templates.isName(name)) {
            name = "v_" + name.substring(0, Math.min(60, name.length()));
        }
        variables.add(name);
        return "${" + name + filter + "}";
    }
}
