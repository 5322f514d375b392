package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.run.Announcement;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AnnouncementTest {
    private static Plan plan(String load, String rest) {
        return new PlanReader(2, 4096)
                .read("p.yaml", "name: p\ntarget: {server: tomcat, app: hello}\nload: " + load + "\n" + rest + "\n");
    }

    private static String text(ExperimentKind kind, Plan plan) {
        return Announcement.text(kind, plan, "p-1", new CpuLayout(Set.of(0), Set.of(1)));
    }

    private static String text(ExperimentKind kind, String load, String rest) {
        return text(kind, plan(load, rest));
    }

    private static String diagnosis(int trials) {
        Plan plan = plan("{connections: 8, measure: 4s}", "");
        return text(
                ExperimentKind.DIAGNOSE,
                plan.withBudget(
                        new Budget(trials, plan.budget().time(), plan.budget().pairs())));
    }

    @Test
    void anOpenLoadSaysThatItOpensWhatItTakes() {
        String sweep = "sweep: {grid: {threads.max: [10, 50]}, repeats: 2}";
        assertThat(text(ExperimentKind.SWEEP, "{rate: 900/s}", sweep))
                .contains("load    as many connections as it takes, up to 1000, keep-alive");
        assertThat(text(ExperimentKind.SWEEP, "{rate: 900/s, connections: 20}", sweep))
                .contains("as it takes, up to 20, keep-alive");
        assertThat(text(ExperimentKind.SWEEP, "{connections: 20}", sweep))
                .contains("load    20 connections, keep-alive");
    }

    @Test
    void aComparisonSaysARangeAndAnUpperBoundWithWhatAllItsTrialsAreMadeOf() {
        String text = text(
                ExperimentKind.COMPARE,
                "{connections: 64, warm-up: 30s, measure: 4s}",
                "compare: {pairs: 6, grid: {load.keep-alive: [true, false]}, variants: {a: {set: {threads.max: 7}},"
                        + " b: {set: {threads.max: 9}}, c: {set: {threads.max: 8}}}}");
        // 36 of 13 s, of 37 s, and of 15 + 60 + 4 s
        assertThat(text)
                .contains(
                        "takes 8 to 22 min for 36 trials, each with a launch, a warm-up until steady (at most 30 s) and 4 s of"
                                + " measuring",
                        "at most 49 min, repeats of disturbed trials and longer warm-ups included");
    }

    /** Two blocks and six contrasts show next to nothing: that is said before, and what would do. */
    @Test
    void whatAComparisonCouldShowIsSaidBefore() {
        String load = "{connections: 8, warm-up: 20s, measure: 4s}";
        String variants =
                "variants: {a: {set: {threads.max: 7}}, b: {set: {threads.max: 9}}, c: {set: {threads.max: 8}}}}";
        String two = text(
                ExperimentKind.COMPARE,
                load,
                "compare: {pairs: 2, grid: {load.keep-alive: [true, false]}, " + variants);
        assertThat(two)
                .containsPattern("shows   differences of a factor of [0-9.]+ or more, if blocks scatter by 5 %")
                .containsPattern("\\(6 contrasts are judged together\\); pairs: 4 would show 2[0-9] %\n");
        assertThat(text(ExperimentKind.COMPARE, load, "compare: {pairs: 6, " + variants))
                .containsPattern("shows   differences of [0-9]+ % or more, if blocks scatter by 5 % \\(3 contrasts are"
                        + " judged together\\)\n");
    }

    @Test
    void aBudgetThatIsTooShortIsSaidBefore() {
        String load = "{connections: 8, warm-up: 20s, measure: 4s}";
        String knobs = "knobs: {threads.max: [8, 9]}\n";
        assertThat(text(ExperimentKind.TUNE, load, knobs + "budget: {time: 90s}"))
                .contains(
                        "the budget's time of 90 s is too short: the default, one other setting and a duel of 3 pairs take"
                                + " about 2 min, up to 4 min",
                        "may end with nothing tried");
        assertThat(text(ExperimentKind.TUNE, load, knobs + "budget: {time: 3m}"))
                .contains("the budget's time may be too short");
        assertThat(text(ExperimentKind.TUNE, load, knobs + "budget: {time: 10m}"))
                .doesNotContain("too short");
    }

    @Test
    void anOpenLoadIsSaidToBeJudgedByP99() {
        assertThat(text(ExperimentKind.SWEEP, "{connections: 8, rate: 100/s}", "sweep: {grid: {threads.max: [8, 9]}}"))
                .contains("best    the lowest p99: an open load's throughput is the rate that is offered")
                .doesNotContain("each waits for its answer");
    }

    @Test
    void theLoadIsSaidAsItWillBe() {
        String knobs = "knobs: {threads.max: [8, 9]}\n";
        assertThat(text(ExperimentKind.TUNE, "{connections: 8, rate: 400/s, measure: 4s}", knobs))
                .contains("up to 8, keep-alive, GET /, open, 400/s: sent whether or not the server keeps up\n");
        assertThat(text(ExperimentKind.TUNE, "{connections: 8, think: 500ms, measure: 4s}", knobs))
                .contains("GET /, each waits for its answer before the next request, and then pauses for 500ms\n");
        assertThat(text(ExperimentKind.TUNE, "{connections: 8, measure: 4s}", knobs))
                .contains("GET /, each waits for its answer before the next request\n");
    }

    /** Nobody knows which CPUs it has, and it is not launched for a trial. */
    @Test
    void ofAServerThatIsUpOnlyTheGeneratorsCpusAreSaid() {
        Plan up = new PlanReader(2, 4096).read("p.yaml", """
                name: p
                target: {url: "http://127.0.0.1:8080"}
                load: {connections: 8, request: {path: "/shop?token=hunter2hunter2"}}
                sweep: {grid: {load.connections: [8, 9]}}
                """);
        assertThat(text(ExperimentKind.SWEEP, up))
                .contains(
                        "  all trials on the server at that address, which Fettle does not start, generator on CPU 1\n")
                .doesNotContain("fresh process", "server on CPU", "launch");
        assertThat(text(ExperimentKind.SWEEP, up))
                .contains("GET /shop?token=***,")
                .doesNotContain("hunter2");
    }

    @Test
    void aDiagnosisWithoutATestAnnouncesNone() {
        assertThat(diagnosis(1)).contains("  plan    as it is\n").doesNotContain("once more", "as long again");
        assertThat(diagnosis(2)).contains("as it is, and once more with one thing changed", "and as long again where");
    }
}
