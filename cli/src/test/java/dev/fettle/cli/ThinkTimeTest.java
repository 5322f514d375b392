package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients who pause set the throughput: a whole comparison and a whole tune that say so. */
class ThinkTimeTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    /**
     * A published comparison of servers had clients who paused for half a second, so that 50 to 100 of them never gave more than 209
     * requests a second, whatever the server. A run of it says so, and does not call a setting better or worse by it: no setting is.
     */
    @Test
    void thinkTimeThatSetsTheThroughputIsSaidAndNoSettingIsCalledBetter() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", """
                name: siege
                target: {server: undertow, app: hello, jvm: [-XX:TieredStopAtLevel=1]}
                load: {connections: 50, think: 500ms, warm-up: 12s, measure: 1s}
                compare:
                  pairs: 2
                  variants:
                    undertow: {set: {threads.max: 200}}
                    tomcat: {server: tomcat, set: {threads.max: 200}}
                knobs: {threads.max: {from: 4, to: 200}}
                budget: {trials: 3, pairs: 3, time: 5m}
                """);
        JsonNode compared =
                json.readTree(fettle.run("compare", plan.toString(), "--json").out());
        sayThinkTime(compared);
        JsonNode tuned =
                json.readTree(fettle.run("tune", plan.toString(), "--json").out());
        assertThat(tuned.at("/conclusion/result").asText()).isNotEmpty().isNotEqualToIgnoringCase("improved");
        assertThat(Fettle.processesNaming(folder)).isEmpty();
        if (sayThinkTime(tuned)) {
            assertThat(tuned.at("/conclusion/headline").asText())
                    .contains("the clients' think time sets it")
                    .contains("Judge by latency");
            assertThat(fettle.run("show", "latest").out()).contains("think time");
        }
        fettle.run("report", "latest", "--out", folder.resolve("r.html").toString());
        assertThat(folder.resolve("r.html")).content().contains("think-time");
    }

    /**
     * However busy this machine was: each trial whose clients waited for less than a fifth of their time says so, and so does the
     * conclusion.
     *
     * @return whether no setting was better and all valid trials said it
     */
    private static boolean sayThinkTime(JsonNode run) {
        assertThat(run.at("/trials")).isNotEmpty();
        int valid = 0;
        int said = 0;
        for (JsonNode trial : run.at("/trials")) {
            if (trial.has("measurement")) {
                JsonNode m = trial.at("/measurement");
                double perSecond = m.at("/throughputPerSecond").asDouble();
                double waits = perSecond * m.at("/latency/meanMillis").asDouble() / 1e3 / 50;
                List<String> rules = trial.at("/advisories").findValuesAsText("rule");
                assertThat(perSecond).isLessThan(150);
                if (waits < 0.15 && m.at("/failed").asLong() == 0) {
                    assertThat(rules).contains("think-time");
                }
                valid += trial.at("/valid").asBoolean() ? 1 : 0;
                said += trial.at("/valid").asBoolean() && rules.contains("think-time") ? 1 : 0;
            }
        }
        assertThat(run.at("/conclusion/notes").toString().contains("judge by latency"))
                .isEqualTo(said > 0);
        return said > 0
                && said == valid
                && run.at("/conclusion/result").asText().equals("no_improvement_shown");
    }
}
