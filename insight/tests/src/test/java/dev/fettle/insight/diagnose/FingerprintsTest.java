package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Finding;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that tell a cause by how long answers take, when they are slow, and how they fail; each with near misses. */
class FingerprintsTest {
    private static Arguments seen(String rule, String what, UnaryOperator<Seen> figures) {
        return Arguments.of(rule, what, figures.apply(new Seen()));
    }

    /** Twenty half seconds at 25 ms, but for those that are named. */
    private static double[] slowAt(double millis, int... at) {
        double[] p99 = new double[20];
        Arrays.fill(p99, 25);
        for (int i : at) {
            p99[i] = millis;
        }
        return p99;
    }

    /** Twenty half seconds of next to no CPU time, but for those that are named. */
    private static double[] cpuAt(double share, int... at) {
        double[] cpu = new double[20];
        Arrays.fill(cpu, 0.004);
        for (int i : at) {
            cpu[i] = share;
        }
        return cpu;
    }

    private static double[] from(double first, double last) {
        return IntStream.range(0, 12)
                .mapToDouble(i -> first + (last - first) * i / 11)
                .toArray();
    }

    private static Seen shaking(Seen s) {
        return s.cpu(0.97)
                .sighted("frame", "org.apache.tomcat.util.net.SecureNioChannel.tasks", 6, "runs; seen in 9 of 9 looks")
                .sighted("frame", "org.apache.coyote.http11.Http11Processor.service", 4, "runs; seen in 9 of 9 looks");
    }

    /** At times a worker was seen to look a name up. */
    private static Seen lookedUp(Seen s) {
        return s.over("wait.lookup", 0, 0, 1, 0, 0);
    }

    /** So many megabytes of a heap of 1,000 on the swap device, and faults a second. */
    private static Seen swapped(Seen s, double megabytes, double faults) {
        return s.always("swap.used", megabytes * 1e6).always("heap.max", 1e9).always("faults.major", faults);
    }

    static Stream<Arguments> figures() {
        return Stream.of(
                seen("slow-lookup", "3 in 1,000 at 5 s", s -> lookedUp(s.took(20, 9970, 5_050, 30))),
                seen("slow-lookup", "asked twice: 10 s", s -> lookedUp(s.took(20, 9990, 10_100, 10))),
                seen("calls-time-out", "what workers do was not seen", s -> s.took(20, 9990, 10_100, 10)),
                seen(
                        "calls-time-out",
                        "a few of 200 busy workers, of which 32 are read at a look",
                        s -> s.workers(200, 400).took(20, 9995, 5_050, 5).always("wait.lookup", 0)),
                seen(
                        "slow-lookup",
                        "at times a worker was seen to look one up",
                        s -> s.took(20, 9970, 5_050, 30).over("wait.lookup", 0, 0, 0, 1, 0)),
                seen(
                        "calls-time-out",
                        "none was, at a single look",
                        s -> s.took(20, 9995, 5_050, 5).over("wait.lookup", 0)),
                seen(
                        "calls-time-out",
                        "none was, at any time, though fifteen would have been at once",
                        s -> s.took(20, 9970, 5_050, 30).always("wait.lookup", 0)),
                seen(
                        "",
                        "nor were there enough of them",
                        s -> s.took(20, 99_990, 5_050, 3).always("wait.lookup", 0)),
                seen("", "slow, at no time-out of a resolver", s -> s.took(20, 9970, 3_000, 10, 4_000, 10, 5_050, 10)),
                seen("", "everything slow, some of it five seconds", s -> s.took(7_000, 80, 5_050, 30, 34_000, 200)),
                seen("", "one answer of three hundred", s -> s.took(20, 300, 5_050, 1)),
                seen("", "too rare", s -> s.took(20, 99_990, 5_050, 3)),
                seen(
                        "delayed-ack",
                        "a plateau at 40 ms that workers do not hold",
                        s -> s.clients(64, 1000, 0.064).workers(5, 200).took(2, 4000, 41, 6000)),
                seen(
                        "",
                        "the same answers, which wait in their workers",
                        s -> s.clients(64, 1000, 0.064).workers(41, 200).took(2, 4000, 41, 6000)),
                seen(
                        "delayed-ack",
                        "a plateau at 200 ms",
                        s -> s.clients(64, 1000, 0.064).workers(5, 200).took(2, 4000, 203, 6000)),
                seen(
                        "delayed-ack",
                        "a single client, whose socket holds a write back nearly all the time",
                        s -> s.clients(1, 25, 0.04).workers(0.95, 200).always("sockets.held", 0.95)),
                seen(
                        "delayed-ack",
                        "two, whose sockets do so at times, and a plateau",
                        s -> s.clients(2, 90, 0.022)
                                .workers(0.2, 200)
                                .always("sockets.held", 0.6)
                                .took(2, 400, 41, 500)),
                seen(
                        "before-the-workers",
                        "a plateau, and the kernel holds nothing back: an asynchronous call takes as long",
                        s -> s.clients(64, 1000, 0.064)
                                .workers(5, 200)
                                .always("sockets.held", 0.1)
                                .took(2, 4000, 41, 6000)),
                seen(
                        "before-the-workers",
                        "no plateau: as many at 30 and 60 ms",
                        s -> s.clients(64, 1000, 0.064).workers(5, 200).took(30, 4000, 41, 4000, 55, 4000)),
                seen(
                        "native-memory-grows",
                        "more than the heap had left to touch",
                        s -> s.over("memory.rss", from(2e8, 4e8))
                                .always("heap.committed", 1.28e8)
                                .always("heap.used", 3e7)),
                seen(
                        "",
                        "a heap that is touched for the first time",
                        s -> s.over("memory.rss", from(2e8, 2.6e8))
                                .always("heap.committed", 2.56e8)
                                .always("heap.used", 9e7)),
                seen(
                        "native-memory-grows",
                        "as much, in direct buffers",
                        s -> s.over("memory.rss", from(2e8, 2.6e8))
                                .over("memory.direct", from(1e6, 6e7))
                                .always("heap.committed", 2.56e8)
                                .always("heap.used", 9e7)),
                seen("connects-sent-again", "a second to connect", s -> s.connects(1.02)),
                seen("", "half a second to connect", s -> s.connects(0.5)),
                seen("", "one of fifty", s -> s.connects(50, 0.01, 1, 1.02)),
                seen("connects-sent-again", "ten of fifty", s -> s.connects(50, 0.01, 10, 1.02)),
                seen("connects-sent-again", "three of two hundred", s -> s.connects(200, 0.01, 3, 1.02)),
                seen("", "a second, but with a TLS handshake", s -> s.tls(100).connects(1.02)),
                seen(
                        "accept-queue",
                        "connects dropped at a full queue",
                        s -> s.connects(1.02).dropped(50)),
                seen("", "few dropped", s -> s.connects(0.02).dropped(5)),
                seen(
                        "long-pauses",
                        "a pause as long as the tail",
                        s -> s.always("gc.pauseMax", 200).slowest(0.25)),
                seen("", "a short one", s -> s.always("gc.pauseMax", 40).slowest(0.05)),
                seen(
                        "",
                        "a tail that is far longer than the pause",
                        s -> s.always("gc.pauseMax", 60).slowest(0.9)),
                seen("periodic-job", "slow every two seconds", s -> s.p99(slowAt(90, 1, 5, 9, 13, 17))),
                seen("", "slow as often, at no interval", s -> s.p99(slowAt(90, 1, 3, 9, 11, 19))),
                seen("", "three times only", s -> s.p99(slowAt(90, 1, 7, 13))),
                seen(
                        "periodic-job",
                        "bursts of its own threads that requests feel",
                        s -> s.p99(slowAt(50, 1, 5, 9, 13, 17)).over("cpu.app", cpuAt(0.35, 1, 5, 9, 14, 17))),
                seen(
                        "",
                        "bursts that nobody feels",
                        s -> s.p99(slowAt(30, 1, 5, 9, 13, 17)).over("cpu.app", cpuAt(0.35, 1, 5, 9, 14, 17))),
                seen(
                        "",
                        "bursts at no interval",
                        s -> s.p99(slowAt(50, 1, 3, 9, 11, 19)).over("cpu.app", cpuAt(0.35, 1, 3, 9, 11, 19))),
                seen(
                        "periodic-job",
                        "bursts of which some reads have only a part",
                        s -> s.p99(slowAt(50, 1, 5, 9, 13, 17))
                                .over(
                                        "cpu.app", 0.004, 0.35, 0.35, 0.09, 0.09, 0.3, 0.3, 0.01, 0.01, 0.3, 0.3, 0.3,
                                        0.09, 0.35, 0.35, 0.004, 0.004, 0.4, 0.4, 0.004)),
                seen(
                        "",
                        "threads that are always busy, now more, now less",
                        s -> s.p99(slowAt(50, 1, 5, 9, 13, 17))
                                .over(
                                        "cpu.app",
                                        IntStream.range(0, 20)
                                                .mapToDouble(k -> k % 4 == 1 ? 0.4 : 0.2)
                                                .toArray())),
                seen(
                        "",
                        "a timer's hundredth of a CPU",
                        s -> s.p99(slowAt(50, 1, 5, 9, 13, 17)).over("cpu.app", cpuAt(0.05, 1, 5, 9, 13, 17))),
                seen(
                        "still-warming",
                        "held for less and less, the compilers at rest",
                        s -> s.over("load.rate", from(500, 1500))
                                .over("workers.busy", from(40, 39))
                                .always("wait.sleep", 35)
                                .over("cpu.jit", from(0.03, 0.02))),
                seen(
                        "sleeping-workers",
                        "the same, but the compilers are at work, and a request sleeps as long as before",
                        s -> s.over("load.rate", from(500, 1500))
                                .over("workers.busy", from(40, 39))
                                .over("wait.sleep", from(13, 39))
                                .over("cpu.jit", from(0.6, 0.2))),
                seen(
                        "still-warming",
                        "the compilers are at work, but they can't shorten a sleep",
                        s -> s.over("load.rate", from(500, 1500))
                                .over("workers.busy", from(40, 39))
                                .always("wait.sleep", 35)
                                .over("cpu.jit", from(0.6, 0.2))),
                seen(
                        "",
                        "held for less and less, for less CPU time: its code gets quicker",
                        s -> s.over("load.rate", from(500, 1500))
                                .over("workers.busy", from(20, 19))
                                .over("cpu.total", from(12, 6))
                                .over("cpu.jit", from(0.03, 0.02))),
                seen(
                        "sleeping-workers",
                        "a steady sleep",
                        s -> s.over("load.rate", from(1000, 1010))
                                .over("workers.busy", from(40, 40))
                                .always("wait.sleep", 35)
                                .over("cpu.jit", from(0.03, 0.02))),
                seen(
                        "think-time",
                        "clients who pause for 200 ms",
                        s -> s.clients(64, 290, 0.02).workers(6, 200).think(0.2)),
                seen("large-answers", "2 MB an answer", s -> s.cpu(0.97).bytes(2 << 20)),
                seen("cpu-full", "100 kB an answer", s -> s.cpu(0.97).bytes(100 << 10)),
                seen("", "2 MB an answer, and CPU left", s -> s.cpu(0.6).bytes(2 << 20)),
                seen("tls-handshakes", "a handshake an answer", s -> shaking(s).tls(10_000)),
                seen("cpu-full", "the same, connections kept", s -> shaking(s).tls(50)),
                seen("cpu-full", "the same in clear text", FingerprintsTest::shaking),
                seen("", "handshakes, and CPU left", s -> shaking(s).tls(10_000).cpu(0.5)),
                seen("rate", "an open load that is served", s -> s.offered(1000)),
                seen("", "one that is not, and nothing seen", s -> s.offered(1200)),
                seen("cpu-full", "full by requests and compilers together", s -> s.cpu(0.98, 0.2)),
                seen("", "neither full nor nearly", s -> s.cpu(0.8, 0.3)),
                seen(
                        "workers-full",
                        "all workers, and CPU left",
                        s -> s.workers(4, 4).cpu(0.5, 0.3)),
                seen(
                        "cpu-full",
                        "all workers, and the compilers have the rest",
                        s -> s.workers(4, 4).cpu(0.95, 0.3)),
                seen("connect-timeouts", "connects that time out", s -> s.errors(ErrorKind.CONNECT_TIMEOUT, 300)),
                seen("connections-cut-off", "resets", s -> s.errors(ErrorKind.RESET, 300)),
                seen("unexpected-status", "told to come later", s -> s.answered(429, 500)),
                seen("", "one in two hundred", s -> s.answered(429, 50)),
                seen("tls-failures", "handshakes that fail", s -> s.errors(ErrorKind.TLS, 500)),
                seen("", "one in two hundred", s -> s.errors(ErrorKind.TLS, 50)),
                seen("swapping", "2 % of the heap", s -> swapped(s, 20, 3)),
                seen("", "the same, and nobody touches it", s -> swapped(s, 20, 0.2)),
                seen("", "half a per cent", s -> swapped(s, 5, 3)),
                seen(
                        "swapping",
                        "2 %, and tasks wait for memory",
                        s -> swapped(s, 20, 3).always("pressure.memory", 0.05)),
                seen(
                        "",
                        "2 %, and nobody waits for memory: the faults are of files",
                        s -> swapped(s, 20, 3).always("pressure.memory", 0.001)),
                seen(
                        "swapping",
                        "2 % of a process whose heap is unknown",
                        s -> s.always("swap.used", 2e7).always("memory.rss", 1e9)),
                seen("swapping", "pages of a file", s -> s.always("faults.major", 12)),
                seen("", "fewer of them", s -> s.always("faults.major", 9)),
                seen(
                        "",
                        "pages of a file on a quick device",
                        s -> s.always("faults.major", 12)
                                .always("pressure.memory", 0)
                                .always("pressure.io", 0.001)),
                seen(
                        "swapping",
                        "pages of a file on a slow one",
                        s -> s.always("faults.major", 12)
                                .always("pressure.memory", 0)
                                .always("pressure.io", 0.1)),
                seen("wrong-answers", "another body", s -> s.errors(ErrorKind.BODY, 300)),
                seen("", "one in ten thousand", s -> s.errors(ErrorKind.BODY, 1)));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @MethodSource("figures")
    void theFirstFindingIsWhatTheFiguresAreAbout(String rule, String what, Seen seen) {
        assertThat(seen.first()).as(what).isEqualTo(rule);
    }

    @Test
    void aSleepThatGetsShorterIsToldWithWhatGetsWarm() {
        var found = Diagnosis.of(new Seen()
                        .over("load.rate", from(500, 1500))
                        .over("workers.busy", from(40, 39))
                        .always("wait.sleep", 35)
                        .over("cpu.jit", from(0.03, 0.02))
                        .trial())
                .findings();
        assertThat(found).extracting(Finding::rule).containsExactly("still-warming");
        assertThat(found.getFirst().symptoms()).anyMatch(s -> s.contains("busy workers sleep"));
    }

    /** Compilers are hotter at first, but the bursts are not theirs. */
    @Test
    void theThreadOfTheBurstsIsNamedThoughACompilerIsHotter() {
        var found = new Seen()
                .p99(slowAt(50, 1, 5, 9, 13, 17))
                .over("cpu.app", cpuAt(0.35, 1, 5, 9, 14, 17))
                .sighted(Sighting.HOTTEST, "C2 CompilerThre", 0.55, "")
                .sighted(Sighting.HOTTEST, "nightly-job", 0.11, "")
                .sighted(Sighting.HOTTEST, "qtp1-29", 0.01, "");
        assertThat(Diagnosis.of(found.trial()).findings())
                .filteredOn(f -> f.rule().equals("periodic-job"))
                .singleElement()
                .satisfies(f -> assertThat(f.sentence() + f.evidence())
                        .contains("Threads of the application's own (nightly-job) take ")
                        .doesNotContain("C2 ", "qtp1"));
    }

    private static DiagnoseConclusion disturbed(UnaryOperator<Seen> figures) {
        return DiagnoseExperiment.conclude(
                figures.apply(new Seen().reason("disturbed", true)).trial(), Optional.empty());
    }

    @Test
    void besideOthersOnlyThatIsToldWhichWasSeenInsideTheTarget() {
        UnaryOperator<Seen> bursts =
                s -> s.p99(slowAt(50, 1, 5, 9, 13, 17)).over("cpu.app", cpuAt(0.35, 1, 5, 9, 14, 17));
        assertThat(disturbed(bursts).bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("periodic-job"));
        assertThat(disturbed(s -> s.p99(slowAt(90, 1, 5, 9, 13, 17))).bottleneck())
                .as("others may come back at an interval, too")
                .isEmpty();
        UnaryOperator<Seen> quicker = s -> s.over("load.rate", from(500, 1500))
                .over("workers.busy", from(40, 39))
                .over("cpu.jit", from(0.03, 0.02));
        assertThat(disturbed(s -> quicker.apply(s).over("wait.sleep", from(35, 20)))
                        .bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("still-warming"));
        assertThat(disturbed(quicker).bottleneck())
                .as("others may have left, and that may be why")
                .isEmpty();
    }

    @Test
    void aCollectorsOwnCpuTimeIsNobodyElses() {
        double mb = 1 << 20;
        UnaryOperator<Seen> full = s -> s.gc(0.4)
                .always("heap.live", 90 * mb)
                .always("heap.max", 100 * mb)
                .always("cpu.total", 0.9);
        assertThat(disturbed(s -> full.apply(s).always("cpu.gc", 0.3)).bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("heap-small"));
        assertThat(disturbed(s -> full.apply(s).always("cpu.gc", 0.03)).bottleneck())
                .as("short collections that took long, for want of a CPU")
                .isEmpty();
    }

    @Test
    void aQueueThatHasRoomForNobodyOverflowsWithoutOthers() {
        UnaryOperator<Seen> dropped = s -> s.connects(1.02).dropped(50);
        assertThat(disturbed(s -> dropped.apply(s).clients(2000, 1000, 0.05)).bottleneck())
                .as("room for 100 of 2,000")
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("accept-queue"));
        assertThat(disturbed(s -> dropped.apply(s).clients(200, 1000, 0.05)).bottleneck())
                .as("room for 100 of 200: others who keep the acceptor from its CPU may be why")
                .isEmpty();
    }

    @Test
    void aLineAtALockMayBeOthersDoingUnlessMostStandThere() {
        assertThat(disturbed(s -> s.always("wait.lock", 25)).bottleneck())
                .hasValueSatisfying(f -> assertThat(f.rule()).isEqualTo("lock"));
        assertThat(disturbed(s -> s.always("wait.lock", 14)).bottleneck()).isEmpty();
    }

    @Test
    void lookupsThatTimeOutFillASmallPool() {
        var found = Diagnosis.of(lookedUp(new Seen().workers(8, 8).took(20, 9970, 5_050, 30))
                        .trial())
                .findings();
        assertThat(found).extracting(Finding::rule).containsExactly("slow-lookup");
    }

    @Test
    void anAnswerWithAnErrorClosesItsConnection() {
        var found = Diagnosis.of(new Seen()
                        .status(200, 8_000)
                        .status(500, 2_000)
                        .errors(ErrorKind.STATUS, 2_000)
                        .reconnects(2_000)
                        .trial())
                .findings();
        assertThat(found).extracting(Finding::rule).containsExactly("server-errors");
        assertThat(found.getFirst().symptoms()).anyMatch(x -> x.contains("closed 2,000 connections"));
    }

    @Test
    void whoLeftConnectionsOpenIsToldByWhereTheyGo() {
        UnaryOperator<Seen> left =
                s -> s.over("sockets.closeWait", 10, 100, 200, 300).always("sockets.established", 100);
        assertThat(disturbed(s -> left.apply(s).sighted("peer.closeWait", "10.0.0.5:443", 300, ""))
                        .bottleneck())
                .hasValueSatisfying(f -> {
                    assertThat(f.rule()).isEqualTo("connections-left-open");
                    assertThat(f.sentence()).contains("most of them to 10.0.0.5:443");
                });
        assertThat(disturbed(s -> left.apply(s)
                                .sighted("client.closeWait", "from 10.0.0.9", 20, "")
                                .sighted("peer.closeWait", "10.0.0.5:443", 280, ""))
                        .bottleneck())
                .hasValueSatisfying(f -> assertThat(f.sentence()).contains("most of them to 10.0.0.5:443"));
        UnaryOperator<Seen> gaveUp = s -> left.apply(s)
                .sighted("client.closeWait", "from 10.0.0.9", 290, "")
                .sighted("peer.closeWait", "10.0.0.5:443", 10, "");
        assertThat(disturbed(gaveUp).bottleneck())
                .as("clients give up on a target that others keep from its CPUs")
                .isEmpty();
        assertThat(Diagnosis.of(gaveUp.apply(new Seen()).trial())
                        .findings()
                        .getFirst()
                        .remedy())
                .contains("own clients, who gave up");
    }

    @Test
    void aPauseOfATargetThatDiedIsToldWithoutATailThatWasNotMeasured() {
        var found = Diagnosis.of(new Seen()
                        .failed(TrialOutcome.Kind.OUT_OF_MEMORY)
                        .always("load.rate", 1000)
                        .always("gc.pauseMax", 1200)
                        .trial())
                .findings();
        assertThat(found.stream().map(f -> f.sentence() + f.symptoms()))
                .anyMatch(s -> s.contains("Its longest pause took 1.20 s"))
                .noneMatch(s -> s.contains("p99.9 is"));
    }

    @Test
    void whoseCompilersAreAtWorkIsSaidSo() {
        Finding f = Diagnosis.of(new Seen().cpu(0.98, 0.2).trial()).findings().getFirst();
        assertThat(f.sentence()).contains("20 % of it for the JVM's compilers");
    }
}
