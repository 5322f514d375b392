package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import dev.fettle.report.text.Runs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plot says of itself. */
class PlotWordsTest {
    private static String page(RunReport run) {
        return new HtmlReport().render(run);
    }

    /** In the plot as in the table. */
    @Test
    void aRatioReadsTheSameEverywhere() {
        assertThat(page(Runs.tune())).contains("\"text\":\"+38.2 % [35.1, 41.0]\"", "\"text\":\"+36.0 %\"");
        assertThat(page(Runs.compare())).contains("\"text\":\"+0.5 % [-1.5, 2.6]\"");
    }

    @Test
    void whatElseMustShowAGainIsSaidOnce() {
        assertThat(page(Runs.tune())).contains("and the last half of the measuring alone shows a gain");
    }

    @Test
    void intervalsAreNamedWhereThereAreAny() {
        RunReport run = Runs.compare();
        var found = (CompareConclusion) run.conclusion().orElseThrow();
        String intervals = "Throughput per second, with 95\u00a0% intervals";
        assertThat(page(run)).contains(intervals, "Throughput of each variant with intervals");
        var once = found.conditions().stream()
                .map(c -> new CompareConclusion.Condition(
                        c.point(),
                        c.variants().stream().map(PlotWordsTest::once).toList(),
                        c.contrasts(),
                        c.layers()))
                .toList();
        var conclusion =
                new CompareConclusion(found.headline(), found.metric(), once, found.notes(), found.spike(), List.of());
        assertThat(page(Fixtures.run("compare", run.plan(), run.outcomes(), Optional.of(conclusion))))
                .contains("<figcaption>Throughput per second</figcaption>", "\"Throughput of each variant\"")
                .doesNotContain(intervals);
    }

    private static CompareConclusion.VariantResult once(CompareConclusion.VariantResult v) {
        return new CompareConclusion.VariantResult(
                v.name(),
                1,
                0,
                Interval.unbounded(v.throughput().estimate()),
                v.p50(),
                v.p99(),
                v.errorShare(),
                v.cpuMicrosPerRequest(),
                v.problems(),
                v.broken(),
                v.spike(),
                v.figure(),
                v.failed());
    }

    private static String ramp(Optional<String> left) {
        var steps = List.of(
                new DiagnoseConclusion.RampStep(1, 100, Optional.empty()),
                new DiagnoseConclusion.RampStep(2, 190, Optional.empty()),
                new DiagnoseConclusion.RampStep(2, 192, left),
                new DiagnoseConclusion.RampStep(1, 101, Optional.empty()));
        var ramp = new DiagnoseConclusion.Ramp(steps, Optional.empty(), "nothing was fitted");
        var found = new DiagnoseConclusion(
                DiagnoseConclusion.Result.NOTHING_FOUND,
                "Nothing found.",
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(ramp.words()),
                Optional.of(ramp),
                List.of(),
                List.of());
        return new HtmlReport().render(Fixtures.run("diagnose", Runs.tune().plan(), List.of(), Optional.of(found)));
    }

    @Test
    void aRampSaysWhetherAllItsMeasurementsAreInThePlot() {
        assertThat(ramp(Optional.empty()))
                .contains("<figcaption>Throughput over clients, each measured twice</figcaption>");
        assertThat(ramp(Optional.of("disturbed"))).contains("each measured twice, less what does not count<");
    }
}
