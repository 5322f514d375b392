package dev.fettle.report.text;

import static dev.fettle.report.Fixtures.HOLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.report.Fixtures;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.html.HtmlReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextReportTest {
    private final TextReport plain = new TextReport(100, false);

    /** What is better and how sure, the proof pair by pair, why, and what to paste: on one screen, of each tune. */
    @ParameterizedTest
    @MethodSource("tunes")
    void theAnswerOfATuneFitsAScreen(String name) {
        RunReport run = Runs.all().get(name);
        String text = new TextReport(100, false, TextReport.Detail.ANSWER).report(run);
        assertThat(text.lines().count()).as(text).isLessThanOrEqualTo(40);
        assertThat(text).contains(run.conclusion().orElseThrow().headline().split(" ")[0]);
        assertThat(text).doesNotContain("Settings tried");
        var found = (TuneConclusion) run.conclusion().get();
        assertThat(text.contains("fettle show " + run.runId() + " --details"))
                .isEqualTo(!found.candidates().isEmpty());
    }

    static List<String> tunes() {
        return Runs.all().entrySet().stream()
                .filter(e -> e.getValue()
                        .conclusion()
                        .filter(c -> c instanceof TuneConclusion)
                        .isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    static Stream<String> names() {
        return Runs.all().keySet().stream();
    }

    /** That the default's limit is why it was slower takes a limit that the run shows, and a winner that changes just that. */
    @Test
    void theDefaultsLimitIsTheReasonOnlyWhereThatIsShown() {
        var tune = (TuneConclusion) Runs.tune().conclusion().orElseThrow();
        Explanation threads = tune.baselineWhy()
                .orElseThrow()
                .withLimit(Explanation.Limit.THREADS)
                .withSupport(Explanation.Support.SHOWN);
        String why = "Why the default was slower";
        String limits = "What limits the default";
        assertThat(Wording.ofDefault(tune, threads)).isEqualTo(why);
        assertThat(threads.shownThreadCeiling()).isEqualTo(threads.threadCeiling());
        for (Explanation e : List.of(
                threads.withSupport(Explanation.Support.CONSISTENT),
                threads.withLimit(Explanation.Limit.BEHIND_THREADS))) {
            assertThat(Wording.ofDefault(tune, e)).isEqualTo(limits);
            assertThat(e.shownThreadCeiling().optional()).isEmpty();
        }
        var another = tune.withWinner(tune.baseline().with("jvm.gc", "parallel"));
        assertThat(Wording.ofDefault(another, threads)).isEqualTo(limits);
        var none = tune.withResult(TuneConclusion.Result.NO_IMPROVEMENT_SHOWN);
        assertThat(Wording.ofDefault(none, threads)).isEqualTo(limits);
    }

    /** An upper bound is called that wherever it stands, and the trial is not called void. */
    @Test
    void aTrialThatWasEndedEarlyHasABound() {
        RunReport run = Runs.early();
        String text = plain.report(run);
        assertThat(text).contains("2 of them void, 1 ended early", "≤ 253/s", "ended early");
        TrialOutcome ended = run.outcomes().getLast();
        assertThat(plain.trialLine(ended, 18, HOLD).replaceAll("\\s+", " "))
                .contains(
                        "errors 0 % ended early surely-worse: ended early, after 8.50 s",
                        "after 8.50 s of load: at best 253/s, and below 3,460/s", "surely worse than the best so far")
                .doesNotContain("void");
        assertThat(run.voids()).doesNotContain(ended).hasSize(2);
        assertThat(run.valid()).doesNotContain(ended);
        assertThat(new HtmlReport().render(run))
                .contains("2 void, 1 ended early", "≤ 253/s", "1 trial was ended early, because");
    }

    @Test
    void whatOneMetricCostsInAnotherIsTheFrontAlone() {
        String text = plain.report(Runs.tune());
        String table = text.substring(text.indexOf("What throughput costs in resident memory"));
        table = table.substring(0, table.indexOf("Settings tried"));
        assertThat(table).contains("5,190/s", "298 MiB", "1,869/s", "230 MiB", "more than 9 %", "more than 12 %");
        assertThat(table).as("beaten in both").doesNotContain("339 MiB");
    }

    @Test
    void aCapacityHasItsOwnColumnAndNoP99OfClientsWhoAskForAllThereIs() {
        String text = new TextReport(160, false).report(Runs.capacity());
        assertThat(text)
                .contains("has 1.44 times the default's capacity", "at p99<=50ms,errors<=0.1% against 2,932/s")
                .containsPattern("capacity +\\+44")
                .contains("4,210/s", "2,930/s", "  capacity  ");
        String versus = text.substring(text.indexOf("Winner against default"), text.indexOf("The duel"));
        assertThat(versus).doesNotContain("p99 ");
        assertThat(new HtmlReport().render(Runs.capacity()))
                .contains("default capacity", "Capacity", "2,932/s → 4,212/s")
                .doesNotContain("Lowest capacity");
    }

    @Test
    void trialsInOneProcessAreNotCalledFresh() {
        RunReport run = Runs.tune(new Target.Running(17, Optional.empty(), true, false, Optional.empty()));
        assertThat(new TextReport(160, false).report(run))
                .contains("5 interleaved pairs in one JVM, process 17, which ran throughout")
                .doesNotContain("fresh");
        assertThat(new HtmlReport().render(run))
                .contains("in one JVM, process 17")
                .doesNotContain("fresh JVM");
    }

    /** Nine trials' notes that differ in their figures alone are one, and what nobody has to act on stands in the page. */
    @Test
    void whatTrialsNoteAlikeIsSaidOnce() {
        assertThat(TextReport.noted(Stream.of(
                        "read less often, as reading is expensive: sockets every 4 s",
                        "throughput swings by 4.5 % from one half second to another",
                        "the Executor stands behind its Connector",
                        "throughput swings by 12 % from one half second to another",
                        "the Executor stands behind its Connector",
                        "transport: io_uring")))
                .containsExactly(
                        "throughput swings by 4.5 % from one half second to another (and 1 more with other figures)",
                        "the Executor stands behind its Connector");
        assertThat(TextReport.noted(Stream.iterate("x", n -> n + "x").limit(20)))
                .hasSize(8)
                .endsWith("13 more are in the report's page");
    }

    /** Two pairs bound nothing: their own ratios stand where an interval of ten decades would. */
    @Test
    void anIntervalThatTellsNothingIsNotShown() {
        String text = plain.report(Runs.twoPairs());
        assertThat(text)
                .contains(
                        "+17.2 % (-4.0 %, +43.0 %)",
                        "-20.0 % (-30.0 %, -9.0 %)",
                        "2 interleaved pairs on fresh JVMs: their 95 % interval is too wide to show anything",
                        "last half of the measuring alone: +17.2 % (not known to within a factor of 10)")
                .doesNotContain("-95.8", "3185", "interval from");
        String page = new HtmlReport().render(Runs.twoPairs()).replace('\u00a0', ' ');
        assertThat(page)
                .contains(
                        "+17.2 % (-4.0 %, +43.0 %)",
                        "-4.0 % and +43.0 % in the two pairs",
                        "2 interleaved pairs on fresh JVMs: their 95 % interval is too wide to show anything",
                        "last half of the measuring alone: +17.2 % (not known to within a factor of 10)")
                .doesNotContain("[-95.8", "\"hi\":32.85");
    }

    @Test
    void aSweepShowsEachDimensionAndAMatrix() {
        String text = new TextReport(120, false).report(Runs.sweep2());
        assertThat(text)
                .contains("threads.max × keep-alive", "keep-alive false", "keep-alive true", "Every cell", "X·R/N");
        var cells = ((SweepConclusion) Runs.sweep2().conclusion().orElseThrow()).cells();
        assertThat(text).contains(Format.number(cells.getLast().throughput().estimate()));
    }

    @Test
    void anUnfinishedRunShowsItsTrials() {
        assertThat(plain.report(Runs.partial())).contains("not finished", "threads.max=318", "steal was 7.2 %");
        assertThat(plain.report(Runs.empty())).contains("no trial has ended yet");
        assertThat(plain.report(Runs.allFailed())).contains("never gave a valid trial");
    }

    @Test
    void aLatencyThatNobodyMeasuredIsNotZero() {
        var spec = Fixtures.spec(TrialSpec.Phase.SEARCH, "v", Map.of(), 0, Setting.DEFAULT);
        var silent = Fixtures.measurement(100, 10, 0.1, 1)
                .with()
                .responses(0)
                .latency(LatencySummary.NONE)
                .build();
        var o = Fixtures.voided(1, spec, silent, "nothing-measured", "0 valid responses");
        assertThat(new TextReport(100, false).trialLine(o, 1, HOLD).replaceAll(" +", " "))
                .contains("p50 – p99 – errors");
    }

    @Test
    void aTrialLineHasItsFiguresOrTheReason() {
        List<TrialOutcome> all = Runs.tune().outcomes();
        assertThat(plain.trialLine(all.get(0), 1, HOLD))
                .contains("baseline", "default", "3,740/s", "p50", "p99", "errors 0", "valid")
                .hasLineCount(1);
        assertThat(plain.trialLine(all.get(5), 6, HOLD))
                .contains("void", "steal: steal was 7.2 %")
                .doesNotContain("valid");
        assertThat(plain.trialLine(all.get(6), 7, HOLD)).contains("failed", "did not start: exited with 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 160})
    void aTrialLineFitsTheTerminal(int width) {
        for (TrialOutcome o : Runs.tune().outcomes()) {
            new TextReport(width, false)
                    .trialLine(o, o.ordinal(), HOLD)
                    .lines()
                    .forEach(l -> assertThat(l.length()).as(l).isLessThanOrEqualTo(Math.max(width, 73)));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void tablesFitTheTerminal(String name) {
        new TextReport(80, false)
                .report(Runs.all().get(name))
                .lines()
                .filter(l -> !l.contains("<!--") && !l.startsWith("  # "))
                .forEach(l -> assertThat(l.length()).as(l).isLessThanOrEqualTo(88));
    }

    @ParameterizedTest
    @MethodSource("names")
    void colourAddsEscapesAndPlainHasNone(String name) {
        String coloured = new TextReport(100, true).report(Runs.all().get(name));
        String text = plain.report(Runs.all().get(name));
        assertThat(coloured).contains("\u001b[");
        assertThat(text).doesNotContain("\u001b");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(text);
    }

    @Test
    void whatATargetPrintedCannotControlTheTerminal() {
        var spec = Fixtures.spec(Phase.SEARCH, "", Map.of(), 0, Setting.of("threads.max", "5\u001b[2J"));
        var o = Fixtures.failed(1, spec, TrialOutcome.Kind.DIED, "boom \u001b[31m\u0007 \r\n gone \u009b2J");
        assertThat(plain.trialLine(o, 1, Setting.DEFAULT)).doesNotContain("\u001b", "\u0007", "\r", "\u009b");
    }

    @Test
    void aDuelOnLatencyIsCalledThat() {
        var t = (TuneConclusion) Runs.tune().conclusion().orElseThrow();
        assertThat(t.ratio().map(NumberText::change)).hasValue("+38.2 % [35.1, 41.0]");
    }
}
