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
     * 4 threads by default, and 16 permits of 10 ms behind them, for 48 clients: 400/s by default, 1,600/s from 16 threads on.
     * That costs a fifth of a CPU, so a busy machine changes little of it, and a window holds so many answers that one more or
     * less does not make the warm-up longer.
     */
    private static final String PERMITS = """
        name: permits
        target:
          command: ["{java}", -Xmx128m, -XX:TieredStopAtLevel=1, "{jvm}", -cp, "%s", dev.fettle.cli.PermitServer,
                    "{port}", "16", "10", ["{threads.max}"]]
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
        int stalls;
        Fettle.Ended run;
        try (var machine = new Stalls()) {
            run = fettle.run("tune", plan.toString(), "--json");
            stalls = machine.seen();
        }
        String all = run.out() + run.err();
        JsonNode tune = json.readTree(run.out()).path("conclusion");
        int winner = tune.path("winner").path("threads.max").asInt();
        boolean disturbed = tune.at("/proof/disturbed").asBoolean() || stalls > 0;
        if (!disturbed) {
            // fewer than 16 hold throughput down, more than 48 clients can't use
            assertThat(winner).as(all).isBetween(14, 48);
            assertThat(tune.at("/ratio/estimate").asDouble()).as(all).isBetween(3.0, 4.6);
        }
        if (!disturbed || tune.path("result").asText().equalsIgnoreCase("improved")) {
            assertThat(tune.path("result").asText()).as(all).isEqualToIgnoringCase("improved");
            double truth = Math.min(winner, 16) / 4.0;
            assertThat(truth).as(all).isGreaterThan(1);
            assertThat(tune.at("/ratio/low").asDouble()).as(all).isLessThan(1.2 * truth);
            assertThat(tune.at("/ratio/high").asDouble()).as(all).isGreaterThan(truth / 1.2);
        } else {
            // a machine that is busy or stands still: it claims nothing
            assertThat(tune.path("headline").asText())
                    .as(all)
                    .matches("(?s)(No improvement shown|Not tried|The default gave no).*");
        }

        List<TrialOutcome> duel;
        try (Journal journal = Journal.open(folder.resolve(".fettle/journal.db"))) {
            duel = journal.trials(journal.runs().getFirst().id()).stream()
                    .filter(t -> t.spec().phase() == TrialSpec.Phase.DUEL)
                    .filter(t -> t.evidence().isPresent())
                    .toList();
        }
        assertThat(disturbed || !duel.isEmpty()).as(all).isTrue();
        assertThat(duel)
                .allSatisfy(t ->
                        assertThat(t.evidence().orElseThrow().facts()).containsEntry(PairSlices.SIDE_BY_SIDE, "true"));
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }
}
