package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.Journal;
import dev.fettle.model.TrialOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole tunes of a real server whose best setting is known. */
class TuneTest {
    @TempDir
    Path folder;

    /**
     * 4 threads by default, 16 permits of 50 ms behind them: 80/s by default, 320/s from 16 threads on, for 48 clients. What that
     * costs in CPU time is some percent of a CPU.
     */
    private static final String PERMITS = """
            name: permits
            target:
              command: ["{java}", -Xmx128m, -XX:TieredStopAtLevel=1, "{jvm}", -cp, "%s", dev.fettle.cli.PermitServer,
                        "{port}", ["{threads.max}"], "16", "50"]
              workers: worker-
              defaults: {threads.max: 4}
            load: {connections: 48, warm-up: 10s, measure: 2s, timeout: 30s, expect: {contains: fine}}
            knobs: {threads.max: {from: 2, to: 64}}
            hold: {}
            budget: {trials: 8, pairs: 3, time: 7m}
            """;

    @Test
    void theKnownBestIsFoundAndShown() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", PERMITS.formatted(System.getProperty("java.class.path")));
        var run = fettle.run("tune", plan.toString(), "--json");
        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(result.findValue("result").asText()).as(run.out() + run.err()).isEqualToIgnoringCase("improved");
    }
}
