package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.cli.Fettle.Ended;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.lab.journal.Journal;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole runs of the command on a real server of which the answer is known. No other tests run at the same time, and what others do to
 * this machine is waited for: nothing that is asked here depends on it.
 */
class KnownAnswersTest {
    /** What a request holds a thread for, and a permit. */
    private static final int MILLIS = 10;

    /** Threads as the knob says, 4 by default. That costs a fifth of a CPU, and a window holds so many answers that one more or less is nothing. */
    private static final String SERVER = """
        target:
          command: ["{java}", -Xmx128m, -XX:TieredStopAtLevel=1, "{jvm}", -cp, "%s", dev.fettle.cli.PermitServer,
                    "{port}", "PERMITS", "%d", ["{threads.max}"]]
          workers: worker-
          defaults: {threads.max: 4}
        """.formatted(System.getProperty("java.class.path"), MILLIS);

    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();
    private Fettle fettle;

    @BeforeEach
    void start() {
        fettle = new Fettle(folder);
    }

    /**
     * A run.
     *
     * @param all its progress and its conclusion, to be shown where a figure is another one
     */
    private record Ran(int code, JsonNode json, String all) {}

    private Ran run(String command, int permits, String plan) throws Exception {
        Path file = fettle.write("p.yaml", SERVER.replace("PERMITS", Integer.toString(permits)) + plan);
        Ran ran = Calmly.measured(
                () -> {
                    Ended ended = fettle.run(command, file.toString(), "--json");
                    // nothing of it is left, however it went
                    assertThat(Fettle.processesNaming(folder)).isEmpty();
                    JsonNode result = json.readTree(ended.out());
                    String all = ended.err() + result.path("conclusion").toPrettyString();
                    return new Ran(ended.code(), result, all);
                },
                KnownAnswersTest::disturbed);
        assertThat(ran.code).as(ran.all).isEqualTo(ExitCodes.OK);
        return ran;
    }

    /**
     * A disturbed trial that has no other in its place: Fettle repeats one by itself, as a user's, so all of the run need not be
     * repeated for it.
     */
    private static Optional<String> disturbed(Ran ran) {
        Set<List<String>> valid = new HashSet<>();
        Map<List<String>, String> disturbed = new HashMap<>();
        for (JsonNode trial : ran.json.path("trials")) {
            List<String> place = Stream.of("phase", "block", "variant", "setting")
                    .map(key -> trial.path(key).toString())
                    .toList();
            if (trial.path("valid").asBoolean()) {
                valid.add(place);
            }
            for (JsonNode reason : trial.path("voidReasons")) {
                if (reason.path("rule").asText().equals(GateRules.DISTURBED)) {
                    disturbed.put(place, reason.path("message").asText());
                }
            }
        }
        disturbed.keySet().removeAll(valid);
        return disturbed.values().stream().findFirst();
    }

    /** 8 threads give 800/s. With 65 the server does not start. It can be shown, listed and reported, without its secrets. */
    @Test
    void aSweepFindsWhatThreadsGiveAndWhatCrashes() throws Exception {
        Ran ran = run("sweep", 64, """
            name: threads
            load: {connections: 16, warm-up: 10s, measure: 1s, expect: {contains: fine},
                   request: {headers: {Authorization: "Bearer hunter2hunter2"}}}
            sweep: {grid: {threads.max: [8, 65]}, repeats: 1}
            """);
        JsonNode cells = ran.json.at("/conclusion/cells");
        assertThat(cells).hasSize(2);
        assertThat(perSecond(cells, "8")).as(ran.all).isBetween(680.0, 808.0);
        JsonNode crashed = cell(cells, "65");
        assertThat(crashed.path("trials").asInt()).as(ran.all).isZero();
        assertThat(crashed.path("problems").toString()).as(ran.all).isNotEqualTo("[]");
        assertThat(ran.json.at("/conclusion/headline").asText()).startsWith("Best: threads.max=8");

        assertThat(fettle.here("runs").out()).contains("threads-1").contains("sweep");
        JsonNode shown = json.readTree(fettle.here("show", "latest", "--json").out());
        assertThat(shown.at("/conclusion/cells")).isEqualTo(cells);
        Path page = folder.resolve("r.html");
        assertThat(fettle.here("report", "latest", "--out", page.toString()).code())
                .isZero();
        assertThat(page).content().contains("<html").contains("threads.max");
        Path nowhere = folder.resolve("none/r.html");
        assertThat(fettle.here("report", "latest", "--out", nowhere.toString()).err())
                .endsWith("fettle: " + nowhere + " can't be written: there is no folder " + nowhere.getParent() + "\n");
        assertThat(folder.resolve(".fettle/runs/threads-1/trials.csv")).exists();
        Files.delete(folder.resolve("p.yaml"));
        noFileHolds("hunter2");
    }

    private static JsonNode cell(JsonNode cells, String threads) {
        for (JsonNode c : cells) {
            if (c.at("/point/threads.max").asText().equals(threads)) {
                return c;
            }
        }
        throw new AssertionError("no " + threads + " in " + cells);
    }

    private static double perSecond(JsonNode cells, String threads) {
        JsonNode cell = cell(cells, threads);
        assertThat(cell.path("trials").asInt()).as(cell.toString()).isEqualTo(1);
        JsonNode figure = cell.path("throughputPerSecond");
        return figure.isNumber() ? figure.asDouble() : figure.path("estimate").asDouble();
    }

    private void noFileHolds(String secret) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(f, StandardCharsets.ISO_8859_1))
                        .as(f.toString())
                        .doesNotContain(secret);
            }
        }
    }

    /**
     * 40 clients who pause for 100 ms: with 2 threads they get 200/s, as the server gives; with 64 threads 364/s, which is what their
     * pauses leave, and that is said.
     */
    @Tag("long")
    @Test
    void aComparisonFindsTheRatioAndSaysThatThinkTimeSetTheThroughput() throws Exception {
        Ran ran = run("compare", 64, """
            name: pauses
            load: {connections: 40, think: 100ms, warm-up: 10s, measure: 2s, expect: {contains: fine}}
            compare:
              pairs: 2
              variants:
                few: {set: {threads.max: 2}}
                many: {set: {threads.max: 64}}
            """);
        JsonNode contrast = ran.json.at("/conclusion/conditions/0/contrasts/0");
        double ratio = contrast.at("/ratio/estimate").asDouble();
        boolean manyFirst = contrast.path("a").asText().equals("many");
        assertThat(manyFirst ? ratio : 1 / ratio).as(ran.all).isBetween(1.6, 2.1);
        int valid = 0;
        for (JsonNode trial : ran.json.path("trials")) {
            if (!trial.path("valid").asBoolean()) {
                continue; // what was disturbed is repeated
            }
            valid++;
            boolean many = trial.at("/variant").asText().equals("many");
            assertThat(trial.at("/measurement/throughputPerSecond").asDouble())
                    .as(ran.all)
                    .isBetween(many ? 310.0 : 170.0, many ? 380.0 : 202.0);
            assertThat(trial.path("advisories").findValuesAsText("rule").contains("think-time"))
                    .as(ran.all)
                    .isEqualTo(many);
        }
        assertThat(valid).as(ran.all).isEqualTo(4);
        assertThat(ran.json.at("/conclusion/notes").toString()).contains("judge by latency");
        Path page = folder.resolve("r.html");
        fettle.here("report", "latest", "--out", page.toString());
        assertThat(page).content().contains("think-time");
    }

    /** Of minutes: 4 threads by default, and 16 permits behind them, for 48 clients: 400/s by default, 1,600/s from 16 threads on. */
    @Tag("long")
    @Test
    void aTuneFindsTheKnownBestAndProvesIt() throws Exception {
        Ran ran = run("tune", 16, """
            name: permits
            load: {connections: 48, warm-up: 10s, measure: 2s, timeout: 30s, expect: {contains: fine}}
            knobs: {threads.max: {from: 2, to: 64}}
            budget: {trials: 3, pairs: 3, time: 5m}
            """);
        JsonNode tune = ran.json.path("conclusion");
        assertThat(tune.path("result").asText()).as(ran.all).isEqualToIgnoringCase("improved");
        // fewer than 16 hold throughput down, more than 48 clients can't use
        int winner = tune.at("/winner/threads.max").asInt();
        assertThat(winner).as(ran.all).isBetween(14, 48);
        double truth = Math.min(winner, 16) / 4.0;
        assertThat(tune.at("/ratio/estimate").asDouble()).as(ran.all).isBetween(0.85 * truth, 1.15 * truth);
        assertThat(tune.at("/ratio/low").asDouble()).as(ran.all).isBetween(1.0, 1.05 * truth);

        try (Journal journal = Journal.open(folder.resolve(".fettle/journal.db"))) {
            List<TrialOutcome> duel = journal.trials(journal.runs().getFirst().id()).stream()
                    .filter(t -> t.spec().phase() == TrialSpec.Phase.DUEL)
                    .filter(t -> t.evidence().isPresent())
                    .toList();
            assertThat(duel)
                    .hasSizeGreaterThanOrEqualTo(6)
                    .allSatisfy(t -> assertThat(
                                    t.evidence().orElseThrow().conditions().pair())
                            .hasValueSatisfying(p -> assertThat(p.sideBySide()).isTrue()));
        }
    }
}
