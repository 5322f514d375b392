package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Figures that one rule is about, beside what tells that something else is behind them. */
class OtherCausesTest {
    private static final double MB = 1 << 20;

    private static Arguments seen(String first, String what, UnaryOperator<Seen> figures) {
        return Arguments.of(first, what, figures.apply(new Seen()));
    }

    private static double[] every(double usual, double then, int... at) {
        double[] values = new double[20];
        Arrays.fill(values, usual);
        for (int i : at) {
            values[i] = then;
        }
        return values;
    }

    /** A full pool on two CPUs that are mostly idle, with a collector that works beside the threads. */
    private static Seen beside(Seen s, double collector) {
        return s.cpus(2).cpu(0.3).workers(20, 20).always("cpu.total", 0.3).always("cpu.gc", collector);
    }

    static Stream<Arguments> figures() {
        return Stream.of(
                seen("connection-pool", "an empty pool", s -> s.always("wait.pool", 25)),
                seen(
                        "cpu-full",
                        "an empty pool whose connections wait for a CPU",
                        s -> s.cpu(0.97).always("wait.pool", 25)),
                seen("", "one call of System.gc()", s -> s.gc(0.01).over("gc.explicit", every(0, 1, 7))),
                seen("explicit-gc", "one that is felt", s -> s.gc(0.06).over("gc.explicit", every(0, 1, 7))),
                seen("explicit-gc", "two", s -> s.gc(0.01).over("gc.explicit", every(0, 1, 7, 12))),
                seen(
                        "cpu-full",
                        "two that cost nothing",
                        s -> s.cpu(0.97).gc(0.003).over("gc.explicit", every(0, 1, 7, 12))),
                seen(
                        "backend-wait",
                        "two that cost nothing, and a slow service",
                        s -> s.workers(63, 200)
                                .always("wait.socket", 60)
                                .gc(0.003)
                                .over("gc.explicit", every(0, 1, 7, 12))),
                seen(
                        "explicit-gc",
                        "two as long as the slowest requests",
                        s -> s.cpu(0.97)
                                .gc(0.02)
                                .slowest(0.12)
                                .over("gc.explicit", every(0, 1, 7, 12))
                                .over("gc.pauseMax", every(0, 100, 7, 12))),
                seen(
                        "explicit-gc",
                        "two that take much of the CPU time",
                        s -> s.cpu(0.97)
                                .gc(0.02)
                                .always("cpu.gc", 0.2)
                                .always("cpu.total", 0.97)
                                .over("gc.explicit", every(0, 1, 7, 12))),
                seen(
                        "cpu-full",
                        "two of nine collections for large objects, which cost nothing",
                        s -> s.cpu(0.97)
                                .gc(0.002)
                                .over("gc.humongous", every(0, 1, 3, 9))
                                .over("gc.count", every(0, 1, 1, 3, 5, 7, 9, 11, 13, 15, 17))),
                seen(
                        "large-answers",
                        "the same, with large answers",
                        s -> s.cpu(0.97)
                                .bytes(2 << 20)
                                .gc(0.002)
                                .over("gc.humongous", every(0, 1, 3, 9))
                                .over("gc.count", every(0, 1, 1, 3, 5, 7, 9, 11, 13, 15, 17))),
                seen(
                        "humongous-allocation",
                        "the same that take 6 % of the time",
                        s -> s.cpu(0.97)
                                .gc(0.06)
                                .over("gc.humongous", every(0, 1, 3, 9))
                                .over("gc.count", every(0, 1, 1, 3, 5, 7, 9, 11, 13, 15, 17))),
                seen("workers-full", "a collector that has a fifth of next to nothing", s -> beside(s, 0.054)),
                seen("allocation", "one that has a tenth of the CPUs", s -> beside(s, 0.21)),
                seen(
                        "allocation",
                        "one that has a fifth of what little CPU time is to be had",
                        s -> beside(s, 0.054).always("runqueue.wait", 3)),
                seen(
                        "lock",
                        "a quota that holds back now and then, beside a lock",
                        s -> s.always("cgroup.throttled", 0.1).workers(40, 200).always("wait.lock", 35)),
                seen(
                        "cpu-quota",
                        "a quota that often holds back, beside a lock",
                        s -> s.always("cgroup.throttled", 0.4).workers(40, 200).always("wait.lock", 20)),
                seen(
                        "cpu-quota",
                        "one that holds back now and then, with full CPUs",
                        s -> s.always("cgroup.throttled", 0.1).cpu(0.97)),
                seen("periodic-job", "slow every two seconds", s -> s.p99(every(10, 90, 1, 5, 9, 13, 17))),
                seen(
                        "",
                        "slow with each collection, which come evenly",
                        s -> s.p99(every(10, 49, 1, 5, 9, 13, 17)).over("gc.pauseMax", every(0, 35, 1, 5, 9, 13, 17))),
                seen(
                        "periodic-job",
                        "collections of a job",
                        s -> s.p99(every(10, 49, 1, 5, 9, 13, 17))
                                .over("gc.pauseMax", every(0, 35, 1, 5, 9, 13, 17))
                                .over("cpu.app", every(0, 0.5, 1, 5, 9, 13, 17))),
                seen(
                        "cpu-full",
                        "a pause that no request was seen to feel",
                        s -> s.cpu(0.97).slowest(0.11).p99(every(20, 25, 15)).over("gc.pauseMax", every(0, 60, 3))));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("figures")
    void theFirstFindingIsWhatIsBehindThem(String first, String what, Seen seen) {
        assertThat(seen.first()).isEqualTo(first);
    }

    /** Memory that grows until the target dies is what broke it, though it is a rule of a later stage than what its workers wait for. */
    @Test
    void whatExplainsWhyTheTargetBrokeComesFirst() {
        double[] grows =
                DoubleStream.iterate(200 * MB, x -> x + 40 * MB).limit(10).toArray();
        Seen dies = new Seen()
                .failed(
                        Kind.OUT_OF_MEMORY,
                        "java.lang.OutOfMemoryError: Cannot reserve 16384 bytes of direct buffer memory")
                .over("memory.rss", grows)
                .always("heap.committed", 64 * MB)
                .workers(40, 200)
                .always("wait.socket", 38)
                .always("wait.sleep", 20);
        var found = Diagnosis.of(dies.trial()).findings();
        assertThat(found).extracting(Finding::rule).startsWith("native-memory-grows");
        assertThat(found.getFirst().symptoms()).isNotEmpty();
        assertThat(found)
                .filteredOn(f -> f.rule().equals("backend-wait"))
                .allMatch(f -> f.severity() == Finding.Severity.LIMIT);
    }

    /** Without these collections the next buffer may be an OutOfMemoryError: no test switches them off. */
    @Test
    void collectionsForDirectMemoryAreNotToBeSwitchedOff() {
        Seen seen = new Seen()
                .gc(0.1)
                .always("gc.explicit", 2)
                .always("heap.max", 100 * MB)
                .always("memory.direct", 95 * MB);
        Finding found = Diagnosis.of(seen.trial()).findings().getFirst();
        assertThat(found.rule()).isEqualTo("explicit-gc");
        assertThat(found.title()).contains("Direct memory");
        assertThat(found.knob()).contains("jvm.direct.max");
        assertThat(RefutationTrial.of(found, seen.trial())).isEmpty();
        Seen set = new Seen()
                .gc(0.1)
                .always("gc.explicit", 2)
                .always("heap.max", 100 * MB)
                .always("memory.direct", 95 * MB)
                .with("jvm.direct.max", "512m");
        Finding own = Diagnosis.of(set.trial()).findings().getFirst();
        assertThat(own.knob()).contains("jvm.gc.explicit");
        assertThat(RefutationTrial.of(own, set.trial())).isPresent();
    }

    /** 85 % of a request's time is said to be waiting: a mock that leaves most of it is no proof. */
    @Test
    void aMockHasToTakeHalfOfWhatIsClaimed() {
        TrialFacts before = new TrialFacts(new Seen()
                .clients(64, 640, 0.1)
                .workers(64, 200)
                .always("wait.socket", 54)
                .trial());
        TrialFacts little = new TrialFacts(
                new Seen().clients(64, 800, 0.08).workers(64, 200).trial());
        TrialFacts much = new TrialFacts(
                new Seen().clients(64, 1600, 0.04).workers(64, 200).trial());
        TrialFacts waits = new TrialFacts(new Seen()
                .clients(64, 1280, 0.05)
                .workers(64, 200)
                .always("wait.socket", 62)
                .trial());
        // waits for the mock, which waits for a CPU: 24 ms of the 84
        TrialFacts full = new TrialFacts(new Seen()
                .clients(64, 1600, 0.04)
                .cpu(0.99)
                .workers(64, 200)
                .always("wait.socket", 38)
                .trial());
        assertThat(RefutationTrial.refutation("backend-wait")
                        .figure()
                        .of(Expected.MORE, before, little, 1.2)
                        .better())
                .isFalse();
        assertThat(RefutationTrial.refutation("backend-wait")
                        .figure()
                        .of(Expected.MORE, before, much, 1.2)
                        .better())
                .isTrue();
        assertThat(RefutationTrial.refutation("backend-wait")
                        .figure()
                        .of(Expected.MORE, before, waits, 1.2)
                        .better())
                .isFalse();
        assertThat(RefutationTrial.refutation("backend-wait")
                        .figure()
                        .of(Expected.MORE, before, full, 1.2)
                        .better())
                .isTrue();
    }
}
