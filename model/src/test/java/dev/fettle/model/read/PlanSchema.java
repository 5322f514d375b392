package dev.fettle.model.read;

import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Apps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the JSON Schema of plans from the records that declare their keys, and from the catalogue of knobs. */
final class PlanSchema {
    private static final String FORMS = "/plan-forms.json";

    /** Forms of values by name, and dimensions of a grid that are no knobs, as they stand in a file beside the tests. */
    private static final Map<String, Map<String, String>> WRITTEN = written();

    /** The definitions by name, in the order in which they were met; those of forms are after the sections. */
    private final Map<String, String> definitions = new LinkedHashMap<>();

    private final Map<String, String> forms = new LinkedHashMap<>();

    /** The schema of a section with all that it uses. */
    static String of(Class<?> section) {
        var schema = new PlanSchema();
        String whole = schema.definition(section, """
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$id": "urn:dev.fettle:schema:plan-1",
                  "title": "Fettle plan",
                """);
        schema.definitions.putAll(schema.forms);
        String definitions = schema.definitions.entrySet().stream()
                .map(e -> "    " + text(e.getKey()) + ": " + e.getValue().replace("\n", "\n    "))
                .collect(Collectors.joining(",\n", "  \"$defs\": {\n", "\n  }\n}\n"));
        return whole.substring(0, whole.length() - 2) + ",\n" + definitions;
    }

    private static Map<String, Map<String, String>> written() {
        try (var in = PlanSchema.class.getResourceAsStream(FORMS)) {
            String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            int grid = all.indexOf("  \"grid\": {");
            return Map.of("forms", entries(all.substring(0, grid)), "grid", entries(all.substring(grid)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> entries(String part) {
        var out = new LinkedHashMap<String, String>();
        Matcher m = Pattern.compile("(?ms)^    \"([\\w.-]+)\": (\\{[^\n]*\\}|\\{.*?^    \\}),?$")
                .matcher(part);
        while (m.find()) {
            out.put(m.group(1), m.group(2).replace("\n    ", "\n"));
        }
        return out;
    }

    /** A reference to a form; with all that it refers to, it becomes a part of the schema. */
    private String ref(String name) {
        if (!forms.containsKey(name)) {
            forms.put(name, "");
            String form = catalogue(name)
                    .orElseGet(() -> Objects.requireNonNull(WRITTEN.get("forms").get(name), name));
            forms.put(name, form);
            Pattern.compile("#/\\$defs/(\\w+)")
                    .matcher(form)
                    .results()
                    .map(m -> m.group(1))
                    .forEach(n -> {
                        if (n.equals("interval")) {
                            section(KnobReader.Interval.class);
                        } else {
                            ref(n);
                        }
                    });
        }
        return refTo(name);
    }

    private static String refTo(String name) {
        return "\"$ref\": \"#/$defs/" + name + "\"";
    }

    /** What is made from the catalogue of knobs. */
    private static Optional<String> catalogue(String name) {
        String scalars = "\"type\": \"array\", \"items\": {" + refTo("scalar") + "}, \"minItems\": 1, ";
        return switch (name) {
            case "setting" ->
                Optional.of(mapping(
                        "One value a knob; a knob that is not named keeps the default.",
                        knobs(PlanSchema::value),
                        refTo("scalar"),
                        ""));
            case "knobs" -> {
                var all = new LinkedHashMap<String, String>();
                all.put(
                        ServerKind.CHOICE,
                        "{\"description\": \"The servers that may run the sample app or the WAR.\", "
                                + list(choice(ServerKind.ids()), "") + "}");
                all.putAll(knobs(k -> k.hasInterval()
                        ? "\"anyOf\": [{" + refTo("interval") + ", \"properties\": {\"from\": {" + value(k)
                                + "}, \"to\": {" + value(k) + "}}}, {" + list(value(k), "") + "}]"
                        : list(value(k), "")));
                yield Optional.of(mapping(
                        "Knobs that a tune may change: an interval or a list of choices each.",
                        all,
                        "\"anyOf\": [{" + refTo("interval") + "}, {" + scalars + "\"uniqueItems\": true}]",
                        ""));
            }
            case "grid" -> {
                var all = new LinkedHashMap<>(WRITTEN.get("grid"));
                all.putAll(knobs(k -> list(value(k), MOST)));
                yield Optional.of(mapping(
                        "Dimensions and their values; the last one changes fastest.",
                        all,
                        scalars + MOST + "\"uniqueItems\": true",
                        ",\n  \"minProperties\": 1"));
            }
            default -> Optional.empty();
        };
    }

    private static final String MOST = "\"maxItems\": " + KnobReader.MOST_VALUES + ", ";

    private static String mapping(String description, Map<String, String> properties, String own, String more) {
        return "{\n  \"description\": " + text(description) + ",\n  \"type\": \"object\",\n  \"properties\": {\n"
                + properties.entrySet().stream()
                        .map(e -> "    " + text(e.getKey()) + ": " + e.getValue())
                        .collect(Collectors.joining(",\n"))
                + "\n  },\n  \"patternProperties\": {\"^own\\\\.\": {" + own + "}},\n  \"additionalProperties\": false"
                + more
                + "\n}";
    }

    private static Map<String, String> knobs(Function<Knob, String> value) {
        var out = new LinkedHashMap<String, String>();
        for (Knob k : Knobs.all()) {
            String about = k.about().substring(0, 1).toUpperCase(Locale.ROOT)
                    + k.about().substring(1) + ".";
            out.put(k.name(), "{\"description\": " + text(about) + ", " + value.apply(k) + "}");
        }
        return out;
    }

    private static String list(String item, String more) {
        return "\"type\": \"array\", \"items\": {" + item + "}, \"minItems\": 1, " + more + "\"uniqueItems\": true";
    }

    private static String value(Knob k) {
        return switch (k.type()) {
            case INT -> "\"type\": \"integer\", \"minimum\": " + k.min() + ", \"maximum\": " + k.max();
            case BOOL -> "\"type\": \"boolean\"";
            case DURATION ->
                k.hasNoLimit() ? "\"anyOf\": [{" + refTo("duration") + "}, {\"const\": -1}]" : refTo("duration");
            case SIZE -> refTo("size");
            case ENUM -> choice(k.choices());
            case JDK ->
                "\"anyOf\": [{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 999}, {\"type\": \"string\","
                        + " \"pattern\": \"^([1-9][0-9]{0,2}|/.*)$\"}]";
            case FLAGS -> "\"type\": \"string\", \"pattern\": \"^(\\\\s*-\\\\S+)*\\\\s*$\"";
            case TEXT -> "\"type\": \"string\"";
        };
    }

    private String definition(Class<?> section, String head) {
        var lines = new ArrayList<String>();
        lines.add(head + "  \"description\": "
                + text(section.getAnnotation(Section.class).doc()));
        if (section.isInterface()) {
            lines.add("  \"oneOf\": [\n"
                    + Stream.of(section.getPermittedSubclasses())
                            .map(kind -> "    {" + section(kind) + "}")
                            .collect(Collectors.joining(",\n"))
                    + "\n  ]");
            return "{\n" + String.join(",\n", lines) + "\n}";
        }
        lines.add("  \"type\": \"object\"");
        var properties = new LinkedHashMap<String, String>();
        Stream.concat(Binder.components(section), Binder.with(section))
                .filter(c -> !c.getAnnotation(Key.class).alone())
                .forEach(c -> properties.computeIfAbsent(Binder.name(c), k -> property(c)));
        lines.add("  \"properties\": {\n"
                + properties.entrySet().stream()
                        .map(e -> "    " + text(e.getKey()) + ": {" + e.getValue() + "}")
                        .collect(Collectors.joining(",\n"))
                + "\n  }");
        String required = Binder.components(section)
                .filter(c -> !c.getAnnotation(Key.class).required().isEmpty())
                .map(c -> text(Binder.name(c)))
                .collect(Collectors.joining(", "));
        if (!required.isEmpty()) {
            lines.add("  \"required\": [" + required + "]");
        }
        String rules = Stream.of(section.getAnnotationsByType(Rule.class))
                .map(PlanSchema::rule)
                .distinct()
                .map(r -> "    " + r)
                .collect(Collectors.joining(",\n"));
        if (!rules.isEmpty()) {
            lines.add("  \"allOf\": [\n" + rules + "\n  ]");
        }
        lines.add("  \"additionalProperties\": false");
        return "{\n" + String.join(",\n", lines) + "\n}";
    }

    /** That a key is there or, for {@code key=value}, has this value. */
    private static String isThere(String key) {
        String[] parts = key.split("=", 2);
        return (parts.length == 1
                        ? "{"
                        : "{\"properties\": {" + text(parts[0]) + ": {\"const\": " + literal(parts[1]) + "}}, ")
                + "\"required\": [" + text(parts[0]) + "]}";
    }

    private static String rule(Rule rule) {
        List<String> keys = List.of(rule.keys().split(" "));
        List<String> each = keys.stream().map(PlanSchema::isThere).toList();
        String holds = switch (rule.kind()) {
            case SOME -> "{\"anyOf\": [" + String.join(", ", each) + "]}";
            case ONE -> "{\"oneOf\": [" + String.join(", ", each) + "]}";
            case NOT_BOTH ->
                keys.stream().anyMatch(k -> k.contains("="))
                        ? "{\"not\": {\"allOf\": [" + String.join(", ", each) + "]}}"
                        : "{\"not\": {\"required\": ["
                                + keys.stream().map(PlanSchema::text).collect(Collectors.joining(", "))
                                + "]}}";
            case ALONE ->
                "{\"anyOf\": [{\"not\": " + each.getFirst() + "}, {\"not\": {\"anyOf\": ["
                        + String.join(", ", each.subList(1, each.size())) + "]}}]}";
            case NEEDS ->
                "{\"anyOf\": [{\"not\": " + each.getFirst() + "}, " + String.join(", ", each.subList(1, each.size()))
                        + "]}";
        };
        return rule.unless().isEmpty()
                ? holds
                : "{\"anyOf\": [{\"required\": [" + text(rule.unless()) + "]}, " + holds + "]}";
    }

    private String property(RecordComponent c) {
        Default otherwise = c.getAnnotation(Default.class);
        Key key = c.getAnnotation(Key.class);
        return "\"description\": " + text(key.value() + bounds(c)) + ", " + value(c, c.getGenericType())
                + (otherwise == null ? "" : ", \"default\": " + literal(otherwise.value()))
                + (key.required().isEmpty()
                                || key.required().startsWith("{")
                                || key.required().startsWith("[")
                        ? ""
                        : ", \"examples\": [" + literal(key.required()) + "]");
    }

    /** The range of a value whose unit is a part of it: the schema can't check that. */
    private static String bounds(RecordComponent c) {
        Range range = c.getAnnotation(Range.class);
        boolean amount = c.getGenericType().getTypeName().contains("Duration");
        return range == null || !amount ? "" : " From " + range.from() + " to " + range.to() + ".";
    }

    private String value(RecordComponent c, Type type) {
        Class<?> raw = raw(type);
        Key key = c.getAnnotation(Key.class);
        if (raw == Optional.class || raw == Placed.class) {
            return value(c, argument(type, 0));
        }
        String form = form(key.form());
        if (!form.isEmpty() && (key.form().isWhole() || raw != Map.class && raw != List.class)) {
            return form;
        }
        if (raw == Map.class) {
            return mapping(c, argument(type, 1));
        }
        if (raw == List.class && raw(argument(type, 0)) == Named.class) {
            return mapping(c, argument(argument(type, 0), 0));
        }
        if (raw == List.class) {
            return "\"type\": \"array\", \"minItems\": 1, " + (key.distinct() ? "\"uniqueItems\": true, " : "")
                    + "\"items\": {" + value(c, argument(type, 0)) + "}";
        }
        return single(c, key.of() == void.class ? raw : key.of());
    }

    private String mapping(RecordComponent c, Type type) {
        Names names = c.getAnnotation(Names.class);
        String form = form(c.getAnnotation(Key.class).form());
        return "\"type\": \"object\""
                + (names == null ? "" : ", \"propertyNames\": {\"pattern\": " + pattern(names.value()) + "}")
                + (names == null || names.least() == 0 ? "" : ", \"minProperties\": " + names.least())
                + ", \"additionalProperties\": {" + (form.isEmpty() ? value(c, type) : form) + "}";
    }

    private String single(RecordComponent c, Class<?> type) {
        Range range = c.getAnnotation(Range.class);
        Choice choice = c.getAnnotation(Choice.class);
        if (type.isAnnotationPresent(Section.class)) {
            String mapping = section(type);
            return Binder.components(type)
                    .filter(k -> k.getAnnotation(Key.class).alone())
                    .findFirst()
                    .map(k -> "\"anyOf\": [{" + value(k, k.getGenericType()) + "}, {" + mapping + "}]")
                    .orElse(mapping);
        } else if (type == Duration.class) {
            return ref("duration");
        } else if (type == boolean.class || type == Boolean.class) {
            return choice == null ? "\"type\": \"boolean\"" : "\"const\": " + choice.value()[0];
        } else if (range != null) {
            return "\"type\": \"integer\", \"minimum\": " + range.from()
                    + (range.to().isEmpty() ? "" : ", \"maximum\": " + range.to());
        } else if (choice != null || type.isEnum()) {
            return choice(Binder.choices(c, type));
        } else if (type == String.class || type == Path.class) {
            Matches matches = c.getAnnotation(Matches.class);
            return matches == null ? ref("scalar") : matching(matches.value());
        }
        throw new IllegalStateException(c + " has no form in the schema");
    }

    /** A text that matches; numbers are texts, too, and so are true and false. */
    private static String matching(String regex) {
        var types = new ArrayList<String>();
        types.add("{\"type\": \"string\", \"pattern\": " + pattern(regex) + "}");
        if ("1".matches(regex)) {
            types.add("{\"type\": \"" + ("1.5".matches(regex) ? "number" : "integer") + "\""
                    + ("-1".matches(regex) ? "}" : ", \"minimum\": 0}"));
        }
        if ("true".matches(regex)) {
            types.add("{\"type\": \"boolean\"}");
        }
        return types.size() == 1
                ? types.getFirst().substring(1, types.getFirst().length() - 1)
                : "\"anyOf\": [" + String.join(", ", types) + "]";
    }

    private String form(Form form) {
        return switch (form) {
            case BY_TYPE -> "";
            case RATE, SIZE, SHARE, FLAGS, JDKS, OPTIONS, SETTING, ARGUMENTS, GRID ->
                ref(form.name().toLowerCase(Locale.ROOT));
            case RANGES -> ref("knobs");
            case TARGET -> section(TargetKeys.class);
            case DISTRIBUTION ->
                choice(Stream.of(ServerKind.values())
                        .filter(s -> s.rules().hasDistribution())
                        .map(ServerKind::id)
                        .toList());
            case BASE -> "\"type\": \"string\", \"pattern\": \"^[hH][tT][tT][pP][sS]?://[^/?#\\\\s]+/?$\"";
            case SLO -> "\"type\": \"string\", \"minLength\": 1";
            case FILE, FOLDER -> ref("scalar");
            case VALUE -> "\"type\": [\"integer\", \"string\"]";
            case JDK -> ref("java");
            case SERVER -> choice(ServerKind.ids());
            case APP -> choice(Apps.names());
            case RATE_OR_ZERO -> "\"anyOf\": [{" + ref("rate") + "}, {\"const\": 0}]";
            case PAGE -> ref("path");
            case REGEX, TEMPLATE -> ref("scalar");
            case TEMPLATE_PAGE ->
                "\"type\": \"string\", \"pattern\": "
                        + pattern("(/|\\$\\{[^}]*\\|(path|raw)\\})([!-~]|\\$\\{[^}$]*\\})*");
            case TEMPLATES -> ref("texts");
            case HEADERS, TEMPLATE_HEADERS -> ref("headers");
            case STATUSES -> ref("statuses");
            case STEPS -> "\"type\": \"array\", \"minItems\": 1, \"items\": {" + section(StepKeys.class) + "}";
            case VARIABLES -> ref("variables");
        };
    }

    private String section(Class<?> section) {
        String name = section.getAnnotation(Section.class).value();
        if (!definitions.containsKey(name)) {
            definitions.put(name, "");
            definitions.put(name, definition(section, ""));
        }
        return refTo(name);
    }

    private static String choice(List<String> values) {
        return "\"enum\": " + values.stream().map(PlanSchema::text).collect(Collectors.joining(", ", "[", "]"));
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType p ? p.getRawType() : type);
    }

    private static Type argument(Type type, int i) {
        return ((ParameterizedType) type).getActualTypeArguments()[i];
    }

    private static String literal(String value) {
        return value.matches("true|false|-?(0|[1-9][0-9]*)") ? value : text(value);
    }

    private static String pattern(String regex) {
        return text("^(" + regex + ")$");
    }

    static String text(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
