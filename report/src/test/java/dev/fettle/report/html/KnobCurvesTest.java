package dev.fettle.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.KnobCurves;
import dev.fettle.report.text.Runs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is plotted against a knob where the objective is not throughput. */
class KnobCurvesTest {
    /** The closed load's throughput is the same everywhere. */
    private static final double THROUGHPUT = 5150;

    private static final Plan PLAN = Runs.capacity().plan();

    private static Setting threads(int most) {
        return Setting.of("threads.max", Integer.toString(most));
    }

    private static TrialOutcome trial(int ordinal, Phase phase, int threads, double capacity) {
        var spec = Fixtures.spec(phase, "candidate", Map.of(), 0, threads(threads));
        return Runs.searched(
                Fixtures.valid(ordinal, spec, Fixtures.measurement(THROUGHPUT, 60, 0.1, ordinal), Map.of()), capacity);
    }

    private static Candidate candidate(int threads, int trials, OptionalFigure capacity) {
        return candidate(threads(threads), trials, capacity);
    }

    private static Candidate candidate(Setting setting, int trials, OptionalFigure capacity) {
        return new Candidate(
                Fixtures.HOLD.with(setting),
                trials,
                0,
                Interval.unbounded(THROUGHPUT),
                60_000_000,
                0,
                true,
                "log-spaced",
                Optional.empty(),
                Optional.empty(),
                capacity,
                OptionalFigure.empty());
    }

    private static RunReport tune(List<Candidate> candidates, TrialOutcome... trials) {
        return tune(PLAN, candidates, trials);
    }

    private static RunReport tune(Plan plan, List<Candidate> candidates, TrialOutcome... trials) {
        var t = (TuneConclusion) Runs.capacity().conclusion().orElseThrow();
        return Fixtures.run("tune", plan, List.of(trials), Optional.of(Runs.with(t, candidates)));
    }

    private static KnobCurves.Curve only(RunReport run) {
        var curves = KnobCurves.of(run, (TuneConclusion) run.conclusion().orElseThrow());
        assertThat(curves).hasSize(1);
        return curves.getFirst();
    }

    private static List<Interval> figures(KnobCurves.Curve curve) {
        return curve.series().getFirst().points().stream()
                .map(KnobCurves.Point::figure)
                .toList();
    }

    @Test
    void aTuneForCapacityPlotsCapacityWithTheSpreadOfItsTrials() {
        double mean = Math.sqrt(4000.0 * 4400);
        RunReport run = tune(
                List.of(
                        candidate(318, 1, OptionalFigure.of(4900)),
                        candidate(100, 2, OptionalFigure.of(mean)),
                        candidate(25, 1, OptionalFigure.empty()),
                        candidate(10, 2, OptionalFigure.of(700))),
                trial(1, Phase.SEARCH, 100, 4000),
                trial(2, Phase.RACE, 100, 4400),
                trial(3, Phase.SEARCH, 318, 4900),
                trial(4, Phase.DUEL, 318, 4800),
                trial(5, Phase.SEARCH, 10, 700));
        var curve = only(run);
        assertThat(curve.judged().metric()).isEqualTo(Metric.CAPACITY);
        // the one whose capacity is not known is left out
        assertThat(curve.series().getFirst().points())
                .extracting(KnobCurves.Point::x)
                .containsExactly("10", "100", "318");
        List<Interval> figures = figures(curve);
        assertThat(figures).extracting(Interval::estimate).containsExactly(700.0, mean, 4900.0);
        // Student's t with one degree of freedom on the logs, whose standard error is half of their distance
        assertThat(figures.get(1).low()).isCloseTo(mean * Math.pow(1.1, -12.706 / 2), within(1.0));
        assertThat(figures.get(1).high()).isCloseTo(mean * Math.pow(1.1, 12.706 / 2), within(1.0));
        // one trial of the search; the duel's is another; and where not all trials are known there is no interval
        // either
        assertThat(figures.get(2).bounded()).isFalse();
        assertThat(figures.get(0).bounded()).isFalse();

        String page = new HtmlReport().render(run);
        assertThat(page)
                .contains("\"own\":\"capacity\"", "Capacity, with 95\u00a0% intervals", "Capacity against threads.max")
                .contains("Latency of the closed load: p50 and p99")
                .doesNotContain("Throughput against");
    }

    @Test
    void aSettingThatOnceMetTheSloAtNoRateHasNoInterval() {
        RunReport run = tune(
                List.of(
                        candidate(100, 2, OptionalFigure.of(Math.sqrt(4000 * 1e-9))),
                        candidate(318, 1, OptionalFigure.of(4900))),
                trial(1, Phase.SEARCH, 100, 4000),
                trial(2, Phase.RACE, 100, 0),
                trial(3, Phase.SEARCH, 318, 4900));
        assertThat(figures(only(run))).noneMatch(Interval::bounded);
        assertThat(new HtmlReport().render(run)).doesNotContain("with 95\u00a0% intervals", "one trial each");
    }

    @Test
    void withoutAFigureItIsThroughputAsInOlderJournals() {
        RunReport run = tune(
                List.of(candidate(100, 1, OptionalFigure.empty()), candidate(318, 1, OptionalFigure.empty())),
                trial(1, Phase.SEARCH, 100, 4000),
                trial(2, Phase.SEARCH, 318, 4900));
        var curve = only(run);
        assertThat(curve.judged().metric()).isEqualTo(Metric.THROUGHPUT);
        assertThat(figures(curve)).extracting(Interval::estimate).containsOnly(THROUGHPUT);
        assertThat(new HtmlReport().render(run)).contains("Throughput against threads.max");
    }

    @Test
    void aSweepForCapacityPlotsCapacity() {
        RunReport sweep = Runs.sweep1();
        var s = (SweepConclusion) sweep.conclusion().orElseThrow();
        var cells = s.cells().stream()
                .map(c -> Runs.cell(c, OptionalFigure.of(1000), c.broken()))
                .toList();
        List<TrialOutcome> trials = sweep.outcomes().stream()
                .map(o -> Runs.searched(o, o.ordinal() % 2 == 0 ? 990 : 1010))
                .toList();
        RunReport run = Fixtures.run(
                "sweep",
                PLAN,
                trials,
                Optional.of(new SweepConclusion(s.headline(), s.grid(), cells, s.scaling(), s.notes(), List.of())));
        var curves = KnobCurves.of(run, (SweepConclusion) run.conclusion().orElseThrow());
        assertThat(curves).hasSize(1);
        assertThat(curves.getFirst().judged().metric()).isEqualTo(Metric.CAPACITY);
        assertThat(figures(curves.getFirst())).hasSize(7).allSatisfy(i -> {
            assertThat(i.estimate()).isEqualTo(1000);
            assertThat(i.bounded()).isTrue();
            assertThat(i.contains(1010)).isTrue();
        });
        assertThat(new HtmlReport().render(run)).contains("\"own\":\"capacity\"", "Capacity, with 95\u00a0% intervals");
    }

    private static List<String> along(RunReport run, String knob) {
        return KnobCurves.of(run, (TuneConclusion) run.conclusion().orElseThrow()).stream()
                .filter(c -> c.name().equals(knob))
                .flatMap(c -> c.series().getFirst().points().stream())
                .map(p -> p.x() + " " + Math.round(p.figure().estimate()))
                .toList();
    }

    /** They come best first, and are drawn by value; those of one value stay best first. */
    @Test
    void aListedKnobIsDrawnInTheOrderOfItsValues() {
        RunReport run = Runs.listed();
        assertThat(along(run, "threads.max")).containsExactly("10 187", "50 935", "200 5190", "200 900", "800 4920");
        assertThat(along(run, "jvm.gc"))
                .containsExactly("serial 4920", "serial 187", "parallel 900", "g1 5190", "G1 935");
        var curve = KnobCurves.of(run, (TuneConclusion) run.conclusion().orElseThrow())
                .getFirst();
        assertThat(curve.numeric()).isFalse();
        assertThat(curve.categories()).containsExactly("10", "50", "200", "800");
    }

    /** @param choices of the plan; {@code 10..800} is an interval */
    @ParameterizedTest
    @CsvSource({
        "10 50 200 800, 200 800 100 10, 10 100 200 800",
        "512m 1g 2g, 2g 536870912 1g, 536870912 1g 2g",
        "100 1000 -1, -1 1000 100, 100 1000 -1",
        "a b, c b a d, a b c d",
        "10..800, 200 -1 800, -1 200 800"
    })
    void aKnobIsDrawnInTheOrderOfItsValues(String choices, String ranked, String drawn) {
        KnobRange range = choices.contains("..")
                ? KnobRange.interval("threads.max", 10, 800)
                : KnobRange.choices("threads.max", List.of(choices.split(" ")));
        List<Candidate> candidates = Stream.of(ranked.split(" "))
                .map(v -> candidate(Setting.of("threads.max", v), 1, OptionalFigure.of(1000)))
                .toList();
        RunReport run = tune(PLAN.withKnobs(List.of(range)), candidates);
        assertThat(only(run).series().getFirst().points())
                .extracting(KnobCurves.Point::x)
                .containsExactly(drawn.split(" "));
    }

    @Test
    void aRunForThroughputHasNoOtherAxis() {
        var curve = only(Runs.tune());
        assertThat(curve.judged().metric()).isEqualTo(Metric.THROUGHPUT);
        assertThat(new HtmlReport().render(Runs.tune())).contains("Throughput, with 95\u00a0% intervals");
    }
}
