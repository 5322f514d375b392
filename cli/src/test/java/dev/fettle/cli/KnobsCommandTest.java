package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.model.knob.Knobs;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobsCommandTest {
    private static Ended knobs(String... arguments) {
        return Ended.of(Stream.concat(Stream.of("knobs"), Stream.of(arguments)).toList());
    }

    /** To write it anew: {@code fettle knobs --markdown > docs/knobs.md}. */
    @Test
    void thePageIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/knobs.md")))
                .as("docs/knobs.md; write it anew with: fettle knobs --markdown > docs/knobs.md")
                .isEqualTo(knobs("--markdown").out);
    }

    @Test
    void allOfThemAreListed() {
        assertThat(knobs().out).contains(Knobs.names());
        assertThat(knobs("jetty").out)
                .contains("threads.acceptors", "ServerConnector.", "-XX:MaxGCPauseMil", "jvm.heap", "process.nofile")
                .doesNotContain("keepalive.requests");
    }

    @Test
    void oneIsShownInFull() {
        assertThat(knobs("tomcat", "threads.max").out)
                .contains(
                        "maxThreads", "200", "Connector@maxThreads", "server.tomcat.threads.max", "live", "1 to 20000")
                .doesNotContain("Jetty\n");
        assertThat(knobs("keepalive.requests").out).contains("Tomcat", "not there: Jetty never closes");
        assertThat(knobs("jvm.headers.compact").out).contains("UseCompactObjectHeaders", "24 and newer");
        assertThat(knobs("process.nofile").out).contains("prlimit", "LimitNOFILE");
    }

    /** A value that tests use is nobody's business. */
    @Test
    void theJsonHasWhatAKnobIsOnly() throws Exception {
        JsonNode tomcat = new ObjectMapper()
                .readTree(knobs("threads.max", "--json").out)
                .path("natives")
                .path("TOMCAT");
        assertThat(tomcat.path("name").asText()).isNotEmpty();
        assertThat(tomcat.has("trial")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"maxThreads, threads.max", "acceptCount, backlog", "MaxGCPauseMillis, jvm.gc.pause"})
    void nativeNamesAreUnderstood(String own, String common) {
        assertThat(knobs(own).out).startsWith(common + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "thread.max, did you mean 'threads.max'",
        "wildfly, unknown knob or server",
        "server, 'server: [tomcat, jetty, undertow] lets a tune choose'",
        "tomcat jetty, one server and one knob",
        "backlog queue.max, one server and one knob",
        "--markdown backlog, leave out 'backlog'",
        "--markdown --json, leave out --json"
    })
    void mistakesAreOneLine(String words, String said) {
        Ended e = knobs(words.split(" "));
        assertThat(e.code).isEqualTo(ExitCodes.USAGE);
        assertThat(e.err.lines()).hasSize(1);
        assertThat(e.err).contains(said);
    }

    @Test
    void jsonHasEveryFact() throws Exception {
        JsonNode all = new ObjectMapper().readTree(knobs("undertow", "--json").out);
        assertThat(all.findValuesAsText("name"))
                .contains("threads.max", "jvm.gc")
                .doesNotContain("keepalive.requests");
        JsonNode one = new ObjectMapper().readTree(knobs("backlog", "--json").out);
        assertThat(one.at("/natives/TOMCAT/name").asText()).isEqualTo("acceptCount");
        assertThat(one.get("max").asInt()).isEqualTo(65_535);
    }
}
