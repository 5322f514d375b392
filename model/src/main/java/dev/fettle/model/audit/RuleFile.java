package dev.fettle.model.audit;

import dev.fettle.model.audit.AuditRule.Case;
import dev.fettle.model.audit.AuditRule.When;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads a file of rules; its keys are defined in {@code audit-rules.schema.json}. A mistake in a file fails the build.
 */
record RuleFile(String file) {
    private static final Set<String> KEYS = Set.of("""
            kind aliases spoken about default check sources checked verified knob cases""".split("\\s+"));
    private static final Set<String> CASE_KEYS = Set.of("when", "verdict", "why", "instead", "since", "fix");
    private static final Set<String> RELEASES = Set.of("kernel", "jdk", "tomcat", "jetty", "undertow", "spring");
    private static final Set<String> WHEN_KEYS =
            Set.of("is", "matches", "field", "below", "above", "with", "without", "written");

    static List<AuditRule> read(String file) {
        return new RuleFile(file).rules();
    }

    private List<AuditRule> rules() {
        try (InputStream in = RuleFile.class.getResourceAsStream("/dev/fettle/model/audit/" + file + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("audit/" + file + ".yaml is missing from the class path");
            }
            var options = new LoaderOptions();
            options.setAllowDuplicateKeys(false);
            Map<String, Object> all = new Yaml(new SafeConstructor(options)).load(in);
            return all.entrySet().stream()
                    .map(e -> {
                        try {
                            return rule(e.getKey(), map(e.getValue()));
                        } catch (RuntimeException problem) {
                            throw new IllegalStateException(
                                    file + ".yaml: " + e.getKey() + ": " + problem.getMessage(), problem);
                        }
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AuditRule rule(String name, Map<String, Object> r) {
        only(r, KEYS);
        List<String> spoken = list(r, "spoken");
        spoken.forEach(Pattern::compile);
        List<Case> cases = ((List<?>) r.getOrDefault("cases", List.of()))
                .stream().map(c -> of(map(c))).toList();
        if (cases.isEmpty() || !cases.getLast().when().always()) {
            throw new IllegalArgumentException("its last case must have no condition");
        }
        return new AuditRule(
                SettingKind.of(text(r, "kind")),
                name,
                list(r, "aliases"),
                spoken,
                text(r, "about"),
                text(r, "default"),
                text(r, "check"),
                list(r, "sources"),
                text(r, "checked"),
                !Boolean.FALSE.equals(r.get("verified")),
                Optional.of(text(r, "knob")).filter(k -> !k.isEmpty()),
                cases);
    }

    private static Case of(Map<String, Object> c) {
        only(c, CASE_KEYS);
        return new Case(
                when(map(c.getOrDefault("when", Map.of()))),
                AuditVerdict.of(text(c, "verdict")),
                text(c, "why"),
                text(c, "instead"),
                text(c, "since"),
                text(c, "fix"));
    }

    private static When when(Map<String, Object> w) {
        var releases = new LinkedHashMap<String, String>();
        var rest = new LinkedHashMap<>(w);
        for (String of : RELEASES) {
            if (rest.remove(of) instanceof Object range) {
                Release.of("1").in(range.toString());
                releases.put(of, range.toString());
            }
        }
        only(rest, WHEN_KEYS);
        var with = new LinkedHashMap<String, String>();
        map(rest.getOrDefault("with", Map.of())).forEach((n, v) -> with.put(n, String.valueOf(v)));
        Optional<String> matches = rest.containsKey("matches") ? Optional.of(text(rest, "matches")) : Optional.empty();
        matches.ifPresent(Pattern::compile);
        String field = text(rest, "field");
        return new When(
                releases,
                list(rest, "is"),
                matches,
                field.isEmpty() ? 0 : Integer.parseInt(field),
                number(rest, "below"),
                number(rest, "above"),
                with,
                list(rest, "without"),
                Optional.of(text(rest, "written")).filter(t -> !t.isEmpty()));
    }

    private static OptionalDouble number(Map<String, Object> of, String key) {
        String text = text(of, key);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble n = Amounts.of(text);
        if (n.isEmpty()) {
            throw new IllegalArgumentException(key + ": '" + text + "' is no amount");
        }
        return n;
    }

    private static void only(Map<String, Object> of, Set<String> keys) {
        var others = new TreeSet<>(of.keySet());
        others.removeAll(keys);
        if (!others.isEmpty()) {
            throw new IllegalArgumentException("unknown keys " + others);
        }
    }

    private static String text(Map<String, Object> of, String key) {
        Object value = of.get(key);
        return value == null ? "" : value.toString().strip();
    }

    private static List<String> list(Map<String, Object> of, String key) {
        Object value = of.get(key);
        return value == null
                ? List.of()
                : value instanceof List<?> l ? l.stream().map(String::valueOf).toList() : List.of(value.toString());
    }

    private static Map<String, Object> map(Object value) {
        if (!(value instanceof Map<?, ?> m)) {
            throw new IllegalArgumentException("a mapping was expected, not " + value);
        }
        var out = new LinkedHashMap<String, Object>();
        m.forEach((k, v) -> out.put(String.valueOf(k), v));
        return out;
    }
}
