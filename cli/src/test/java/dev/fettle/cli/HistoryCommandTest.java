package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.stats.Interval;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.OptionalFigure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCommandTest {
    private static final Path SAMPLES = Fettle.home().resolve("report/src/test/resources/dev/fettle/report/history");
    private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    private Ended history(String... arguments) {
        return Ended.of(
                Stream.concat(Stream.of("history"), Stream.of(arguments)).toList());
    }

    private Ended here(String... more) {
        return history(
                Stream.concat(Stream.of(folder.toString()), Stream.of(more)).toArray(String[]::new));
    }

    /** Benches of a program that is slower from the given one on. */
    private void benches(int n, int slower) throws Exception {
        JsonNode sample = json.readTree(Files.readString(SAMPLES.resolve("bench.json")));
        var r = new Random(1);
        for (int i = 0; i < n; i++) {
            ObjectNode bench = sample.deepCopy();
            bench.put("started", START.plus(Duration.ofDays(i)).toString());
            bench.put("throughputPerSecond", (i < slower ? 30_000 : 27_000) * (1 + 0.005 * r.nextGaussian()));
            Path file = folder.resolve("%09x".formatted(0xabcd0000L + i)).resolve("bench.json");
            Files.createDirectories(file.getParent());
            Files.writeString(file, bench.toString());
        }
    }

    @Test
    void aLossFailsOnlyIfAskedFor() throws Exception {
        benches(30, 20);
        Ended shown = here();
        assertThat(shown.code).isZero();
        assertThat(shown.out).contains("0abcd0014");
        assertThat(here("--fail-if-worse").code).isEqualTo(5);
        assertThat(here("--fail-if-worse", "--metric", "errors,cpu").code).isZero();
        assertThat(here("--fail-if-worse", "--least", "20%").code).isZero();
        assertThat(here("--fail-if-worse", "--since", "2026-03-22").code).isZero();
        assertThat(here("--fail-if-worse", "--since", "2026-03-20").code).isEqualTo(5);
        JsonNode d = json.readTree(here("--json").out);
        assertThat(d.path("standing").asText()).isEqualTo("worse");
        assertThat(d.at("/series/0/runs/20/commit").asText()).isEqualTo("0abcd0014");
    }

    /** A mark that some programs put in front of a text is none of it. */
    @Test
    void whatAFileMayHaveAround() throws Exception {
        benches(9, 9);
        Path first = folder.resolve("%09x".formatted(0xabcd0000L)).resolve("bench.json");
        Files.writeString(first, "\uFEFF" + Files.readString(first) + "\n\n");
        Files.createDirectories(folder.resolve(".git"));
        Files.writeString(folder.resolve(".git/x.json"), "{");
        Files.createSymbolicLink(folder.resolve("round"), folder);
        JsonNode d = json.readTree(here("--json").out);
        assertThat(d.at("/series/0/runs")).hasSize(9);
        assertThat(d.path("foundTwice").asInt()).isZero();
        assertThat(d.path("notRead")).isEmpty();
        // the same folder twice, and a file of it
        JsonNode twice = json.readTree(here(folder.toString(), first.toString(), "--json").out);
        assertThat(twice.at("/series/0/runs")).hasSize(9);
        assertThat(twice.path("foundTwice").asInt()).isEqualTo(10);
    }

    @Test
    void writesWhatIsAskedFor() throws Exception {
        benches(10, 10);
        Path html = folder.resolve("h.html");
        Path markdown = folder.resolve("h.md");
        Path junit = folder.resolve("h.xml");
        assertThat(here("--html", html.toString(), "--markdown", markdown.toString(), "--junit", junit.toString()).code)
                .isZero();
        assertThat(html).content().contains("history-0-throughput");
        assertThat(markdown).content().startsWith("## history of 10 runs");
        assertThat(junit).content().contains("testsuite");
        assertThat(here("--html", html.toString(), "--markdown", html.toString()).code)
                .isEqualTo(2);
        assertThat(here("--html", folder.resolve("no/h.html").toString()).code).isEqualTo(2);
    }

    @Test
    void fewRunsCantTell() throws Exception {
        benches(7, 7);
        assertThat(here().code).isZero();
        assertThat(here("--fail-if-worse").code).isEqualTo(6);
    }

    /** A warning each, and the rest is there. */
    @Test
    void whatCantBeReadLosesNothingElse() throws Exception {
        benches(30, 20);
        Files.writeString(folder.resolve("cut.json"), "{\"schema\": \"fettle.bench/1\", \"sta");
        Files.writeString(folder.resolve("empty.json"), "");
        Files.writeString(folder.resolve("package.json"), "{\"name\": \"x\"}");
        Files.createDirectories(folder.resolve("old"));
        Files.writeString(
                folder.resolve("old/journal.db"), "this is no database at all, and long enough to be looked at");
        Files.createSymbolicLink(folder.resolve("gone.json"), folder.resolve("nowhere"));
        Ended e = here("--fail-if-worse", "--json");
        assertThat(e.code).isEqualTo(5);
        JsonNode d = json.readTree(e.out);
        assertThat(d.at("/series/0/runs")).hasSize(30);
        assertThat(d.path("notRead")).hasSize(3);
        assertThat(e.err.lines()).hasSize(3).allMatch(l -> l.contains("could not be read"));
        // nothing was written next to them
        try (Stream<Path> files = Files.list(folder.resolve("old"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aReferenceIsABenchThatIsThere() throws Exception {
        benches(9, 9);
        Ended e = here("--reference", "http://127.0.0.1:9000");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().asString().contains("127.0.0.1:9000", "127.0.0.1:18432");
        // all of them are the reference: nothing is left to be followed
        assertThat(here("--reference", "http://127.0.0.1:18432/x").code).isEqualTo(4);
    }

    @Test
    void nothingThereIsNoAnswer() throws Exception {
        assertThat(here().code).isEqualTo(4);
        Ended text =
                history(Files.writeString(folder.resolve("notes.txt"), "hello").toString());
        assertThat(text.code).isEqualTo(4);
        assertThat(text.out).contains("notes.txt: no JSON");
        Ended missing = history(folder.resolve("no-such").toString());
        assertThat(missing.code).isEqualTo(2);
        assertThat(missing.err.lines()).singleElement().asString().contains("no-such");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--metric=speed",
                "--since=yesterday",
                "--since=3x",
                "--since=-5d",
                "--since=",
                "--least=5",
                "--least=200%",
                "--since=99999999d"
            })
    void wrongArgumentsAreOneLine(String argument) throws Exception {
        benches(1, 1);
        Ended e = here(argument);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.lines()).hasSizeBetween(1, 2);
        assertThat(e.err).contains(argument.substring(0, argument.indexOf('=')));
    }

    /** Journal and JSON of one run are the same run, wherever they lie. */
    @Test
    void aJournalAndItsJsonAreOneRun() throws Exception {
        JsonNode sample = json.readTree(Files.readString(SAMPLES.resolve("gate.json")));
        Plan plan = Json.mapper().treeToValue(sample.path("plan"), Plan.class);
        Path workspace = Files.createDirectories(folder.resolve("kept/.fettle"));
        RunRecord first;
        try (Journal journal = Journal.open(workspace.resolve("journal.db"))) {
            for (int i = 0; i < 12; i++) {
                RunRecord run = journal.begin(
                        "gate",
                        Path.of(""),
                        "",
                        plan,
                        Map.of("cpuModel", "AMD EPYC", "cpus", "2", "memory", "23.5 GiB"),
                        START.plus(Duration.ofDays(i)));
                journal.conclude(run.id(), conclusion(i < 6 ? 1e-5 : 1.1e-5));
            }
            journal.begin("gate", Path.of(""), "", plan, Map.of(), START);
            journal.begin("tune", Path.of(""), "", plan, Map.of(), START);
            first = journal.find("1").orElseThrow();
        }
        // the folder's own reports are the journal's
        Files.createDirectories(workspace.resolve("runs/x"));
        Files.writeString(workspace.resolve("runs/x/report.json"), sample.toString());
        ObjectNode copy = sample.deepCopy();
        copy.put("runId", first.id()).put("started", first.started().toString());
        Files.writeString(folder.resolve("kept/copy.json"), copy.toString());

        JsonNode d = json.readTree(here("--json").out);
        assertThat(d.path("series")).hasSize(1);
        assertThat(d.at("/series/0/runs")).hasSize(12);
        assertThat(d.path("foundTwice").asInt()).isEqualTo(1);
        assertThat(d.at("/leftOut/a tune").asInt()).isEqualTo(1);
        assertThat(d.at("/leftOut/not finished").asInt()).isEqualTo(1);
        assertThat(d.path("notRead")).isEmpty();
        assertThat(d.at("/series/0/metrics/0/changes/0/run").asInt()).isEqualTo(6);
        assertThat(d.at("/series/0/runs/0/reference").asText()).isEqualTo("SHA-256 9cfd58a809b6");
    }

    private static GateConclusion conclusion(double head) {
        return new GateConclusion(
                "No worse",
                GateConclusion.Result.NO_WORSE,
                false,
                List.of(new GateConclusion.Measured(
                        GateMetric.CPU,
                        true,
                        Answer.NO_WORSE,
                        0.03,
                        Interval.unbounded(head / 1e-5),
                        List.of(head / 1e-5),
                        OptionalFigure.of(1e-5),
                        OptionalFigure.of(head),
                        1,
                        Optional.empty(),
                        List.of(),
                        OptionalFigure.empty(),
                        OptionalFigure.empty(),
                        Optional.empty())),
                Optional.empty(),
                1,
                0,
                60,
                60,
                new GateConclusion.Side(1, 0),
                new GateConclusion.Side(1, 0),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of());
    }
}
