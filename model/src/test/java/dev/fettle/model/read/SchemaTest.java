package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.fettle.model.BadPlans;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Apps;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published schema and the reader are the same language. */
class SchemaTest {
    private static final Path FILE = Path.of("src/main/resources/dev/fettle/plan.schema.json");
    private static final Path EXAMPLES = Path.of("..", "examples");

    /** A build of Fettle alone does not make the sample apps. */
    static final OwnConfiguration ANY_JAR = new OwnConfiguration() {
        @Override
        public Setting of(Target target) {
            return Setting.DEFAULT;
        }

        @Override
        public BootApp look(Path jar) {
            ServerKind server = Stream.of(ServerKind.values())
                    .filter(s -> jar.toString().contains(s.id()))
                    .findFirst()
                    .orElse(ServerKind.TOMCAT);
            return new BootApp(server, "3.5.16");
        }
    };

    private final JsonNode schema = load();
    private final JsonSchema validator =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);

    static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @Test
    void thereAreExamples() throws IOException {
        assertThat(examples().map(f -> f.getFileName().toString()))
                .contains(
                        "boot-tomcat.yaml",
                        "jetty-threads.yaml",
                        "login.yaml",
                        "servers.yaml",
                        "tomcat-grid.yaml",
                        "wiremock.yaml");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void examplesValidateAndParse(Path file) throws IOException {
        assertThat(validate(Files.readString(file))).isEmpty();
        Plan plan = new PlanReader(2, 4096, ANY_JAR).read(file);
        assertThat(plan.name()).isNotEmpty();
        for (int cpus : new int[] {1, 4, 8, 16, 64}) {
            assertThat(new PlanReader(cpus, 4096, ANY_JAR).read(file))
                    .as("on %d CPUs", cpus)
                    .isEqualTo(plan);
        }
    }

    static Stream<BadPlans.Bad> refusedByBoth() {
        return BadPlans.all().filter(BadPlans.Bad::schema);
    }

    @ParameterizedTest
    @MethodSource("refusedByBoth")
    void refusesWhatTheReaderRefuses(BadPlans.Bad bad) throws IOException {
        assertThat(validate(bad.yaml())).as(bad.yaml()).isNotEmpty();
    }

    /** Regenerate it by {@code -Dfettle.write=true}. */
    @Test
    void isWhatTheRecordsSay() throws IOException {
        String wanted = PlanSchema.of(PlanKeys.class);
        if (Boolean.getBoolean("fettle.write")) {
            Files.writeString(FILE, wanted);
        }
        assertThat(Files.readString(FILE)).isEqualTo(wanted);
    }

    @Test
    void hasTheKnobsOfTheCatalogue() {
        assertThat(names(schema.at("/$defs/setting/properties"))).containsExactlyElementsOf(Knobs.names());
        assertThat(names(schema.at("/$defs/knobs/properties")))
                .startsWith(ServerKind.CHOICE)
                .containsAll(Knobs.names())
                .hasSize(Knobs.names().size() + 1);
        List<String> dimensions = names(schema.at("/$defs/grid/properties"));
        assertThat(dimensions).containsAll(Knobs.names());
        assertThat(dimensions.stream().filter(d -> d.startsWith("app.")))
                .containsExactlyInAnyOrderElementsOf(Apps.names().stream()
                        .flatMap(a -> Apps.options(a).stream())
                        .distinct()
                        .map(o -> "app." + o)
                        .toList());
        assertThat(dimensions).hasSize(Knobs.names().size() + 18);

        for (Knob knob : Knobs.all()) {
            JsonNode node = schema.at("/$defs/setting/properties").get(knob.name());
            assertThat(node.get("description").asText()).isEqualToIgnoringCase(knob.about() + ".");
            if (knob.type() == Knob.Type.INT) {
                assertThat(node.get("minimum").asLong()).as(knob.name()).isEqualTo(knob.min());
                assertThat(node.get("maximum").asLong()).as(knob.name()).isEqualTo(knob.max());
            }
            if (knob.type() == Knob.Type.ENUM) {
                assertThat(node.get("enum")).hasSize(knob.choices().size());
            }
        }
    }

    @Test
    void describesEveryKey() {
        var bare = new ArrayList<String>();
        walk(schema, "", bare);
        assertThat(bare).isEmpty();
    }

    @Test
    void usesEveryDefinition() {
        Set<String> used = new HashSet<>(schema.findValuesAsText("$ref"));
        List<String> defined =
                names(schema.get("$defs")).stream().map(n -> "#/$defs/" + n).toList();
        assertThat(used).containsExactlyInAnyOrderElementsOf(defined);
    }

    private static void walk(JsonNode node, String path, List<String> bare) {
        JsonNode properties = node.path("properties");
        if (node.path("type").asText().equals("object") && properties.isObject()) {
            properties.properties().forEach(e -> {
                if (e.getValue().path("description").asText().isBlank()) {
                    bare.add(path + "/" + e.getKey());
                }
            });
        }
        if (node.isObject()) {
            node.properties().forEach(e -> walk(e.getValue(), path + "/" + e.getKey(), bare));
        }
    }

    private Set<ValidationMessage> validate(String yaml) throws JsonProcessingException {
        JsonNode node = new YAMLMapper().readTree(yaml);
        return validator.validate(node);
    }

    private static List<String> names(JsonNode node) {
        var out = new ArrayList<String>();
        node.fieldNames().forEachRemaining(out::add);
        return out;
    }

    private static JsonNode load() {
        try (InputStream in = PlanReader.class.getResourceAsStream("/dev/fettle/plan.schema.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
