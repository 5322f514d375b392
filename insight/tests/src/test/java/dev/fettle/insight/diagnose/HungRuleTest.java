package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HungRuleTest {
    private static final Sighting KEPT =
            new Sighting(Sighting.DUMP, "it answered nothing", 1, "its threads are in t.txt");
    private static final Sighting BUSY = new Sighting(Sighting.DUMP_BUSY, "threads", 50);

    private static Sighting stack(String doing, int n, String detail) {
        return new Sighting(Sighting.DUMP_STACK + doing, n + " of the 50 threads exec-*", n, detail);
    }

    private static Finding first(Seen s) {
        return Diagnosis.of(s.trial()).findings().getFirst();
    }

    private static Seen hung(Sighting... seen) {
        return new Seen().failed(Kind.HUNG, seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pool", "locked", "socket", "client", "lookup", "file", "sleep", "running", "waiting"})
    void aHangIsWhatItsDumpShows(String doing) {
        Finding f = first(hung(KEPT, BUSY, stack(doing, 40, "do it in some.Api.call, called from shop.Cart.total")));
        assertThat(f.rule()).isEqualTo("hung");
        assertThat(f.title()).contains("40 of the 50 threads exec-*", "some.Api.call");
        assertThat(f.sentence()).contains("shop.Cart.total");
        assertThat(f.remedy()).doesNotContainIgnoringCase("thread dump").doesNotContain("jcmd");
    }

    /** A dump that was taken is not asked for; one that was not, is. */
    @Test
    void aDumpIsAskedForOnlyWhereNoneWasTaken() {
        assertThat(first(hung()).remedy()).contains("jcmd PID Thread.print");
        assertThat(first(hung()).sentence()).contains("No dump of its threads was taken");
        assertThat(first(hung(KEPT)).remedy()).doesNotContain("Thread.print");
        assertThat(first(hung(KEPT)).sentence()).contains("virtual threads");
    }

    @Test
    void aPoolOfWhichNobodyIsLeftWhoWouldGiveBackLocksItself() {
        var all = stack(
                "pool", 50, "wait for a pool (HikariCP) in x.getConnection, called from shop.A.a (40), shop.A.b (10)");
        assertThat(first(hung(KEPT, BUSY, all)).sentence()).contains("hold what the pool lends wait for the same pool");
        assertThat(first(hung(KEPT, BUSY, stack("pool", 40, "wait for a pool (HikariCP)")))
                        .sentence())
                .doesNotContain("hold what the pool lends");
    }

    /** Others may take the CPUs from threads that run, not from those that wait for a latch. */
    @Test
    void otherProcessesAreNoExcuseForThreadsThatWait() {
        var others = new Sighting(Sighting.FOREIGN, "other processes", 0.9);
        assertThat(DiagnoseExperiment.conclude(
                                hung(others, KEPT, stack("waiting", 50, "wait in a latch"))
                                        .trial(),
                                Optional.empty())
                        .bottleneck())
                .isPresent();
        assertThat(DiagnoseExperiment.conclude(
                                hung(others, KEPT, stack("running", 50, "run in a loop"))
                                        .trial(),
                                Optional.empty())
                        .bottleneck())
                .isEmpty();
    }

    /** One in a hundred of what it was: the trial did not end, but the dump was taken. */
    @Test
    void aTargetThatHardlyAnswersIsDiagnosedFromItsDump() {
        double[] falls = DoubleStream.concat(
                        DoubleStream.generate(() -> 1000).limit(4),
                        DoubleStream.generate(() -> 10).limit(6))
                .toArray();
        Seen seen = new Seen()
                .over("load.rate", falls)
                .sighted(Sighting.DUMP_STACK + "waiting", "49 of the 50 threads exec-*", 49, "wait in shop.Api.call");
        assertThat(Diagnosis.of(seen.trial()).findings())
                .extracting(Finding::rule)
                .contains("hung");
        assertThat(Diagnosis.of(seen.over(
                                        "load.rate",
                                        DoubleStream.generate(() -> 800)
                                                .limit(10)
                                                .toArray())
                                .trial())
                        .findings())
                .extracting(Finding::rule)
                .doesNotContain("hung");
    }

    /** Others had the CPUs, and the one thread that a dump shows to wait outside its pool may do so whenever one looks. */
    @ParameterizedTest
    @CsvSource({"socket, 1, false", "socket, 2, true", "socket, 40, true", "running, 40, false"})
    void whatOthersTookIsNotClaimedToBeAHang(String doing, int threads, boolean own) {
        double[] falls = DoubleStream.concat(
                        DoubleStream.generate(() -> 7500).limit(6),
                        DoubleStream.generate(() -> 460).limit(6))
                .toArray();
        Seen seen = new Seen()
                .reason("disturbed", true)
                .over("load.rate", falls)
                .sighted(Sighting.DUMP_STACK + doing, "the threads poller", threads, "wait in shop.Queue.poll");
        assertThat(DiagnoseExperiment.conclude(seen.trial(), Optional.empty())
                        .bottleneck()
                        .map(Finding::rule))
                .isEqualTo(own ? Optional.of("hung") : Optional.empty());
    }
}
