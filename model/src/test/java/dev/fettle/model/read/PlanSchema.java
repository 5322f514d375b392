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
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.target.Apps;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the JSON Schema of plans from the records that declare their keys. */
final class PlanSchema {
    /** The sections that were met, by the names of their definitions. */
    private final Map<String, Class<?>> sections = new LinkedHashMap<>();

    /** The definitions of a schema's file, as they stand there, by name. */
    static Map<String, String> definitions(String file) {
        var out = new LinkedHashMap<String, String>();
        Matcher m = Pattern.compile("(?ms)^    \"(\\w+)\": (\\{[^\n]*\\},?|\\{.*?^    \\},?)$")
                .matcher(file.substring(file.indexOf("\"$defs\": {")));
        while (m.find()) {
            out.put(m.group(1), m.group(2).replaceFirst(",$", ""));
        }
        return out;
    }

    /** A schema's file with definitions in place of those of the same names, or after the others. */
    static String with(String file, Map<String, String> definitions) {
        Map<String, String> all = definitions(file);
        definitions.forEach((name, d) -> all.put(name, d.replace("\n", "\n    ")));
        return file.substring(0, file.indexOf("\"$defs\": {"))
                + all.entrySet().stream()
                        .map(e -> "    \"" + e.getKey() + "\": " + e.getValue())
                        .collect(Collectors.joining(",\n", "\"$defs\": {\n", "\n  }\n}\n"));
    }

    /** The definitions of sections and of all that these use, by name. */
    static Map<String, String> of(Class<?>... sections) {
        var schema = new PlanSchema();
        for (Class<?> section : sections) {
            schema.section(section);
        }
        var out = new LinkedHashMap<String, String>();
        while (out.size() < schema.sections.size()) {
            for (var e : List.copyOf(schema.sections.entrySet())) {
                out.computeIfAbsent(e.getKey(), k -> schema.definition(e.getValue()));
            }
        }
        return out;
    }

    private String definition(Class<?> section) {
        var lines = new ArrayList<String>();
        lines.add("  \"description\": "
                + text(section.getAnnotation(Section.class).doc()));
        lines.add("  \"type\": \"object\"");
        lines.add("  \"properties\": {\n"
                + Binder.components(section)
                        .filter(c -> !c.getAnnotation(Key.class).alone())
                        .map(c -> "    " + text(Binder.name(c)) + ": {" + property(c) + "}")
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
        List<String> each = Stream.of(rule.keys()).map(PlanSchema::isThere).toList();
        String holds = switch (rule.kind()) {
            case SOME -> "{\"anyOf\": [" + String.join(", ", each) + "]}";
            case ONE -> "{\"oneOf\": [" + String.join(", ", each) + "]}";
            case NOT_BOTH ->
                Stream.of(rule.keys()).anyMatch(k -> k.contains("="))
                        ? "{\"not\": {\"allOf\": [" + String.join(", ", each) + "]}}"
                        : "{\"not\": {\"required\": ["
                                + Stream.of(rule.keys()).map(PlanSchema::text).collect(Collectors.joining(", "))
                                + "]}}";
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
            String name = type.getAnnotation(Section.class).value();
            sections.put(name, type);
            String mapping = "\"$ref\": \"#/$defs/" + name + "\"";
            return Binder.components(type)
                    .filter(k -> k.getAnnotation(Key.class).alone())
                    .findFirst()
                    .map(k -> "\"anyOf\": [{" + value(k, k.getGenericType()) + "}, {" + mapping + "}]")
                    .orElse(mapping);
        } else if (type == Duration.class) {
            return "\"$ref\": \"#/$defs/duration\"";
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
            default -> throw new IllegalStateException(form + " is not in the schema");
        };
    }

    private String section(Class<?> section) {
        String name = section.getAnnotation(Section.class).value();
        sections.put(name, section);
        return ref(name);
    }

    private static String choice(List<String> values) {
        return "\"enum\": " + values.stream().map(PlanSchema::text).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String ref(String name) {
        return "\"$ref\": \"#/$defs/" + name + "\"";
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
