package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Finding;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The JVM's own machinery and what surrounds it: what is named, and what is nearly that and is not. */
class MachineryRulesTest {
    private static final double MIB = 1 << 20;

    private static Arguments when(String rule, UnaryOperator<Seen> what) {
        return Arguments.of(rule, what);
    }

    private static double[] line(double from, double each) {
        return DoubleStream.iterate(from, x -> x + each).limit(Seen.SECONDS).toArray();
    }

    private static Seen disk(Seen s, double free, double size, double rate) {
        return s.always("disk.free", free * MIB)
                .always("disk.size", size * MIB)
                .always("files.grown", rate * MIB)
                .sighted(Sighting.DISK_FULL, "/var/log", 0.9, "");
    }

    private static Seen gc(Seen s, double share, int threads, double used, double waited, int cpus) {
        return s.gc(share)
                .cpus(cpus)
                .always("gc.workers", threads)
                .always("cpu.gc", used)
                .always("cpu.total", 0.9)
                .always("gc.waits", waited);
    }

    private static Seen stopped(Seen s, double all, double reach, double collecting, int times) {
        return s.gc(collecting)
                .always("safepoint.share", all)
                .always("safepoint.reach", reach)
                .always("safepoint.count", times);
    }

    private static Seen far(Seen s, double trips, double waits, double millis) {
        return s.always("sockets.trips", trips)
                .always("wait.socket", waits)
                .always("sockets.sent", 3000)
                .sighted(Sighting.PEER_ROUND_TRIP, "10.0.0.5:5432", millis, "");
    }

    private static Seen stall(Seen s, double millis, double busy, double slowest) {
        return s.over("host.stall", 1, 2, 1, millis, 2, 1, 1, 2, 1, 1)
                .always("host.busy", busy)
                .slowest(slowest);
    }

    /** A thread that is at work at some of ten moments. */
    private static Seen freeing(Seen s, String kind, int working) {
        List<String> frames =
                List.of("java.lang.ref.ReferenceQueue.remove:1", "shop.Handle.release:7", "java.lang.Thread.run:1");
        return s.threads(new ThreadsSeen(
                frames,
                IntStream.range(0, 10)
                        .mapToObj(i -> new ThreadsSeen.Moment(
                                i * 1000,
                                List.of(new ThreadsSeen.Group(
                                        kind, 1, 0, Thread.State.WAITING, List.of(i < working ? 1 : 0, 2), "", -1))))
                        .toList()));
    }

    static Stream<Arguments> found() {
        return Stream.of(
                when(
                        "code-cache-full",
                        s -> s.always("codecache.used", 92 * MIB).always("codecache.max", 100 * MIB)),
                when("gc-threads", s -> gc(s, 0.06, 16, 0.2, 0.5, 1)),
                when("gc-threads", s -> gc(s, 0.12, 1, 0.2, 0, 2)),
                when("collector-always-runs", s -> s.always("gc.concurrent", 0.9)),
                when("collector-always-runs", s -> s.always("gc.marking", 1.7).always("gc.markers", 2)),
                when("safepoints", s -> stopped(s, 0.02, 0.12, 0.01, 3)),
                when("safepoints", s -> stopped(s, 0.03, 0.03, 0, 1).over("safepoint.count", 1, 0, 1, 0, 1)),
                when("safepoints", s -> stopped(s, 0.09, 0.001, 0.03, 50)),
                when("threads-grow", s -> s.over("threads.total", line(100, 10))),
                when(
                        "metaspace-grows",
                        s -> s.over("metaspace.used", line(40 * MIB, MIB)).over("classes.loaded", line(9000, 100))),
                when("finalizers", s -> s.over("finalizers.waiting", line(500, 500))),
                when("finalizers", s -> freeing(s, "Cleaner-*", 8)),
                when("finalizers", s -> s.gc(0.4).always("gc.share", 0.4).over("finalizers.waiting", 170, 180, 30, 0)),
                when("finalizers", s -> freeing(s, "Finalizer", 10)),
                // it stopped answering soon after
                when(
                        "finalizers",
                        s -> freeing(s, "Finalizer", 2).always("gc.share", 0.4).over("finalizers.waiting", 150, 0, 0)),
                when("log-volume", s -> disk(s, 90_000, 100_000, 5)),
                when("disk-nearly-full", s -> disk(s, 40, 1_000, 0)),
                when("disk-nearly-full", s -> disk(s, 1000, 10_000, 2)),
                when("far-peer", s -> far(s, 30, 36, 20)),
                when(
                        "lossy-peer",
                        s -> s.always("sockets.sent", 1000)
                                .always("sockets.sentAgain", 20)
                                .sighted(Sighting.PEER_SENT_AGAIN, "10.0.0.5:5432", 200, "")),
                when("process-stopped", s -> s.over("process.stopped", 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
                when("host-stalls", s -> stall(s, 400, 0.3, 0.5)));
    }

    static Stream<Arguments> nearMisses() {
        return Stream.of(
                when(
                        "code-cache-full",
                        s -> s.always("codecache.used", 88 * MIB).always("codecache.max", 100 * MIB)),
                // many threads that have their CPU; that cost nothing; one thread on one CPU
                when("gc-threads", s -> gc(s, 0.06, 16, 0.2, 0.1, 1)),
                when("gc-threads", s -> gc(s, 0.02, 16, 0.2, 0.5, 1)),
                when("gc-threads", s -> gc(s, 0.12, 1, 0.2, 0, 1)),
                when("collector-always-runs", s -> s.always("gc.concurrent", 0.5)),
                when("collector-always-runs", s -> s.always("gc.marking", 0.9).always("gc.markers", 2)),
                // all of it is collection; a single slow stop
                when("safepoints", s -> stopped(s, 0.2, 0.01, 0.18, 50)),
                when("safepoints", s -> stopped(s, 0.02, 0.06, 0.01, 2)),
                when("safepoints", s -> stopped(s, 0.01, 0.01, 0, 0).over("safepoint.count", 1, 0, 0)),
                // a pool that fills, few more, and as many as there are requests
                when("threads-grow", s -> s.over("threads.total", line(100, 10)).over("workers.total", line(20, 10))),
                when("threads-grow", s -> s.over("threads.total", line(300, 2))),
                when("threads-grow", s -> s.over("threads.total", line(100, 10)).over("load.inflight", line(10, 10))),
                when("threads-grow", s -> s.over("threads.total", 100, 150, 180, 190, 195, 197, 198, 199, 199, 199)),
                when(
                        "metaspace-grows",
                        s -> s.over("metaspace.used", line(40 * MIB, MIB)).over("classes.loaded", line(9000, 1))),
                when(
                        "metaspace-grows",
                        s -> s.over(
                                        "metaspace.used",
                                        40e6,
                                        50e6,
                                        55e6,
                                        57e6,
                                        58e6,
                                        58.4e6,
                                        58.6e6,
                                        58.7e6,
                                        58.7e6,
                                        58.7e6)
                                .over("classes.loaded", 8000, 9000, 9500, 9700, 9800, 9850, 9870, 9880, 9880, 9880)),
                when("finalizers", s -> s.over("finalizers.waiting", line(5, 5))),
                when("finalizers", s -> s.over("finalizers.waiting", 170, 180, 30, 0)),
                when("finalizers", s -> s.gc(0.4).always("gc.share", 0.4).over("finalizers.waiting", 170, 0, 30, 0)),
                when("finalizers", s -> s.over("finalizers.waiting", 5000, 0, 4000, 0, 6000, 0, 5000, 10, 4000, 0)),
                when("finalizers", s -> freeing(s, "Cleaner-*", 5)),
                when("finalizers", s -> freeing(s, "Finalizer", 2).over("finalizers.waiting", 150, 0, 0)),
                when(
                        "finalizers",
                        s -> freeing(s, "Finalizer", 2).always("gc.share", 0.4).over("finalizers.waiting", 50, 0, 0)),
                when("finalizers", s -> freeing(s, "worker-*", 10)),
                // an access log; a large file now and then
                when("log-volume", s -> disk(s, 90_000, 100_000, 0.2)),
                when("log-volume", s -> disk(s, 90_000, 100_000, 3)),
                when("disk-nearly-full", s -> disk(s, 2_000, 100_000, 0)),
                when("disk-nearly-full", s -> disk(s, 800, 10_000, 0.1)),
                // a slow service close by, a far one that is hardly asked, and one that few wait for
                when("far-peer", s -> far(s, 1, 36, 0.2)),
                when("far-peer", s -> far(s, 5, 36, 20)),
                when("far-peer", s -> far(s, 3, 4, 20)),
                when("lossy-peer", s -> s.always("sockets.sent", 1000).always("sockets.sentAgain", 5)),
                when("lossy-peer", s -> s.always("sockets.sent", 1).over("sockets.sentAgain", 1, 1, 1)),
                when("process-stopped", s -> s.always("process.stopped", 0.01)),
                // late because the CPUs are full; late by little; not as late as the slowest
                when("host-stalls", s -> stall(s, 400, 0.95, 0.5)),
                when("host-stalls", s -> stall(s, 60, 0.3, 0.08)),
                when("host-stalls", s -> stall(s, 150, 0.3, 2)));
    }

    @ParameterizedTest
    @MethodSource
    void found(String rule, UnaryOperator<Seen> what) {
        List<Finding> all = Diagnosis.of(what.apply(new Seen()).trial()).findings();
        assertThat(all).extracting(Finding::rule).contains(rule);
        // its words have no figure missing
        assertThat(all)
                .filteredOn(f -> f.rule().equals(rule))
                .allSatisfy(f ->
                        assertThat(f.title() + f.sentence() + f.remedy()).doesNotContain("{", "}", "NaN", "[", "]"));
    }

    @ParameterizedTest
    @MethodSource
    void nearMisses(String rule, UnaryOperator<Seen> what) {
        assertThat(Diagnosis.of(what.apply(new Seen()).trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain(rule);
    }

    /** Pools of the JDK's number themselves, too: all of them are one kind. */
    @Test
    void poolsThatEachHaveANumberAreOneKind() {
        ThreadsSeen.Group first = new ThreadsSeen.Group("main", 1, 0, Thread.State.WAITING, List.of(), "", -1);
        var groups = new ArrayList<>(List.of(first));
        IntStream.range(0, 50)
                .forEach(i -> groups.add(new ThreadsSeen.Group(
                        "pool-" + i + "-thread-*", 2, 0, Thread.State.WAITING, List.of(), "", -1)));
        var seen = new ThreadsSeen(
                List.of(), List.of(new ThreadsSeen.Moment(0, List.of(first)), new ThreadsSeen.Moment(5000, groups)));
        Seen s = new Seen().over("threads.total", line(100, 10)).threads(seen);
        assertThat(Diagnosis.of(s.trial()).findings())
                .filteredOn(f -> f.rule().equals("threads-grow"))
                .singleElement()
                .satisfies(f -> assertThat(f.title()).contains("pool-*-thread-*"));
    }

    /** On CPUs that others use threads stop late as well: it counts where one of the program's own has most of the time. */
    @Test
    void onABusyMachineASlowStopNeedsAThreadThatRuns() {
        var busy =
                stopped(new Seen(), 0.02, 0.5, 0, 2).reason("disturbed", false).always("cpu.total", 0.8);
        assertThat(DiagnoseExperiment.conclude(busy.always("cpu.app", 0.1).trial(), Optional.empty())
                        .bottleneck()
                        .map(Finding::rule))
                .isNotEqualTo(Optional.of("safepoints"));
        assertThat(DiagnoseExperiment.conclude(busy.always("cpu.app", 0.7).trial(), Optional.empty())
                        .bottleneck()
                        .map(Finding::rule))
                .contains("safepoints");
    }

    /** A far service explains the waits for it, and threads that leak the memory that they take. */
    @Test
    void whatFollowsFromItIsItsSymptom() {
        assertThat(far(new Seen(), 30, 36, 20).first()).isEqualTo("far-peer");
        assertThat(Diagnosis.of(far(new Seen(), 30, 36, 20).trial()).findings())
                .extracting(Finding::rule)
                .doesNotContain("backend-wait");
        assertThat(gc(new Seen(), 0.2, 16, 0.2, 0.5, 1).first()).isEqualTo("gc-threads");
    }
}
