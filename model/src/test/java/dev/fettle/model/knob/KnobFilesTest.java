package dev.fettle.model.knob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What is written from the catalogue is as the catalogue is. To write it anew: {@code mvn test -Droom -pl model/tests -am
 * -Dtest=KnobFilesTest -Dfettle.write=true}.
 */
class KnobFilesTest {
    private static final Path SCHEMA = Path.of("src/main/resources/dev/fettle/plan.schema.json");
    private static final Path AGENT = Path.of("../agent/src/main/resources/dev/fettle/agent/knobs.tsv");
    private static final String FIRST = "        \"threads.max\": ";
    private static final String END = "\n      },\n";

    private static void isUpToDate(Path file, String wanted) throws IOException {
        if (Boolean.getBoolean("fettle.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, wanted);
        }
        assertThat(Files.readString(file))
                .as("%s is not what the catalogue says: see the comment of this test", file)
                .isEqualTo(wanted);
    }

    @Test
    void theSchemasKnobs() throws IOException {
        String schema = Files.readString(SCHEMA);
        schema = splice(schema, "    \"setting\": {\n", k -> quoted(k.name()) + "{" + description(k) + value(k) + "}");
        schema = splice(
                schema,
                "    \"knobs\": {\n",
                k -> quoted(k.name()) + "{" + description(k)
                        + (k.hasInterval()
                                ? "\"anyOf\": [{\"$ref\": \"#/$defs/interval\", \"properties\": {\"from\": {" + value(k)
                                        + "}, \"to\": {" + value(k) + "}}}, {" + list(k) + "}]}"
                                : list(k) + "}"));
        schema = splice(
                schema,
                "    \"grid\": {\n",
                k -> quoted(k.name()) + "{" + description(k)
                        + list(k).replace("1, \"unique", "1, \"maxItems\": 200, \"unique") + "}");
        schema = servers(schema, "server", s -> true);
        schema = servers(schema, "standalone", s -> s.rules().hasDistribution());
        isUpToDate(SCHEMA, schema);
    }

    private static String splice(String schema, String section, java.util.function.Function<Knob, String> line) {
        int from = schema.indexOf(FIRST, schema.indexOf(section));
        int to = schema.indexOf(END, from);
        return schema.substring(0, from)
                + Knobs.all().stream().map(k -> "        " + line.apply(k)).collect(Collectors.joining(",\n"))
                + schema.substring(to);
    }

    /** Puts the servers into the lists of a key's values. */
    private static String servers(String schema, String key, Predicate<ServerKind> which) {
        String ids = Arrays.stream(ServerKind.values())
                .filter(which)
                .map(s -> "\"" + s.id() + "\"")
                .collect(Collectors.joining(", "));
        return Pattern.compile("(\"" + key + "\": \\{.*\"enum\": \\[)\"tomcat\"[^]]*(\\])")
                .matcher(schema)
                .replaceAll(m -> m.group(1) + ids + m.group(2));
    }

    private static String quoted(String name) {
        return "\"" + name + "\": ";
    }

    private static String description(Knob k) {
        String about = k.about();
        return "\"description\": \"" + about.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + about.substring(1)
                + ".\", ";
    }

    private static String value(Knob k) {
        return switch (k.type()) {
            case INT -> "\"type\": \"integer\", \"minimum\": " + k.min() + ", \"maximum\": " + k.max();
            case BOOL -> "\"type\": \"boolean\"";
            case DURATION ->
                k.hasNoLimit()
                        ? "\"anyOf\": [{\"$ref\": \"#/$defs/duration\"}, {\"const\": -1}]"
                        : "\"$ref\": \"#/$defs/duration\"";
            case SIZE -> "\"$ref\": \"#/$defs/size\"";
            case ENUM ->
                k.choices().stream().map(c -> "\"" + c + "\"").collect(Collectors.joining(", ", "\"enum\": [", "]"));
            case JDK ->
                "\"anyOf\": [{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 999}, {\"type\": \"string\","
                        + " \"pattern\": \"^([1-9][0-9]{0,2}|/.*)$\"}]";
            case FLAGS -> "\"type\": \"string\", \"pattern\": \"^(\\\\s*-\\\\S+)*\\\\s*$\"";
            case TEXT -> "\"type\": \"string\"";
        };
    }

    private static String list(Knob k) {
        return "\"type\": \"array\", \"items\": {" + value(k) + "}, \"minItems\": 1, \"uniqueItems\": true";
    }

    private static String pairs(java.util.Map<String, String> map) {
        return map.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(","));
    }

    /** Agent and target are never linked with the model: they take this table with them. */
    @Test
    void theTableOfTheAgent() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("# Written from the knob catalogue (model, KnobFilesTest); not to be edited.");
        lines.add("# server\tknob\ttype\tmin\tleast\tmax\tset\tlive\town words\twithout effect with\tunread");
        lines.add("# server\tknob\t-\twhat to do instead");
        for (ServerKind server : ServerKind.values()) {
            for (Knob k : Knobs.all()) {
                if (k.part() == Knob.Part.SERVER) {
                    NativeKnob n = k.on(server);
                    List<String> cells = n.applies()
                            ? List.of(
                                    server.id(),
                                    k.name(),
                                    k.type().name(),
                                    Long.toString(k.min()),
                                    Long.toString(k.least()),
                                    Long.toString(k.max()),
                                    n.set(),
                                    n.live() ? "live" : "",
                                    pairs(n.values()),
                                    pairs(n.without()),
                                    n.unread())
                            : List.of(server.id(), k.name(), "-", n.name());
                    lines.add(String.join("\t", cells).stripTrailing());
                }
            }
        }
        isUpToDate(AGENT, String.join("\n", lines) + "\n");
    }
}
