package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A target that Fettle did not start shares its CPUs: with the load, with a database. What it leaves of them is not free. */
class CrowdedTest {
    private static final Target GUEST = new Target.Running(17, Optional.empty(), false, false, Optional.empty());

    /** 1.4 of its two CPUs, of which the generator and a database have the rest. */
    private static Seen crowded(UnaryOperator<Seen> what) {
        return free(what).always("host.busy", 0.99).always("runqueue.wait", 1.5);
    }

    /** The same figures, and the CPUs are idle for a third of the time. */
    private static Seen free(UnaryOperator<Seen> what) {
        return what.apply(new Seen().of(GUEST).cpus(2).cpu(1.4))
                .always("host.busy", 0.7)
                .always("runqueue.wait", 0.2);
    }

    static List<Arguments> figures() {
        return List.of(
                Arguments.of("workers-full", (UnaryOperator<Seen>) s -> s.workers(4, 4)),
                Arguments.of("clients", (UnaryOperator<Seen>) s -> s.workers(62, 200)),
                Arguments.of("before-the-workers", (UnaryOperator<Seen>) s -> s.workers(2, 200)),
                Arguments.of("virtual-pinned", (UnaryOperator<Seen>) s -> s.cpu(1.2)
                        .always("virtual.carriers", 2)
                        .always("virtual.mounted", 2)
                        .always("virtual.queued", 30)));
    }

    @ParameterizedTest
    @MethodSource("figures")
    void cpuTimeThatOthersUseIsNotSpare(String rule, UnaryOperator<Seen> what) {
        assertThat(free(what).first()).isEqualTo(rule);
        Diagnosis d = Diagnosis.of(crowded(what).trial());
        assertThat(d.findings()).extracting(Finding::rule).containsExactly("cpu-full");
        assertThat(d.findings().getFirst()).satisfies(f -> {
            assertThat(f.severity()).isEqualTo(Finding.Severity.LIMIT);
            assertThat(f.sentence()).contains("of 2 CPUs, but this machine's CPUs are busy for 99 % of the time");
        });
        assertThat(d.notObserved())
                .filteredOn(l -> l.rule().equals(rule))
                .extracting(Looked::words)
                .containsExactly(
                        "the machine's CPUs are full, with others' work: what the target leaves of them is not free");
        assertThat(d.healthy()).extracting(Looked::rule).doesNotContain(rule, "cpu-full");
    }

    /** Where Fettle started the target, it gave it CPUs of its own, or says that others took their time. */
    @Test
    void aTargetOfItsOwnIsJudgedByItsOwnCpus() {
        Seen own = new Seen().cpus(2).cpu(1.4).workers(4, 4);
        assertThat(own.always("host.busy", 0.99).always("runqueue.wait", 1.5).first())
                .isEqualTo("workers-full");
    }

    /** Sixteen CPUs, of which it may use two, with its database: it is these that count. */
    @Test
    void theCpusThatItMayUseAreThoseThatCount() {
        Seen pinned = free(s -> s.workers(4, 4))
                .always("host.busy", 0.13)
                .always("cpus.busy", 0.99)
                .always("runqueue.wait", 1.5);
        Finding first = Diagnosis.of(pinned.trial()).findings().getFirst();
        assertThat(first.rule()).isEqualTo("cpu-full");
        assertThat(first.title()).startsWith("The target's CPUs are full");
        assertThat(first.sentence())
                .contains("of 2 CPUs, but the CPUs that it may run on are busy for 99 % of the time");
        assertThat(Diagnosis.of(pinned.trial()).notObserved())
                .filteredOn(l -> l.rule().equals("workers-full"))
                .extracting(Looked::words)
                .allMatch(w -> w.startsWith("its CPUs are full"))
                .isNotEmpty();
        assertThat(DiagnoseExperiment.conclude(pinned.trial(), Optional.empty()).notes())
                .anyMatch(n -> n.startsWith("The target's CPUs were full, and others had a part of them"));
        assertThat(crowded(s -> s.workers(4, 4)).always("cpus.busy", 0.7).first())
                .as("others are full")
                .isEqualTo("workers-full");
    }

    /** Threads that are ready and get a CPU at once are not crowded, however busy the machine is. */
    @Test
    void aBusyMachineWhoseCpusAreToBeHadIsNotCrowded() {
        assertThat(crowded(s -> s.workers(4, 4)).always("runqueue.wait", 0.3).first())
                .isEqualTo("workers-full");
    }

    @Test
    void whatTheWantOfACpuCanCauseIsNotToldNorTested() {
        DiagnoseConclusion c = DiagnoseExperiment.conclude(
                crowded(s -> s.always("wait.lock", 14)).trial(), Optional.empty());
        assertThat(c.bottleneck()).hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
        assertThat(c.others()).isEmpty();
        assertThat(c.notes()).anyMatch(n -> n.contains("the want of a CPU"));
        DiagnoseConclusion most = DiagnoseExperiment.conclude(
                crowded(s -> s.always("wait.lock", 25)).trial(), Optional.empty());
        assertThat(most.bottleneck())
                .as("more stand there than if its holder just waited for a CPU")
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("lock"));
    }

    /** A quarter of its CPUs, while most of the requests under way wait for one: alone it would fill them as well. */
    @ParameterizedTest
    @CsvSource({"9, known-method", "1.5, cpu-full"})
    void whatRunsIsNamedWhereMostRequestsWaitForACpu(double ready, String first) {
        Seen s = crowded(x -> x.cpu(0.5).clients(16, 400, 0.04))
                .always("runqueue.wait", ready)
                .sighted(Sighting.ofAll(Sighting.STACKS), Sighting.RUNS, 40, "")
                .sighted(Sighting.ofAll(Sighting.STACKS), Sighting.LOOKS, 20, "")
                .sighted(
                        Sighting.ofAll(Sighting.METHOD_RUNS), "regex-backtracking", 36, "papers.Scan.count; seen in 9");
        assertThat(s.first()).isEqualTo(first);
    }

    private static DiagnoseConclusion observed(Seen s) {
        var t = s.trial();
        return DiagnoseExperiment.observed(GUEST, t.spec().load(), t.evidence().orElseThrow(), t.started(), t.took());
    }

    /** Two CPUs that others fill; every thread that is ready waits long. */
    private static Seen full() {
        return new Seen().of(GUEST).cpus(2).always("cpus.busy", 0.99).always("runqueue.wait", 1.2);
    }

    /** A server that rests wants no CPU, so that full ones limit nothing. */
    @Test
    void whatWantsNoCpuLacksNone() {
        assertThat(observed(full().cpu(0.02).always("workers.busy", 0.02)).bottleneck())
                .as("0.04 of a CPU, to be looked at")
                .isEmpty();
        assertThat(observed(full().cpu(0.02).always("requests.underWay", 0.3)).bottleneck())
                .isEmpty();
        assertThat(observed(full().cpu(0.02).always("workers.busy", 3)).bottleneck())
                .as("three requests under way, which get hardly any CPU time")
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
        assertThat(observed(full().cpu(0.2)).bottleneck())
                .as("no workers known, and 0.4 of a CPU used")
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("cpu-full"));
    }

    /** What stopped answering, and was seen to be ready to run for the last seconds while others had the CPUs. */
    private static DiagnoseConclusion silent(double ready, Sighting... seen) {
        var all = new ArrayList<>(List.of(new Sighting(Sighting.FOREIGN, "other processes", 0.9)));
        all.addAll(List.of(seen));
        double[] over = new double[20];
        Arrays.fill(over, 10, 20, ready);
        return DiagnoseExperiment.conclude(
                new Seen()
                        .cpus(2)
                        .failed(TrialOutcome.Kind.HUNG, all.toArray(Sighting[]::new))
                        .over("runqueue.wait", over)
                        .always("cpu.total", 0.1)
                        .trial(),
                Optional.empty());
    }

    private static Sighting dumped(String doing, int threads) {
        return new Sighting(Sighting.DUMP_STACK + doing, "a", threads, "b, c");
    }

    @Test
    void aTargetThatGotNoCpuIsNoHang() {
        for (var c : List.of(
                silent(6),
                silent(6, dumped("running", 9)),
                silent(6, dumped("lock", 9)),
                silent(6, dumped("other", 9)))) {
            assertThat(c.result()).isEqualTo(DiagnoseConclusion.Result.FOUND);
            assertThat(c.bottleneck()).hasValueSatisfying(f -> {
                assertThat(f.rule()).isEqualTo("cpu-full");
                assertThat(f.sentence()).contains("6 of its threads were ready");
            });
            assertThat(c.others()).extracting(Finding::rule).doesNotContain("hung");
        }
    }

    /** None of its threads wanted a CPU, or they wait for what no CPU brings: then it hangs, however busy the machine is. */
    @Test
    void aTargetThatWantedNoCpuHangs() {
        for (var c : List.of(
                silent(0.1),
                silent(0.1, dumped("lock", 9)),
                silent(6, dumped("socket", 9)),
                silent(6, dumped("pool", 9)))) {
            assertThat(c.bottleneck())
                    .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("hung"));
        }
    }
}
