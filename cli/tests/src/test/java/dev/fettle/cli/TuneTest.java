package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.trials.PairSlices;
import dev.fettle.lab.journal.Journal;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A whole tune of a real server whose best setting is known. */
@Isolated("what others take from the CPUs makes trials void, and a run longer")
class TuneTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    /**
     * 4 threads by default, and 16 permits of 20 ms behind them, for 48 clients: 200/s by default, 800/s from 16 threads on.
     * That costs some percent of a CPU, so a busy machine changes little of it, and a window holds so many answers that one more or
     * less does not make the warm-up longer.
     */
    private static final String PERMITS = """
            name: permits
            target:
              command: ["{java}", -Xmx128m, -XX:TieredStopAtLevel=1, "{jvm}", -cp, "%s", dev.fettle.cli.PermitServer,
                        "{port}", "16", "20", ["{threads.max}"]]
              workers: worker-
              defaults: {threads.max: 4}
            load: {connections: 48, warm-up: 10s, measure: 2s, timeout: 30s, expect: {contains: fine}}
            knobs: {threads.max: {from: 2, to: 64}}
            budget: {trials: 4, pairs: 3, time: 5m}
            """;

    @Test
    void theKnownBestIsFoundAndProved() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", PERMITS.formatted(System.getProperty("java.class.path")));
        var run = fettle.run("tune", plan.toString(), "--json");
        String all = run.out() + run.err();
        JsonNode tune = json.readTree(run.out()).path("conclusion");
        // fewer than 16 hold throughput down, more than 48 clients can't use
        assertThat(tune.path("winner").path("threads.max").asInt()).as(all).isBetween(14, 48);
        double ratio = tune.path("ratio").path("estimate").asDouble();
        boolean disturbed = tune.at("/proof/disturbed").asBoolean();
        assertThat(ratio).as(all).isBetween(disturbed ? 1.5 : 3.0, disturbed ? 9.0 : 4.6);
        if (disturbed && tune.path("result").asText().equals("no_improvement_shown")) {
            // other programs took most of both CPUs: it says that the interval is too wide, and nothing else is missing
            assertThat(tune.at("/missing").findValuesAsText("missing")).as(all).containsExactly("interval");
        } else {
            assertThat(tune.path("result").asText()).as(all).isEqualToIgnoringCase("improved");
        }

        List<TrialOutcome> duel;
        try (Journal journal = Journal.open(folder.resolve(".fettle/journal.db"))) {
            duel = journal.trials(journal.runs().getFirst().id()).stream()
                    .filter(t -> t.spec().phase() == TrialSpec.Phase.DUEL)
                    .filter(t -> t.evidence().isPresent())
                    .toList();
        }
        assertThat(duel)
                .isNotEmpty()
                .allSatisfy(t ->
                        assertThat(t.evidence().orElseThrow().facts()).containsEntry(PairSlices.SIDE_BY_SIDE, "true"));
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }
}
