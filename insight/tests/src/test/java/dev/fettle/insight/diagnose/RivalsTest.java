package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.insight.waits.Dumps;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two findings is the cause is decided by a test that can tell, and said where none does. */
class RivalsTest {
    private static final Target GUEST = new Target.Running(17, Optional.empty(), false, false, Optional.empty());

    /** A full CPU that goes into a regular expression, and into collections. */
    private static Seen cpuAndGarbage() {
        return new Seen()
                .clients(64, 1000, 0.064)
                .cpu(0.97)
                .gc(0.3)
                .with("jvm.heap", "512m")
                .stacks(100, 0, 0)
                .sighted(Sighting.METHOD_RUNS, "regex-backtracking", 50, "shop.Form.check; seen often");
    }

    private static DiagnoseConclusion tested(Seen before, Seen after) {
        return DiagnoseExperiment.conclude(before.trial(), Optional.of(after.trial(Phase.TEST, 2)));
    }

    private static Optional<TrialSpec> test(Seen s) {
        return Rivals.test(Diagnosis.of(s.trial()).findings(), s.trial())
                .map(t -> t.plan().spec());
    }

    @Test
    void theTestIsOneThatCanTellThemApart() {
        assertThat(Diagnosis.of(cpuAndGarbage().trial()).findings())
                .extracting(Finding::rule)
                .startsWith("known-method", "allocation");
        assertThat(test(cpuAndGarbage()).orElseThrow().setting().get("jvm.heap"))
                .contains("1024m");
        assertThat(test(cpuAndGarbage().gc(0.01)).orElseThrow().load().connections())
                .as("without a rival the first one's own")
                .isEqualTo(128);
    }

    /** Twice the heap: collections take less, and more is served; or neither; or something between. */
    @ParameterizedTest
    @CsvSource({
        "1900, 0.05, allocation, CONFIRMED",
        "1000, 0.3, known-method, REFUTED",
        "1150, 0.24, known-method, OPEN"
    })
    void theSecondComesFirstWhereItsTestSaysSo(double perSecond, double gc, String first, Outcome outcome) {
        DiagnoseConclusion c = tested(
                cpuAndGarbage(),
                cpuAndGarbage().clients(64, perSecond, 64 / perSecond).gc(gc));
        assertThat(c.bottleneck().orElseThrow().rule()).isEqualTo(first);
        List<Finding> all = new ArrayList<>(c.others());
        all.add(c.bottleneck().get());
        assertThat(all)
                .filteredOn(f -> f.rule().equals("allocation"))
                .singleElement()
                .satisfies(f -> assertThat(f.test().orElseThrow().outcome()).isEqualTo(outcome));
        assertThat(c.notes().stream().anyMatch(n -> n.startsWith("Two causes remain")))
                .isEqualTo(outcome == Outcome.OPEN);
    }

    @Test
    void bothAreNamedWhereNothingWasTested() {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(cpuAndGarbage().trial(), Optional.empty());
        assertThat(c.notes().getFirst())
                .startsWith("Two causes remain")
                .contains("shop.Form.check", "Garbage collection")
                .contains("With twice the heap");
        assertThat(DiagnoseExperiment.conclude(cpuAndGarbage().gc(0.01).trial(), Optional.empty())
                        .notes())
                .noneMatch(n -> n.startsWith("Two causes remain"));
    }

    /** Collections that began when the other was there already. */
    @Test
    void whichCameFirstIsSaid() {
        Seen s = cpuAndGarbage()
                .over("cpu.total", 0.1, 0.1, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9)
                .over("gc.share", 0.01, 0.01, 0.01, 0.01, 0.01, 0.3, 0.5, 0.5, 0.5, 0.5);
        assertThat(DiagnoseExperiment.conclude(s.trial(), Optional.empty())
                        .notes()
                        .getFirst())
                .contains("The first began");
    }

    /** All wait for the one thread of a pool. */
    private static Seen fewThreads(double latency) {
        return new Seen()
                .of(GUEST)
                .clients(50, 50 / latency, latency)
                .always("wait.other", 50)
                .threads(Dumps.of()
                        .parks(50, "java.util.concurrent.CompletableFuture.join:2100", "app.Supply.handle:12")
                        .add(
                                "ForkJoinPool.commonPool-worker-*",
                                1,
                                Thread.State.TIMED_WAITING,
                                "",
                                -1,
                                "java.lang.Thread.sleep0",
                                "app.Supply.price:11",
                                "java.util.concurrent.ForkJoinWorkerThread.run:187")
                        .seen());
    }

    /** Of a process in which nothing is set: alone a request waits for nobody. */
    @ParameterizedTest
    @CsvSource({"0.05, CONFIRMED", "0.9, REFUTED", "0.6, OPEN"})
    void aWaitForOthersIsTestedByOneClient(double alone, Outcome outcome) {
        assertThat(test(fewThreads(1)).orElseThrow().load().connections()).isEqualTo(1);
        DiagnoseConclusion c = tested(fewThreads(1), new Seen().of(GUEST).clients(1, 1 / alone, alone));
        List<Finding> all = new ArrayList<>(c.others());
        c.bottleneck().ifPresent(all::add);
        assertThat(all)
                .filteredOn(f -> f.rule().equals("few-threads"))
                .singleElement()
                .satisfies(f -> assertThat(f.test().orElseThrow().outcome()).isEqualTo(outcome));
        assertThat(c.bottleneck().filter(f -> f.rule().equals("few-threads")).isPresent())
                .isEqualTo(outcome != Outcome.REFUTED);
    }

    /** Who sleeps takes as long alone; if it does not, others may have waited for the sleeper. */
    @ParameterizedTest
    @CsvSource({"0.9, CONFIRMED", "0.05, OPEN"})
    void aSleepIsNotRefutedByOneClient(double alone, Outcome outcome) {
        Seen sleeps = new Seen().of(GUEST).clients(50, 50, 1).workers(50, 200).always("wait.sleep", 48);
        assertThat(Diagnosis.of(sleeps.trial()).findings().getFirst().rule()).isEqualTo("sleeping-workers");
        assertThat(tested(sleeps, new Seen().of(GUEST).clients(1, 1 / alone, alone))
                        .bottleneck()
                        .orElseThrow()
                        .test()
                        .orElseThrow()
                        .outcome())
                .isEqualTo(outcome);
    }
}
