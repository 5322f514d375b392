package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.nodes.Node;

/** What the reader takes, the schema takes; and what the schema takes, the reader takes, unless the mistake is none of one value's form. */
class PlanAgreementTest {
    @TempDir
    static Path folder;

    private static final JsonNode TEXT = schemaText();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(TEXT);

    /** A plan on a page: one that has all that a plan needs. */
    private static final Pattern ON_A_PAGE = Pattern.compile("(?ms)^```yaml\n(name: .*?)^```");

    /** A key that the reader does not know. */
    private static final Pattern UNKNOWN = Pattern.compile("unknown (key|knob|dimension)|has no option");

    /**
     * Mistakes that no schema can know: they follow from several values, from files and placeholders, from the target, or from an amount
     * within a text. Each pattern is one that the changed plans below meet.
     */
    private static final Map<String, Pattern> BEYOND = Map.ofEntries(
            beyond(
                    "an amount that has a unit",
                    "lies between|is at most|is out of range|longer than 30 days|a share lies|is below 1"),
            beyond(
                    "a file",
                    "no such file|there is no folder|cannot be read|is no web application|nothing would be deployed"),
            beyond(
                    "a placeholder, or what is named elsewhere",
                    "has no value here|placeholder|nothing gives the program|is not used|is not in the command|in artifacts"
                            + "|is not declared|there is no (host )?'|stands for several|nothing says where|in templates, too"),
            beyond(
                    "a knob of a type that the plan declares",
                    "own\\.\\w+ is a whole number|own\\.\\w+: duration needs|own\\.\\w+ is|is not a duration|is above 'from'"
                            + "|has no 'from'|has no 'to'|has no interval|only an enum has|the unit of a duration"),
            beyond("two ends of an interval", "is not below to|is no amount|'to' is shorter than|the grid varies"),
            beyond("the form of a list's only value", "needs no list"),
            beyond(
                    "what the target is",
                    "too old|can't load a target|compare needs 'variants'|cannot vary|comes first|needs protocol: websocket|over a WebSocket|calls no backend"
                            + "|has a backend|is a figure of a process|is of use only|is not possible here"
                            + "|thread budget|deployed"),
            beyond(
                    "two values",
                    "is listed twice|several JDKs are the variants|is no spike|needs a message to send|says an SLO|needs an SLO|threads: \\d+ for|hosts for|a part already|has no effect"
                            + "|need keep-alive|keep-alive: true|is of WebSockets|need its protocol|leave the quotes out|has two sources"
                            + "|compare.spike needs|is held and tuned|is in the grid too|is a second metric|has no second metric"),
            beyond(
                    "a grammar",
                    "slo: |no regular expression|no JSON path|is not a URL|pointer one of JSON|xpath ends|line begins"));

    private static Map.Entry<String, Pattern> beyond(String what, String messages) {
        return Map.entry(what, Pattern.compile(messages));
    }

    @BeforeAll
    static void files() {
        EveryKey.files(folder);
    }

    static Set<Map.Entry<String, String>> plans() {
        return EveryKey.plans().entrySet();
    }

    static Stream<Map.Entry<String, String>> shown() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("..", "docs"));
                Stream<Path> examples = Files.list(Path.of("..", "examples"))) {
            return Stream.concat(docs, examples)
                    .filter(f -> f.toString().matches(".*\\.(md|yaml)"))
                    .sorted()
                    .flatMap(f -> f.toString().endsWith(".yaml")
                            ? Stream.of(Map.entry(f.toString(), text(f)))
                            : ON_A_PAGE.matcher(text(f)).results().map(m -> Map.entry(f.toString(), m.group(1))))
                    .toList()
                    .stream();
        }
    }

    @Test
    void thePlansUseEveryKey() {
        Set<String> used = new HashSet<>();
        EveryKey.plans().values().forEach(p -> names(EveryKey.tree(p), used));
        Set<String> unused = new TreeSet<>();
        TEXT.get("$defs").properties().stream()
                .filter(d -> !List.of("setting", "knobs", "grid").contains(d.getKey()))
                .forEach(d -> d.getValue().path("properties").fieldNames().forEachRemaining(unused::add));
        TEXT.get("properties").fieldNames().forEachRemaining(unused::add);
        unused.removeAll(used);
        assertThat(unused).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("plans")
    void bothTakeEveryKey(Map.Entry<String, String> plan) {
        assertThat(read(plan.getValue())).isEmpty();
        assertThat(SCHEMA.validate(EveryKey.tree(plan.getValue()))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shown")
    void bothTakeEveryPlanThatIsShown(Map.Entry<String, String> plan) {
        assertThat(SCHEMA.validate(EveryKey.tree(plan.getValue()))).isEmpty();
        assertThat(read(Path.of(plan.getKey()), plan.getValue())
                        .lines()
                        .filter(m -> BEYOND.get("a file").matcher(m).results().count() == 0))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"plans", "shown"})
    void bothRefuseAMisspeltKey(Map.Entry<String, String> plan) {
        var unknown = new AtomicInteger();
        EveryKey.misspelt(plan.getKey(), plan.getValue(), (where, json, node) -> {
            String refused = read(node);
            boolean taken = SCHEMA.validate(json, OutputFormat.BOOLEAN);
            boolean known = !UNKNOWN.matcher(refused).find();
            if (!known) {
                unknown.incrementAndGet();
            }
            assertThat(taken && !known).as("the schema takes %s", where).isFalse();
            assertThat(refused.isEmpty() && !taken)
                    .as("the reader takes %s", where)
                    .isFalse();
        });
        assertThat(unknown.get()).as("keys that have one name").isGreaterThan(4);
    }

    @ParameterizedTest
    @MethodSource("plans")
    void bothRefuseAKeyThatIsLeftOut(Map.Entry<String, String> plan) {
        var agreement = new Agreement();
        EveryKey.without(plan.getKey(), plan.getValue(), agreement);
        assertThat(agreement.wrong).isEmpty();
        assertThat(agreement.plans).isGreaterThan(4);
    }

    @Test
    void bothTakeAndRefuseTheSameValues() {
        var agreement = new Agreement();
        EveryKey.otherValues(agreement);
        assertThat(agreement.wrong).isEmpty();
        assertThat(agreement.plans).isGreaterThan(4000);
    }

    private static final class Agreement implements EveryKey.Check {
        private final Set<String> wrong = new TreeSet<>();
        private int plans;

        @Override
        public void plan(String where, JsonNode json, Node node) {
            String refused = read(node);
            boolean taken = SCHEMA.validate(json, OutputFormat.BOOLEAN);
            plans++;
            if (refused.isEmpty() && !taken) {
                wrong.add("only the reader takes " + where);
            } else if (taken && !refused.isEmpty() && refused.lines().noneMatch(Agreement::isBeyond)) {
                wrong.add("only the schema takes " + where + ": " + refused);
            }
        }

        private static boolean isBeyond(String message) {
            return BEYOND.values().stream().anyMatch(b -> b.matcher(message).find());
        }
    }

    private static String read(Node plan) {
        return refused(reader -> reader.read("plan.yaml", plan, folder, UnaryOperator.identity()));
    }

    private static String read(String yaml) {
        return read(folder.resolve("plan.yaml"), yaml);
    }

    private static String read(Path file, String yaml) {
        return refused(reader -> reader.read(file, yaml.getBytes(StandardCharsets.UTF_8), UnaryOperator.identity()));
    }

    /** What is wrong; empty if nothing is. */
    private static String refused(Consumer<PlanReader> read) {
        try {
            read.accept(new PlanReader(2, 4096, SchemaTest.ANY_JAR));
            return "";
        } catch (PlanException e) {
            return e.getMessage();
        }
    }

    private static void names(JsonNode node, Set<String> names) {
        node.fieldNames().forEachRemaining(names::add);
        node.forEach(n -> names(n, names));
    }

    private static JsonNode schemaText() {
        try (var in = PlanReader.class.getResourceAsStream("/dev/fettle/plan.schema.json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
