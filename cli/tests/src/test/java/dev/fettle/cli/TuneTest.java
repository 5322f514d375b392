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

/** A whole tune of a real server whose best setting is known. */
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

    /** A machine that stands still may leave a tune without an answer, but not each of these. */
    private static final int RUNS = 3;

    /**
     * A tune that has ended.
     *
     * @param all what it printed
     */
    private record Tuned(JsonNode conclusion, String all, boolean disturbed) {
        boolean improved() {
            return conclusion.path("result").asText().equalsIgnoreCase("improved");
        }

        /** Whether a candidate was held against the default in a duel, whatever came of it. */
        boolean judged() {
            return improved()
                    || conclusion.path("result").asText().equalsIgnoreCase("no_improvement_shown")
                            && conclusion.path("pairs").size() >= 3;
        }
    }

    private Tuned tune(Fettle fettle, Path plan) throws Exception {
        try (var machine = new Stalls()) {
            Fettle.Ended run = fettle.run("tune", plan.toString(), "--json", "--cold");
            JsonNode conclusion = json.readTree(run.out()).path("conclusion");
            boolean disturbed = conclusion.at("/proof/disturbed").asBoolean() || machine.seen() > 0;
            return new Tuned(conclusion, run.out() + run.err(), disturbed);
        }
    }

    @Test
    void theKnownBestIsFoundAndProved() throws Exception {
        var fettle = Fettle.onOneCpu(folder, true);
        Path plan = fettle.write("p.yaml", PERMITS.formatted(System.getProperty("java.class.path")));
        Tuned tuned = tune(fettle, plan);
        for (int n = 1; n < RUNS && !tuned.judged(); n++) {
            tuned = tune(fettle, plan);
        }
        String all = tuned.all();
        assertThat(tuned.judged()).as(all).isTrue();
        JsonNode tune = tuned.conclusion();
        int winner = tune.path("winner").path("threads.max").asInt();
        if (!tuned.disturbed()) {
            // fewer than 16 hold throughput down, more than 48 clients can't use
            assertThat(winner).as(all).isBetween(14, 48);
            assertThat(tune.at("/ratio/estimate").asDouble()).as(all).isBetween(3.0, 4.6);
        }
        if (!tuned.disturbed() || tuned.improved()) {
            assertThat(tuned.improved()).as(all).isTrue();
            double truth = Math.min(winner, 16) / 4.0;
            assertThat(truth).as(all).isGreaterThan(1);
            assertThat(tune.at("/ratio/low").asDouble()).as(all).isLessThan(1.2 * truth);
            assertThat(tune.at("/ratio/high").asDouble()).as(all).isGreaterThan(truth / 1.2);
        } else {
            // a machine that is busy or stands still: it claims nothing
            assertThat(tune.path("headline").asText()).as(all).startsWith("No improvement shown");
        }

        List<TrialOutcome> duel;
        try (Journal journal = Journal.open(folder.resolve(".fettle/journal.db"))) {
            duel = journal.trials(journal.runs().getFirst().id()).stream()
                    .filter(t -> t.spec().phase() == TrialSpec.Phase.DUEL)
                    .filter(t -> t.evidence().isPresent())
                    .toList();
        }
        assertThat(duel)
                .as(all)
                .isNotEmpty()
                .allSatisfy(t ->
                        assertThat(t.evidence().orElseThrow().facts()).containsEntry(PairSlices.SIDE_BY_SIDE, "true"));
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }
}
