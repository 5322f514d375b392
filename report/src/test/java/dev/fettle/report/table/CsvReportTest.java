package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
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
    void theCapacityThatATrialFoundHasAColumn() {
        var lines = CsvReport.of(Runs.capacity()).lines().toList();
        assertThat(lines.getFirst()).endsWith(",load_average,capacity_per_second,lost,error_share");
        assertThat(lines.get(1)).endsWith(",4210,0,0");
        // the trial that was disturbed says nothing of it, and a trial of another objective did not look
        assertThat(lines.get(6)).endsWith(",,0,0");
        assertThat(CsvReport.of(Runs.tune()).lines().skip(1)).allMatch(l -> l.endsWith(",,0,0") || l.endsWith(",,,"));
    }

    /** Of a server that hangs: no request has failed. */
    @Test
    void whatWasLostHasColumns() {
        var spec = Fixtures.spec(Phase.SEARCH, "v", Map.of(), 0, Setting.DEFAULT);
        var m = Fixtures.measurement(100, 10, 0.1, 1);
        var hung = m.withDetail(m.detail()
                .with()
                .offered(Optional.of(new Measurement.Offered(4000, 0, 2000, 1000)))
                .build());
        var o = Fixtures.valid(1, spec, hung, Map.of());
        assertThat(CsvReport.of(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()))
                        .lines()
                        .skip(1))
                .singleElement()
                .satisfies(l -> assertThat(l).endsWith(",3000,0.75"));
    }

    @Test
    void aServerThatMeetsTheSloAtNoRateHasACapacityOfZero() {
        var o = Runs.capacity().outcomes().getFirst();
        var none =
                new CapacitySeen(CapacitySeen.End.NO_RATE, 0, 0, 0, "even 50/s broke p99<=50ms", 5150, 5140, List.of());
        var trial = o.withMeasurement(o.measurement().map(m -> m.with(none)));
        var run = Fixtures.run("tune", Runs.capacity().plan(), List.of(trial), Optional.empty());
        assertThat(CsvReport.of(run).lines().skip(1))
                .singleElement()
                .satisfies(l -> assertThat(l).endsWith(",0,0,0"));
    }

    /** A spreadsheet would take 0 ms for the best of all. */
    @Test
    void aLatencyThatNobodyMeasuredIsEmpty() {
        var spec = Fixtures.spec(Phase.SEARCH, "v", Map.of(), 0, Setting.DEFAULT);
        var silent = Fixtures.measurement(100, 10, 0.1, 1)
                .with()
                .responses(0)
                .latency(LatencySummary.NONE)
                .connect(LatencySummary.NONE)
                .build();
        var o = Fixtures.voided(1, spec, silent, "nothing-measured", "0 valid responses");
        var lines = CsvReport.of(Fixtures.run("tune", Runs.tune().plan(), List.of(o), Optional.empty()))
                .lines()
                .toList();
        List<String> names = List.of(lines.getFirst().split(",", -1));
        List<String> values = List.of(lines.get(1).split(",", -1));
        for (String name : List.of("p50_ms", "p90_ms", "p99_ms", "p999_ms", "max_ms", "connect_p99_ms")) {
            assertThat(values.get(names.indexOf(name))).as(name).isEmpty();
        }
        assertThat(values.get(names.indexOf("responses"))).isEqualTo("0");
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
