package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateAsked.WhenUnsure;
import dev.fettle.report.RunReport;
import dev.fettle.report.text.Runs;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class GateJunitTest {
    private static RunReport run(Result result, WhenUnsure unsure) {
        RunReport run = Runs.all().get("gate");
        var found = (GateConclusion) run.conclusion().orElseThrow();
        var asked = new GateAsked(Duration.ofMinutes(10), Map.of(), false, false, unsure, "old.jar", "new.jar");
        return new RunReport(
                run.runId(),
                run.kind(),
                run.plan().withGate(Optional.of(asked)),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.of(found.with().result(result).build()),
                true);
    }

    private static Element suite(RunReport run) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(GateJunit.of(run).getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    /** What a case came to, by its name. */
    private static String of(Element suite, String name) {
        var cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            var one = (Element) cases.item(i);
            if (one.getAttribute("name").equals(name)) {
                for (String kind : List.of("failure", "error", "skipped")) {
                    if (one.getElementsByTagName(kind).getLength() > 0) {
                        return kind;
                    }
                }
                return "passed";
            }
        }
        return "missing";
    }

    @ParameterizedTest
    @CsvSource({
        "NO_WORSE, SAYS, passed",
        "WORSE, PASSES, failure",
        "CANT_TELL, SAYS, skipped",
        "CANT_TELL, WARNS, skipped",
        "CANT_TELL, FAILS, failure",
        "NOT_VALID, PASSES, error"
    })
    void theAnswerIsACaseOfItsOwn(Result result, WhenUnsure unsure, String kind) throws Exception {
        assertThat(of(suite(run(result, unsure)), "no worse")).isEqualTo(kind);
    }

    @Test
    void eachMetricThatWasObservedIsACase() throws Exception {
        Element suite = suite(run(Result.WORSE, WhenUnsure.SAYS));
        assertThat(of(suite, "CPU per request")).isEqualTo("failure");
        assertThat(of(suite, "errors")).isEqualTo("passed");
        assertThat(of(suite, "throughput")).isEqualTo("skipped");
        assertThat(of(suite, "memory after GC")).isEqualTo("missing");
        assertThat(of(suite, "same answers")).isEqualTo("skipped");
        assertThat(of(suite, "stays up")).isEqualTo("failure");
        var counts = new ArrayList<String>();
        for (String name : List.of("tests", "failures", "errors", "skipped")) {
            counts.add(suite.getAttribute(name));
        }
        assertThat(counts).containsExactly("6", "3", "0", "2");
    }

    @Test
    void anotherRunIsNone() {
        assertThatThrownBy(() -> GateJunit.of(Runs.all().get("tune"))).isInstanceOf(IllegalArgumentException.class);
    }
}
