package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Outcome;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the test of a finding can show: it has to be able to fail, and it confirms no more than it touches. */
class TestScopeTest {
    private static Optional<TrialSpec> test(Seen seen) {
        TrialOutcome trial = seen.trial();
        return RefutationTrial.of(Diagnosis.of(trial).findings().getFirst(), trial);
    }

    private static DiagnoseConclusion tested(Seen before, Seen after) {
        return DiagnoseExperiment.conclude(before.trial(), Optional.of(after.trial(Phase.TEST, 2)));
    }

    private static Finding.Test of(String rule, DiagnoseConclusion c) {
        return Stream.concat(c.bottleneck().stream(), c.others().stream())
                .filter(f -> f.rule().equals(rule))
                .findFirst()
                .flatMap(Finding::test)
                .orElseThrow();
    }

    /** 48 clients, 40 of them in a worker, of which 30 wait for a lock. */
    private static Seen lock(int threads) {
        return new Seen().clients(48, 500, 0.096).workers(40, threads).always("wait.lock", 30);
    }

    private static void assertTested(Seen seen, int connections, int threads) {
        assertThat(test(seen)).hasValueSatisfying(spec -> {
            assertThat(spec.load().connections()).isEqualTo(connections);
            assertThat(spec.setting().get("threads.max")).contains(Integer.toString(threads));
        });
    }

    /** Twice 200 threads change nothing for 48 clients, whatever the cause. */
    @Test
    void aLockIsTestedByMoreRequestsThatGetToIt() {
        assertTested(lock(200), 96, 200);
        assertTested(lock(64), 96, 128);
        assertTested(new Seen().workers(4, 4).always("wait.lock", 2.9), 64, 8);
        assertThat(test(lock(200).offered(1200)))
                .as("an open load has no more clients, and workers are idle")
                .isEmpty();
        assertTested(new Seen().clients(48, 500, 0.096).workers(40, 200).always("wait.pool", 30), 96, 200);
    }

    @Test
    void moreRequestsThatGetNoMoreConfirmThatSomethingBehindTheWorkersIsFull() {
        DiagnoseConclusion same =
                tested(lock(200), new Seen().clients(96, 505, 0.19).workers(88, 200));
        assertThat(of("lock", same)).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
            assertThat(t.change()).isEqualTo("with 96 clients instead of 48");
            assertThat(t.scope())
                    .isEqualTo("what lies behind the workers is full; that it is that lock was seen, and not tested");
            assertThat(t.sentence()).endsWith("So " + t.scope() + ".");
        });
        assertThat(same.headline())
                .endsWith("Tested and confirmed: " + of("lock", same).scope() + ".");
        DiagnoseConclusion more =
                tested(lock(200), new Seen().clients(96, 950, 0.1).workers(80, 200));
        assertThat(of("lock", more).outcome()).isEqualTo(Outcome.REFUTED);
        DiagnoseConclusion full = tested(
                lock(200), new Seen().clients(96, 505, 0.19).workers(88, 200).cpu(0.97));
        assertThat(of("lock", full)).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
            assertThat(t.scope()).isEqualTo("the clients are not the limit; whether that lock is was not tested");
        });
    }

    /** More clients get no more where the generator can't offer more: that says nothing of the server. */
    @Test
    void aTestThatIsVoidByItselfConfirmsAndRefutesNothing() {
        Seen full = new Seen().cpu(0.97);
        assertThat(of(
                        "cpu-full",
                        tested(
                                full,
                                new Seen().cpu(0.97).clients(128, 1010, 0.127).reason("generator-limit", false))))
                .satisfies(t -> {
                    assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
                    assertThat(t.sentence()).contains("void").contains("because of generator-limit");
                });
        Seen pool = new Seen().workers(4, 4);
        for (String rule : List.of("send-lag", "mostly-failed", "littles-law")) {
            assertThat(of(
                                    "workers-full",
                                    tested(
                                            pool,
                                            new Seen()
                                                    .clients(64, 1000, 0.064)
                                                    .workers(8, 8)
                                                    .reason(rule, false)))
                            .outcome())
                    .as(rule)
                    .isEqualTo(Outcome.OPEN);
        }
        assertThat(of(
                                "workers-full",
                                tested(
                                        pool,
                                        new Seen()
                                                .clients(64, 1950, 0.033)
                                                .workers(8, 8)
                                                .reason("generator-limit", false)))
                        .outcome())
                .as("a generator at its limit hides a gain and makes none")
                .isEqualTo(Outcome.CONFIRMED);
        assertThat(of(
                                "workers-full",
                                tested(
                                        pool,
                                        new Seen()
                                                .clients(64, 1950, 0.033)
                                                .workers(8, 8)
                                                .reason("littles-law", false)))
                        .outcome())
                .as("figures that contradict each other")
                .isEqualTo(Outcome.OPEN);
    }

    @Test
    void whetherSomethingBehindTheWorkersIsFullTakesCpusThatAreKnownNotToBe() {
        Seen unknown = new Seen().clients(96, 505, 0.19).workers(88, 200).cpuUnread();
        assertThat(of("lock", tested(lock(200), unknown))).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
            assertThat(t.scope()).startsWith("the clients are not the limit");
        });
    }

    /** More clients that wait somewhere else leave the lock as it was. */
    @Test
    void moreRequestsThatDoNotGetToTheWorkersTestNothing() {
        DiagnoseConclusion same =
                tested(lock(200), new Seen().clients(96, 505, 0.19).workers(41, 200));
        assertThat(of("lock", same)).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
            assertThat(t.sentence()).endsWith("at work at once, so this test decides nothing.");
        });
    }

    private static Seen parsing(int clients, double rate) {
        return new Seen()
                .clients(clients, rate, clients / rate)
                .cpu(0.97)
                .sighted("frame", "com.example.Parser.parse", 8, "runs; seen in 9 of 9 looks");
    }

    /** Any limit on the server's side gives no more to more clients. */
    @Test
    void whatFillsTheCpusIsNotConfirmedByMoreClients() {
        DiagnoseConclusion c = tested(parsing(64, 1000), parsing(128, 1010));
        assertThat(of("expensive-method", c)).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.OPEN);
            assertThat(t.scope()).isEqualTo("the clients are not the limit; what fills the CPUs was not tested");
        });
        assertThat(c.headline()).doesNotContain("confirmed").contains("Tested: the clients are not the limit");
        assertThat(of("expensive-method", tested(parsing(64, 1000), parsing(128, 1900)))
                        .outcome())
                .isEqualTo(Outcome.REFUTED);
        DiagnoseConclusion full =
                tested(new Seen().cpu(0.97), new Seen().cpu(0.97).clients(128, 1010, 0.127));
        assertThat(of("cpu-full", full)).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
            assertThat(t.scope()).isEmpty();
        });
        assertThat(full.headline()).endsWith("Tested and confirmed.");
    }

    private static Seen pool(double rate, int size) {
        return new Seen()
                .clients(48, rate, 48 / rate)
                .workers(40, 200)
                .always("pool.login.pending", 20)
                .always("pool.login.max", size)
                .with("own.pool", Integer.toString(size));
    }

    @Test
    void aConnectionPoolWithAKnobIsTestedByALargerOne() {
        assertThat(test(pool(500, 2))).hasValueSatisfying(spec -> {
            assertThat(spec.setting().get("own.pool")).contains("4");
            assertThat(spec.load().connections()).isEqualTo(48);
        });
        assertThat(of("connection-pool", tested(pool(500, 2), pool(980, 4)))).satisfies(t -> {
            assertThat(t.outcome()).isEqualTo(Outcome.CONFIRMED);
            assertThat(t.scope()).isEmpty();
        });
        assertThat(of("connection-pool", tested(pool(500, 2), pool(505, 4))).outcome())
                .isEqualTo(Outcome.REFUTED);
        assertThat(of("connection-pool", tested(pool(500, 2), pool(505, 2))).sentence())
                .contains("not seen to get larger");
        assertThat(of("connection-pool", tested(pool(500, 2), pool(980, 2))).outcome())
                .as("more, but not of a larger pool")
                .isEqualTo(Outcome.OPEN);
        assertThat(of(
                                "connection-pool",
                                tested(
                                        pool(500, 2).always("pool.other.max", 2),
                                        pool(505, 2).always("pool.other.max", 4)))
                        .sentence())
                .as("another pool got larger")
                .contains("not seen to get larger");
        assertThat(test(pool(500, 2).with("own.cache", "2")))
                .as("which of the two is the pool is not known")
                .hasValueSatisfying(
                        spec -> assertThat(spec.load().connections()).isEqualTo(96));
    }
}
