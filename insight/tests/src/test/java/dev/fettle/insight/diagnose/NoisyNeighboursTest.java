package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** While others take CPU time, a thread that is ready and has none looks like one that works, or still waits. */
class NoisyNeighboursTest {
    private static Arguments seen(String rule, String what, UnaryOperator<Seen> figures) {
        return Arguments.of(rule, what, figures.apply(new Seen()).reason("disturbed", true));
    }

    /** A pool of twenty that is full, at half of the only CPU. */
    private static Seen pool(Seen s) {
        return s.clients(64, 500, 0.128).workers(20, 20).cpu(0.5);
    }

    private static Seen carriers(Seen s) {
        return s.cpus(2)
                .always("virtual.carriers", 2)
                .always("virtual.mounted", 2)
                .always("virtual.queued", 30);
    }

    private static Seen oneThread(Seen s) {
        return s.cpu(0.5)
                .always("cpu.total", 0.5)
                .always("cpu.workers", 0.2)
                .always("cpu.app", 0.3)
                .always("busiest.cpu", 0.3)
                .always("busiest.ready", 0.95)
                .always("wait.other", 36);
    }

    private static Seen atLogLock(Seen s, int waiting) {
        return s.always("wait.lock", waiting)
                .sighted("lock", "org.apache.logging.log4j.core.appender.FileManager", waiting, "");
    }

    static Stream<Arguments> figures() {
        return Stream.of(
                seen("", "workers who all compute, on a part of a CPU", s -> pool(s).always("runqueue.wait", 19)),
                seen(
                        "workers-full",
                        "workers who wait for a service",
                        s -> pool(s).always("runqueue.wait", 3).always("wait.socket", 18)),
                seen(
                        "",
                        "workers at a lock whose holder may lack a CPU, and some who wait for a service",
                        s -> pool(s).always("runqueue.wait", 5)
                                .always("wait.lock", 8)
                                .always("wait.socket", 3)),
                seen(
                        "",
                        "workers who wait for threads that may lack a CPU",
                        s -> pool(s).always("runqueue.wait", 4).always("wait.other", 18)),
                seen("workers-full", "CPU that was to be had", s -> pool(s).always("runqueue.wait", 0.2)),
                seen("", "CPU of which that is not known", NoisyNeighboursTest::pool),
                seen(
                        "",
                        "one worker that has half of a CPU",
                        s -> s.workers(1, 1).cpu(0.5).always("runqueue.wait", 0.5)),
                seen(
                        "",
                        "CPU that the hypervisor took",
                        s -> pool(s).always("runqueue.wait", 0.2).stolen(0.3)),
                seen(
                        "",
                        "carriers that share their CPUs with others",
                        s -> carriers(s).cpu(1).always("runqueue.wait", 0.9)),
                seen(
                        "",
                        "carriers whose CPUs the hypervisor took",
                        s -> carriers(s).cpu(1.2).always("runqueue.wait", 0.1).stolen(0.3)),
                seen(
                        "virtual-pinned",
                        "carriers that neither run nor lack a CPU",
                        s -> carriers(s).cpu(0.2).always("runqueue.wait", 0.5)),
                seen(
                        "sleeping-workers",
                        "a sleep",
                        s -> s.always("wait.sleep", 38).always("runqueue.wait", 5)),
                seen(
                        "",
                        "a sleep that may be over",
                        s -> s.always("wait.sleep", 38).always("runqueue.wait", 25)),
                seen("connection-pool", "most wait for a pool", s -> s.always("wait.pool", 25)),
                seen("", "some do, while whoever has a connection lacks a CPU", s -> s.always("wait.pool", 14)),
                seen(
                        "waiting-workers",
                        "a permit",
                        s -> s.workers(63, 200).always("wait.other", 60).always("runqueue.wait", 0.3)),
                seen(
                        "waiting-workers",
                        "a permit, while hardly a thread lacks a CPU",
                        s -> s.clients(300, 1000, 0.3)
                                .workers(190, 200)
                                .always("wait.other", 185)
                                .always("runqueue.wait", 1.5)),
                seen(
                        "",
                        "the result of threads that lack a CPU",
                        s -> s.workers(63, 200).always("wait.other", 60).always("runqueue.wait", 4)),
                seen(
                        "one-thread",
                        "a line in front of a thread",
                        s -> oneThread(s).always("runqueue.wait", 3)),
                seen(
                        "",
                        "threads that lack a CPU, one of them most",
                        s -> oneThread(s).always("runqueue.wait", 20)),
                seen(
                        "one-thread",
                        "a thread that uses a CPU by itself",
                        s -> s.cpus(8)
                                .cpu(1.1)
                                .always("busiest.cpu", 0.95)
                                .always("cpu.total", 1.1)
                                .always("cpu.workers", 1.1)),
                seen("log-lock", "most stand at a lock", s -> atLogLock(s, 25)),
                seen("", "some do, and whoever holds it may lack a CPU", s -> atLogLock(s, 14)));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @MethodSource("figures")
    void onlyThatIsToldWhichOthersCannotCause(String rule, String what, Seen seen) {
        assertThat(DiagnoseExperiment.conclude(seen.trial(), Optional.empty())
                        .bottleneck()
                        .map(Finding::rule)
                        .orElse(""))
                .isEqualTo(rule);
    }

    /** Without the others, all of it is told. */
    @ParameterizedTest(name = "{1}")
    @MethodSource("figures")
    void aloneAllOfItIsFound(String rule, String what, Seen seen) {
        assertThat(seen.first()).isNotEmpty();
    }
}
