package dev.fettle.model.imports;

import dev.fettle.model.read.PlanReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes a draft as a scenario file. */
final class ScenarioYaml {
    private static final int LONGEST_NAME = 50;

    private final StringBuilder out = new StringBuilder();

    private ScenarioYaml() {}

    static Imported of(String title, Draft draft) {
        String yaml = new ScenarioYaml().write(title, draft);
        if (yaml.getBytes(StandardCharsets.UTF_8).length > PlanReader.MOST_BYTES) {
            draft.notes.add("this file is larger than 1 MiB, the most that is read: take the longest bodies out of it");
            yaml = new ScenarioYaml().write(title, draft);
        }
        return new Imported(yaml, List.copyOf(draft.notes));
    }

    private String write(String title, Draft draft) {
        line("# " + comment(title));
        draft.notes.forEach(note -> line("# - " + comment(note)));
        line("");
        if (!draft.variables.isEmpty()) {
            line(
                    "# Secrets were taken out: put your own values in, or columns of a CSV file (data: [{file: users.csv}]).");
        }
        if (!draft.missing.isEmpty()) {
            line("# Bodies are missing: write each after its colon; without them this file is refused.");
        }
        if (!draft.variables.isEmpty() || !draft.missing.isEmpty()) {
            line("variables:");
            draft.variables.forEach(name -> line("  " + quoted(name) + ": CHANGE-ME"));
            draft.missing.forEach((name, about) -> line("  " + quoted(name) + ": # " + comment(about)));
            line("");
        }
        line("steps:");
        Map<String, Integer> names = new HashMap<>();
        for (int i = 0; i < draft.steps.size(); i++) {
            step(draft.steps.get(i), names, i == draft.steps.size() - 1);
        }
        return out.toString();
    }

    private void step(Draft.Step step, Map<String, Integer> names, boolean last) {
        line("  - name: " + quoted(name(step, names)));
        if (!step.method.equals(step.form.isEmpty() && step.body.isEmpty() ? "GET" : "POST")) {
            line("    method: " + step.method);
        }
        line("    path: " + quoted(step.path));
        map("headers", step.headers);
        map("form", step.form);
        step.body.ifPresent(body -> line("    body: " + quoted(body)));
        step.status.ifPresent(status -> line("    expect: {status: " + status + "}"));
        if (step.thinkMillis > 0 && !last) {
            line("    think: " + step.thinkMillis + "ms");
        }
    }

    private void map(String key, Map<String, String> values) {
        if (!values.isEmpty()) {
            line("    " + key + ":");
            values.forEach((name, value) -> line("      " + quoted(name) + ": " + quoted(value)));
        }
    }

    /** A step name from method and path, with a number appended if taken. */
    private static String name(Draft.Step step, Map<String, Integer> names) {
        int query = step.path.indexOf('?');
        String path = query < 0 ? step.path : step.path.substring(0, query);
        String plain =
                (step.method + " " + path.replaceAll("\\$\\{[^}$]*+}", "x")).replaceAll("[^\\p{L}\\p{N} ._/:-]", "_");
        String name = plain.substring(0, Math.min(LONGEST_NAME, plain.length()));
        String unique = name;
        while (names.putIfAbsent(unique, 1) != null) {
            unique = name + " " + names.merge(name, 1, Integer::sum);
        }
        return unique;
    }

    /** Plain if YAML reads it back as the same text, else in double quotes. */
    static String quoted(String text) {
        if (text.matches("[A-Za-z/][A-Za-z0-9 ./_-]*[A-Za-z0-9/]|/")
                && !text.matches("(?i)true|false|null|yes|no|on|off")) {
            return text;
        }
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    boolean odd = c < ' '
                            || c >= 127 && c < 160
                            || c == '\u2028'
                            || c == '\u2029'
                            || c == '\uFEFF'
                            || c == '\uFFFE'
                            || c == '\uFFFF'
                            || Character.isSurrogate(c);
                    quoted.append(odd ? "\\u%04X".formatted((int) c) : String.valueOf(c));
                }
            }
        }
        return quoted.append('"').toString();
    }

    private static String comment(String text) {
        return text.replaceAll("[\\p{Cntrl}\u2028\u2029\uFEFF\uFFFE\uFFFF]", " ");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
