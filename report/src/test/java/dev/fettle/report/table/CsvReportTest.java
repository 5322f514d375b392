package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Fixtures;
import dev.fettle.report.text.Runs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CsvReportTest {
    @Test
    void aRowATrialAndAColumnAKnob() {
        String csv = CsvReport.of(Runs.tune());
        var lines = csv.lines().toList();
        assertThat(lines).hasSize(1 + 17);
        assertThat(lines.getFirst())
                .contains("trial,phase,block", "set.threads.max", "effective.threads.max", "p99_ms");
        assertThat(lines.get(1))
                .startsWith("1,baseline,0,baseline,tomcat/login,2026-11-21T14:03:18Z,true,,300,true,1024,");
        assertThat(lines.get(6)).contains("false,\"steal: steal was 7.2 %, at most 3 % is allowed");
        assertThat(csv).contains("\r\n");
        long columns = lines.getFirst().chars().filter(c -> c == ',').count();
        assertThat(lines.get(1).chars().filter(c -> c == ',').count()).isEqualTo(columns);
    }

    @Test
    void textIsQuotedAndNoFormulaRuns() {
        var spec = Fixtures.spec(
                Phase.SEARCH, "=HYPERLINK(\"x\")", Map.of("load.path", "/a,b"), 0, Setting.of("threads.max", "-1"));
        var o = Fixtures.failed(1, spec, TrialOutcome.Kind.DIED, "two\nlines");
        String csv = CsvReport.of(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()));
        assertThat(csv)
                .contains("\"'=HYPERLINK(\"\"x\"\")\"", "\"/a,b\"", ",-1,")
                .contains("died: two\nlines");
    }
}
