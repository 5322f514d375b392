package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients who pause set the throughput: a whole comparison that says so. */
class ThinkTimeTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    /**
     * A published comparison of servers had clients who paused for half a second, so that 50 to 100 of them never gave more than 209
     * requests a second, whatever the server. So it is with 40 who pause for a tenth of a second, only that windows of half a
     * second are more even, and the warm-up is shorter.
     */
    @Test
    void thinkTimeThatSetsTheThroughputIsSaid() throws Exception {
        var fettle = Fettle.onOneCpu(folder, false);
        Path plan = fettle.write("p.yaml", """
            name: siege
            target: {server: undertow, app: hello, jvm: [-XX:TieredStopAtLevel=1]}
            load: {connections: 40, think: 100ms, warm-up: 10s, measure: 1s}
            compare:
              pairs: 2
              variants:
                undertow: {set: {threads.max: 200}}
                tomcat: {server: tomcat, set: {threads.max: 200}}
            """);
        JsonNode compared =
                json.readTree(fettle.run("compare", plan.toString(), "--json").out());
        boolean said = saysThinkTime(compared);
        assertThat(Fettle.processesNaming(folder)).isEmpty();
        fettle.run("report", "latest", "--out", folder.resolve("r.html").toString());
        if (said) {
            assertThat(folder.resolve("r.html")).content().contains("think-time");
        }
    }

    /**
     * However busy this machine was: each trial whose clients waited for less than a fifth of their time says so, and so does the
     * conclusion.
     */
    private static boolean saysThinkTime(JsonNode run) {
        assertThat(run.at("/trials")).isNotEmpty();
        int said = 0;
        for (JsonNode trial : run.at("/trials")) {
            if (trial.has("measurement")) {
                JsonNode m = trial.at("/measurement");
                double perSecond = m.at("/throughputPerSecond").asDouble();
                double waits = perSecond * m.at("/latency/meanMillis").asDouble() / 1e3 / 40;
                List<String> rules = trial.at("/advisories").findValuesAsText("rule");
                // 40 every 0.1 s, and once more where both ends are in what is measured: two slices of half a second
                assertThat(perSecond).isLessThan(490);
                if (waits < 0.15 && m.at("/failed").asLong() == 0) {
                    assertThat(rules).contains("think-time");
                }
                said += trial.at("/valid").asBoolean() && rules.contains("think-time") ? 1 : 0;
            }
        }
        assertThat(run.at("/conclusion/notes").toString().contains("judge by latency"))
                .isEqualTo(said > 0);
        return said > 0;
    }
}
