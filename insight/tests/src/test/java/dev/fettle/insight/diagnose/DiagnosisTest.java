package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DiagnosisTest {
    private static Seen dumped(Seen s, String method) {
        return s.sighted("frame", method, 9, "runs; seen in 9 of 9 looks");
    }

    /** Two carriers of virtual threads, both taken. */
    private static Seen carriers(Seen s) {
        return s.always("virtual.carriers", 2).always("virtual.mounted", 2).always("virtual.queued", 30);
    }

    private static final List<String> RULES =
            Diagnosis.rules().stream().map(Diagnosis.InWords::id).toList();

    private static Arguments seen(String rule, UnaryOperator<Seen> what) {
        return Arguments.of(rule, what.apply(new Seen()));
    }

    /** A thread that is ready for a share of the time and uses part of a CPU, and workers that wait for something of no known kind. */
    private static Seen oneThread(Seen s, double cpu, double ready, double used, double waiting) {
        return s.cpu(cpu)
                .always("cpu.total", cpu)
                .always("cpu.workers", 0.2)
                .always("cpu.app", used)
                .always("busiest.cpu", used)
                .always("busiest.ready", ready)
                .always("wait.other", waiting);
    }

    /** On eight CPUs, with a thread that uses so much of one, and all threads that serve so much of all. */
    private static Seen busiest(Seen s, double one, double all) {
        return s.cpus(8)
                .cpu(all)
                .always("busiest.cpu", one)
                .always("cpu.total", all)
                .always("cpu.workers", all)
                .sighted(Sighting.BUSIEST, "event-loop", one, "");
    }

    /** A target that ran out of memory at a thousand requests a second, each second so many sessions more, and a heap that fills. */
    private static Seen outOfMemory(Seen s, int sessions) {
        return s.failed(Kind.OUT_OF_MEMORY)
                .always("load.rate", 1000)
                .over(
                        "sessions.active",
                        DoubleStream.iterate(0, n -> n + sessions)
                                .limit(Seen.SECONDS)
                                .toArray())
                .over(
                        "heap.live",
                        DoubleStream.iterate(9 << 20, n -> n + (5 << 20))
                                .limit(Seen.SECONDS)
                                .toArray())
                .always("heap.max", 64 << 20)
                .always("gc.share", 0.3);
    }

    /** Each with the figures that its rule is about, and its near miss, which must not be it. */
    static Stream<Arguments> figures() {
        double mb = 1 << 20;
        return Stream.of(
                seen("heap-exhausted", s -> s.failed(Kind.OUT_OF_MEMORY)),
                // a heap that ran full of sessions, and one that ran full beside a few
                seen("sessions-pile-up", s -> outOfMemory(s, 900)),
                seen("heap-exhausted", s -> outOfMemory(s, 4)),
                seen(
                        "direct-memory-exhausted",
                        s -> s.failed(
                                        Kind.OUT_OF_MEMORY,
                                        "java.lang.OutOfMemoryError: Cannot reserve 16384 bytes of direct buffer memory")
                                .over("gc.explicit", 0, 0, 27)),
                // what explains why it failed comes before whatever else was slow: the JDK sleeps where no buffer is
                // left
                seen(
                        "native-memory-grows",
                        s -> s.failed(
                                        Kind.OUT_OF_MEMORY,
                                        "java.lang.OutOfMemoryError: Cannot reserve 16384 bytes of direct buffer memory")
                                .always("wait.sleep", 20)
                                .over(
                                        "memory.rss",
                                        DoubleStream.iterate(2e8, x -> x + 2e7)
                                                .limit(Seen.SECONDS)
                                                .toArray())
                                .always("heap.committed", 6.4e7)),
                seen("threads-limit", s -> s.failed(Kind.PROCESS_LIMIT)),
                seen("deadlock", s -> s.sighted("dump.deadlock", "no answers", 2, "a waits for b, b waits for a")),
                seen("", s -> s.always("threads.deadlocked", 0)),
                seen("hung", s -> s.failed(Kind.HUNG)),
                seen("died", s -> s.failed(Kind.DIED)),
                seen("deadlock", s -> s.always("threads.deadlocked", 2)),
                seen("descriptors-used-up", s -> s.always("fds.open", 900).always("fds.limit", 1024)),
                seen("", s -> s.always("fds.open", 700).always("fds.limit", 1024)),
                seen(
                        "connections-left-open",
                        s -> s.over("sockets.closeWait", 10, 100, 200, 300).always("sockets.established", 100)),
                seen("", s -> s.always("sockets.closeWait", 300).always("sockets.established", 100)),
                seen("ports-used-up", s -> s.errors(ErrorKind.OTHER, 50)),
                seen("", s -> s.errors(ErrorKind.OTHER, 5)),
                seen("cpu-quota", s -> s.always("cgroup.throttled", 0.4)),
                seen("", s -> s.always("cgroup.throttled", 0.04)),
                seen("heap-small", s -> s.gc(0.4).always("heap.live", 90 * mb).always("heap.max", 100 * mb)),
                seen("allocation", s -> s.gc(0.2).always("heap.live", 20 * mb).always("heap.max", 100 * mb)),
                // others have the CPU: its pauses are a small part of the time, but it has a part of what the target
                // gets
                seen(
                        "allocation",
                        s -> s.gc(0.07)
                                .always("cpu.gc", 0.07)
                                .always("cpu.total", 0.5)
                                .always("heap.live", 20 * mb)
                                .always("heap.max", 100 * mb)),
                seen("", s -> s.gc(0.08).always("heap.live", 90 * mb).always("heap.max", 100 * mb)),
                seen("explicit-gc", s -> s.gc(0.3).always("gc.explicit", 2)),
                seen("", s -> s.always("gc.explicit", 0)),
                seen(
                        "humongous-allocation",
                        s -> s.gc(0.3).always("gc.humongous", 3).always("gc.count", 4)),
                seen(
                        "expensive-method",
                        s -> s.cpu(0.97)
                                .sighted("frame", "com.example.Parser.parse", 8, "runs; seen in 9 of 9 looks")
                                .sighted("frame", "org.apache.coyote.Thing.run", 2, "runs; seen in 9 of 9 looks")),
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .sighted("frame", "com.example.Parser.parse", 1, "runs; seen in 2 of 9 looks")
                                .sighted("frame", "org.apache.coyote.Thing.run", 9, "runs; seen in 9 of 9 looks")),
                // a profile goes before stacks, which lie where a thread can be stopped: its method is another
                seen(
                        "expensive-method",
                        s -> dumped(s.cpu(0.97), "com.example.Page.render")
                                .profiled(6_000, "T.run", "com.other.Parser.parse", "java.util.regex.Pattern.match")
                                .profiled(3_700, "T.run", "com.example.Page.render")),
                // the collector, the kernel and the server itself have the rest
                seen(
                        "cpu-full",
                        s -> dumped(s.cpu(0.97), "com.example.Page.render")
                                .profiled(2_500, "org.apache.coyote.T.run", "com.example.Page.render")
                                .profiled(4_000, "GCTaskThread::run() [libjvm]", "do_futex [kernel]")
                                .profiled(3_200, "com.example.Filter.filter", "org.apache.coyote.T.run")),
                // Java code alone was sampled, and that is a third of what was used
                seen(
                        "cpu-full",
                        s -> dumped(s.cpu(0.97), "com.example.Page.render").profiled(2_800, "com.example.Page.render")),
                // most of its stacks were not kept: a part of what was is no part of all; if less was kept, the dumped
                // stacks
                seen(
                        "expensive-method",
                        s -> s.cpu(0.97)
                                .profiled(4_700, "[stacks of little weight]")
                                .profiled(2_500, "com.example.Page.render")
                                .profiled(2_500, "org.apache.coyote.T.run")),
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .profiled(6_000, "[stacks of little weight]")
                                .profiled(3_700, "com.example.Page.render")),
                // the flight recorder counts threads in Java code, with a CPU or without: 24 s of 9.7 s, and the
                // collector had half
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .always("cpu.total", 0.97)
                                .always("cpu.workers", 0.45)
                                .always("cpu.jit", 0.5)
                                .flightRecorded()
                                .profiled(9_600, "com.example.Page.render")
                                .profiled(14_400, "org.apache.coyote.T.run")),
                // five threads at most each time are a small part of many CPUs
                seen(
                        "expensive-method",
                        s -> s.cpu(0.97)
                                .always("cpu.total", 0.97)
                                .always("cpu.workers", 0.8)
                                .always("cpu.app", 0.1)
                                .flightRecorded()
                                .profiled(1_200, "com.example.Page.render")
                                .profiled(1_300, "org.apache.coyote.T.run")),
                // Netty's own work
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .profiled(9_000, "io.netty.channel.unix.FileDescriptor.writeAddress")
                                .profiled(700, "reactor.core.publisher.FluxMap.onNext")),
                // too few samples for a share
                seen(
                        "expensive-method",
                        s -> dumped(s.cpu(0.97), "com.example.Page.render").profiled(900, "com.other.Parser.parse")),
                seen("cpu-full", s -> s.cpu(0.97)),
                seen("", s -> s.cpu(0.8)),
                // one CPU: a thread that has most of it is the limit where others wait for it
                seen("cpu-full", s -> s.cpu(0.97).always("busiest.cpu", 0.8).always("cpu.total", 0.97)),
                seen("one-thread", s -> busiest(s, 0.95, 1.1)),
                // three that work, each for a client; a compiler at work beside a thread that has a part; clients
                // enough for no line
                seen("", s -> busiest(s, 0.95, 2.9)),
                seen("", s -> busiest(s, 0.4, 0.7).always("cpu.hottest", 0.97).always("cpu.jit", 0.97)),
                seen("", s -> busiest(s, 0.95, 1.1).always("load.inflight", 1.5)),
                seen("one-thread", s -> oneThread(s, 0.97, 0.99, 0.5, 36)),
                // beside others, who have the CPU for half of the time
                seen("one-thread", s -> oneThread(s, 0.5, 0.95, 0.3, 36)),
                // it rests; it uses little of what serves: what the workers wait for is not that thread; they do not
                // wait
                seen("waiting-workers", s -> oneThread(s, 0.5, 0.6, 0.3, 36)),
                seen("waiting-workers", s -> oneThread(s, 0.8, 0.95, 0.1, 36)),
                seen("cpu-full", s -> oneThread(s, 0.97, 0.99, 0.5, 10)),
                // a stack or two are not all of them, nor most of the CPU time
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97).sighted("frame", "com.example.Page.render", 2, "runs; seen in 1 of 9 looks")),
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .always("wait.running", 0.1)
                                .always("cpu.workers", 0.9)
                                .sighted("frame", "com.example.Page.render", 9, "runs; seen in 1 of 90 looks")),
                // most workers wait for a permit or a result; fewer; with full CPUs; with more of the time in front of
                // them
                seen("waiting-workers", s -> s.workers(63, 200).always("wait.other", 60)),
                seen("clients", s -> s.workers(63, 200).always("wait.other", 30)),
                seen("cpu-full", s -> s.workers(63, 200).cpu(0.97).always("wait.other", 60)),
                seen("workers-full", s -> s.workers(4, 4).always("wait.other", 3.8)),
                seen("waiting-workers", s -> s.workers(50, 50).always("wait.other", 48)),
                // I/O threads that wait for a service; one of four that does
                seen(
                        "before-the-workers",
                        s -> s.workers(0, 16)
                                .always("io.threads", 2)
                                .always("io.blocked", 1.9)
                                .sighted("io.frame", "com.example.Client.call", 19, "waits for a socket")),
                seen("", s -> s.always("io.threads", 4).always("io.blocked", 1)),
                seen(
                        "exceptions",
                        s -> s.cpu(0.97)
                                .sighted("frame", "com.example.Shop.find", 9, "runs; seen in 9 of 9 looks")
                                .sighted("throws", "com.example.Shop.find", 5, "runs; seen in 8 of 9 looks")),
                seen(
                        "expensive-method",
                        s -> s.cpu(0.97)
                                .sighted("frame", "com.example.Shop.find", 9, "runs; seen in 9 of 9 looks")
                                .sighted("throws", "com.example.Shop.find", 0.5, "runs; seen in 1 of 9 looks")),
                seen(
                        "expensive-method",
                        s -> s.cpu(0.97)
                                .sighted(
                                        "frame",
                                        "org.apache.coyote.http11.filters.GzipOutputFilter.doWrite",
                                        9,
                                        "runs; seen in 9 of 9 looks")),
                // the methods that are told are a third of the stacks that run: four of a hundred make an exception
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .stacks(100, 4, 0)
                                .sighted("frame.runs", "com.example.Shop.find", 20, "seen in 9 of 9 looks")
                                .sighted("frame.runs", "com.other.Words.split", 15, "seen in 8 of 9 looks")
                                .sighted("throws", "com.example.Shop.find", 4, "runs; seen in 3 of 9 looks")),
                seen(
                        "exceptions",
                        s -> s.cpu(0.97)
                                .stacks(100, 12, 0)
                                .sighted("frame.runs", "com.example.Shop.find", 20, "seen in 9 of 9 looks")
                                .sighted("throws", "com.example.Shop.find", 8, "runs; seen in 3 of 9 looks")),
                // of the CPU time, where there is a profile of it, whatever the stacks say
                seen(
                        "exceptions",
                        s -> dumped(s.cpu(0.97), "com.example.Page.render")
                                .profiled(
                                        1_500,
                                        "com.example.Shop.find",
                                        "java.lang.Exception.<init>",
                                        "java.lang.Throwable.fillInStackTrace",
                                        "JVM_FillInStackTrace [libjvm]")
                                .profiled(8_200, "org.apache.coyote.T.run")),
                seen(
                        "cpu-full",
                        s -> dumped(s.cpu(0.97), "com.example.Shop.find")
                                .sighted("throws", "com.example.Shop.find", 5, "runs; seen in 8 of 9 looks")
                                .profiled(
                                        500,
                                        "com.example.Shop.find",
                                        "java.lang.Exception.<init>",
                                        "java.lang.Throwable.fillInStackTrace")
                                .profiled(9_200, "org.apache.coyote.T.run")),
                // the flight recorder does not see the JVM's part of an exception, which is most of it
                seen(
                        "exceptions",
                        s -> dumped(s.cpu(0.97), "com.example.Shop.find")
                                .sighted("throws", "com.example.Shop.find", 5, "runs; seen in 8 of 9 looks")
                                .flightRecorded()
                                .profiled(9_700, "org.apache.coyote.T.run")),
                seen(
                        "tls-handshakes",
                        s -> s.cpu(0.97)
                                .tls(10_000)
                                .profiled(
                                        3_000,
                                        "org.apache.tomcat.util.net.SecureNioChannel.tasks",
                                        "sun.security.ssl.SSLEngineImpl$DelegatedTask.run")
                                .profiled(6_700, "org.apache.coyote.T.run")),
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .tls(10_000)
                                .stacks(100, 0, 12)
                                .sighted("frame.runs", "org.apache.tomcat.util.net.SecureNioChannel.tasks", 12, "seen")
                                .sighted("frame.runs", "org.apache.coyote.T.run", 9, "seen")),
                seen(
                        "delayed-ack",
                        s -> s.workers(63, 200).always("wait.socket", 60).always("sockets.held", 55)),
                seen("lock", s -> s.always("wait.lock", 14)),
                // a line at a lock whose holder waits for a CPU
                seen("cpu-full", s -> s.cpu(0.97).always("wait.lock", 14)),
                seen("lock", s -> s.cpu(0.97).always("wait.lock", 30)),
                // a service that takes as long: nothing is held back
                seen(
                        "backend-wait",
                        s -> s.workers(63, 200).always("wait.socket", 60).always("sockets.held", 0.4)),
                seen(
                        "virtual-pinned",
                        s -> s.cpu(0.2)
                                .always("virtual.carriers", 2)
                                .always("virtual.mounted", 2)
                                .always("virtual.queued", 30)),
                // two carriers that compute, on eight CPUs; two on one CPU, and it has no more
                seen("", s -> carriers(s.cpus(8).cpu(2))),
                seen("virtual-pinned", s -> carriers(s.cpus(8).cpu(1.3))),
                seen("cpu-full", s -> carriers(s.cpu(0.97))),
                seen(
                        "",
                        s -> s.cpu(0.7)
                                .always("virtual.carriers", 2)
                                .always("virtual.mounted", 1.5)
                                .always("virtual.queued", 3)),
                seen("lock", s -> s.always("wait.lock", 25).sighted("lock", "com.example.Cache", 25, "held")),
                seen("", s -> s.always("wait.lock", 5)),
                seen(
                        "log-lock",
                        s -> s.always("wait.lock", 25)
                                .sighted("lock", "org.apache.logging.log4j.core.appender.FileManager", 25, "")),
                seen("connection-pool", s -> s.always("wait.pool", 25)),
                seen(
                        "connection-pool",
                        s -> s.always("pool.HikariPool-1.pending", 3).always("pool.HikariPool-1.max", 2)),
                seen(
                        "disk-wait",
                        s -> s.always("wait.file", 20)
                                .sighted(
                                        "frame",
                                        "com.example.Shop.save",
                                        9,
                                        "reads or writes a file; seen in 9 of 9 looks")),
                seen(
                        "disk-wait",
                        s -> s.cpu(0.97)
                                .always("wait.file", 10)
                                .always("disk.busy", 0.6)
                                .always("disk.write", 600 * mb)),
                // the disk is busy with something else
                seen(
                        "cpu-full",
                        s -> s.cpu(0.97)
                                .always("wait.file", 10)
                                .always("disk.busy", 0.6)
                                .always("disk.write", mb)),
                seen("sleeping-workers", s -> s.always("wait.sleep", 20)),
                seen("name-lookups", s -> s.always("wait.lookup", 20)),
                seen("slow-clients", s -> s.always("wait.client", 20)),
                // whoever has slept enough looks asleep until it gets a CPU
                seen("cpu-full", s -> s.cpu(0.97).always("wait.sleep", 16)),
                // 64 clients: nothing queues, all of it is in the workers
                seen("backend-wait", s -> s.workers(63, 200).always("wait.socket", 60)),
                // 4 workers: most of a request's time is spent in front of them
                seen("workers-full", s -> s.workers(4, 4).always("wait.socket", 3.8)),
                // the workers wait at a lock: the queue in front of them is its doing
                seen("lock", s -> s.workers(4, 4).always("wait.lock", 2.9)),
                seen("before-the-workers", s -> s.workers(2, 200)),
                seen("before-the-workers", s -> s.workers(2, 200).always("runqueue.wait", 0.4)),
                // they wait for a CPU
                seen("", s -> s.workers(2, 200).always("runqueue.wait", 3)),
                seen("keep-alive-off", s -> s.reconnects(9_000)),
                seen("", s -> s.reconnects(500)),
                seen("server-errors", s -> s.status(200, 9_000).status(500, 1_000)),
                seen("read-timeouts", s -> s.errors(ErrorKind.READ_TIMEOUT, 2_000)),
                seen("refused", s -> s.errors(ErrorKind.REFUSED, 2_000)),
                seen("sessions-pile-up", s -> s.over("sessions.active", 0, 3000, 6000, 9000)),
                seen(
                        "live-heap-grows",
                        s -> s.over(
                                        "heap.live",
                                        DoubleStream.iterate(20 * mb, x -> x + 5 * mb)
                                                .limit(10)
                                                .toArray())
                                .always("heap.max", 100 * mb)),
                seen(
                        "native-memory-grows",
                        s -> s.over(
                                        "memory.rss",
                                        DoubleStream.iterate(200 * mb, x -> x + 20 * mb)
                                                .limit(10)
                                                .toArray())
                                .always("heap.committed", 64 * mb)),
                seen("clients", s -> s.workers(62, 200)));
    }

    @ParameterizedTest
    @MethodSource("figures")
    void theFirstFindingIsWhatTheFiguresAreAbout(String rule, Seen seen) {
        assertThat(seen.first()).isEqualTo(rule);
    }

    @Test
    void aHeapThatRanFullOfSessionsIsTheirSymptom() {
        Finding first =
                Diagnosis.of(outOfMemory(new Seen(), 900).trial()).findings().getFirst();
        assertThat(first.sentence()).contains("8,100 sessions more after 10,000 requests");
        assertThat(first.symptoms()).anyMatch(s -> s.startsWith("The heap is too small for what it holds"));
    }

    /** An OutOfMemoryError is told by what the process writes, which is read where Fettle started it. */
    @Test
    void whetherAHeapRanFullIsNotSeenFromOutside() {
        String[] told = {"heap-exhausted", "direct-memory-exhausted", "threads-limit"};
        for (Target up : List.of(
                new Target.Url(URI.create("http://127.0.0.1:8080")),
                new Target.Running(17, Optional.empty(), false, false, Optional.empty()))) {
            Diagnosis d = Diagnosis.of(new Seen().of(up).trial());
            assertThat(d.notObserved()).extracting(Looked::rule).contains(told);
            assertThat(d.healthy()).extracting(Looked::rule).doesNotContain(told);
        }
        assertThat(Diagnosis.of(new Seen().trial()).healthy())
                .extracting(Looked::rule)
                .contains(told);
    }

    @Test
    void whatIsNotObservedIsNeverHealthy() {
        Diagnosis d = Diagnosis.of(new Seen().notLooked().trial());
        assertThat(d.findings()).isEmpty();
        assertThat(d.notObserved())
                .extracting(Looked::rule)
                .contains("cpu-full", "lock", "heap-small", "workers-full", "deadlock", "descriptors-used-up");
        assertThat(d.healthy())
                .extracting(Looked::rule)
                .doesNotContain("cpu-full", "lock", "heap-small", "workers-full", "deadlock", "descriptors-used-up");
    }

    @Test
    void everyRuleFindsOrIsHealthyOrIsNotObserved() {
        Diagnosis d = Diagnosis.of(new Seen().trial());
        var told = Stream.concat(d.healthy().stream(), d.notObserved().stream())
                .map(Looked::rule)
                .toList();
        assertThat(told).doesNotHaveDuplicates().isSubsetOf(RULES);
        assertThat(RULES).doesNotHaveDuplicates();
    }

    @Test
    void whatShowsAFindingIsInTheCatalogueOfSignals() {
        var known = dev.fettle.model.trial.Signal.all().stream()
                .map(dev.fettle.model.trial.Signal::id)
                .toList();
        assertThat(RULES.stream().flatMap(r -> Diagnosis.signals(r).stream()))
                .isNotEmpty()
                .isSubsetOf(known);
        assertThat(Diagnosis.signals("log-lock")).first().isEqualTo("wait.lock");
        assertThat(Diagnosis.signals("no-such-rule")).isEmpty();
    }

    @Test
    void aSymptomIsToldWithItsCauseAndNotBesideIt() {
        List<Finding> found = Diagnosis.of(new Seen()
                        .workers(4, 4)
                        .always("wait.lock", 3.5)
                        .errors(ErrorKind.READ_TIMEOUT, 2_000)
                        .trial())
                .findings();
        assertThat(found).extracting(Finding::rule).containsExactly("lock");
        assertThat(found.getFirst().symptoms()).hasSize(2).anyMatch(s -> s.contains("no complete answer in time"));
    }

    @Test
    void everyFindingSaysWhatToDoAndWhatWouldRefuteIt() {
        assertThat(figures().map(a -> (Seen) a.get()[1]).flatMap(s -> Diagnosis.of(s.trial()).findings().stream()))
                .isNotEmpty()
                .allSatisfy(f -> {
                    assertThat(f.remedy()).as(f.rule()).isNotBlank();
                    assertThat(f.refutedBy()).as(f.rule()).isNotBlank();
                    assertThat(f.sentence()).as(f.rule()).endsWith(".");
                    assertThat(RULES).contains(f.rule());
                });
    }

    /** The story of a login page (docs/documents/login.md): each fault mended shows the next one. */
    @Test
    void theThirdDocumentsStory() {
        double mb = 1 << 20;
        assertThat(List.of(
                        // b: 500 clients, 200 threads held by a backend, the rest waits in line until it is too late
                        new Seen()
                                .clients(500, 1000, 0.5)
                                .workers(50, 50)
                                .cpu(0.3)
                                .always("wait.socket", 20)
                                .errors(ErrorKind.READ_TIMEOUT, 400)
                                .first(),
                        // c, d: full collections; the session of every request lives for 30 minutes
                        new Seen()
                                .gc(0.5)
                                .cpu(0.95)
                                .always("heap.live", 950 * mb)
                                .always("heap.max", 1000 * mb)
                                .first(),
                        // f: less than half of the pool, CPU 70 %, the log's lock
                        new Seen()
                                .clients(500, 4800, 0.1)
                                .workers(480, 2048)
                                .cpu(0.7)
                                .always("wait.lock", 300)
                                .sighted("lock", "org.apache.log4j.Logger", 60, "")
                                .first()))
                .isEqualTo(Arrays.asList("workers-full", "heap-small", "log-lock"));
    }

    /** Fewer busy workers than their own CPU time needs were not all seen: no law is used on them. */
    @Test
    void aHoldingTimeShorterThanItsCpuTimeIsNotBelieved() {
        var few = DiagnoseExperiment.conclude(
                new Seen()
                        .workers(0.2, 200)
                        .cpu(0.98)
                        .always("cpu.workers", 0.8)
                        .trial(),
                Optional.empty());
        assertThat(few.laws())
                .contains(
                        "The law of holding times is not used: only 0.2 workers were seen busy, while they used 80 % of a"
                                + " CPU: requests as short as these are mostly missed by samples of the threads.");
        assertThat(few.healthy()).noneMatch(l -> l.words().contains("held its worker for"));
        var enough = DiagnoseExperiment.conclude(
                new Seen().workers(2, 200).cpu(0.98).always("cpu.workers", 0.8).trial(), Optional.empty());
        assertThat(enough.laws()).anyMatch(l -> l.startsWith("Holding time: 2"));
    }

    /** A period of which five milliseconds are lost counts like one that is lost altogether. */
    @Test
    void aQuotaIsToldByItsPeriodsAndByWhatItWithholds() {
        Finding held = Diagnosis.of(new Seen().always("cgroup.throttled", 0.6).trial())
                .findings()
                .getFirst();
        assertThat(held.sentence()).contains("held back in 60 % of its periods").doesNotContain("of the time");
        assertThat(held.share().optional()).isEmpty();
        Finding full = Diagnosis.of(new Seen()
                        .cpu(0.48)
                        .always("cgroup.throttled", 0.6)
                        .always("cgroup.quota", 0.5)
                        .trial())
                .findings()
                .getFirst();
        assertThat(full.rule()).isEqualTo("cpu-quota");
        assertThat(full.share().optional())
                .as("withheld CPUs are no share of a request's time")
                .isEmpty();
        assertThat(full.evidence()).contains("CPU 96 % of the 0.500 CPUs that its quota allows");
    }

    /** Busy workers are counted and classed at different times: 40 of 38 is not said. */
    @Test
    void moreThanAllDoNotWait() {
        var all = DiagnoseExperiment.conclude(
                new Seen().workers(38, 200).always("wait.sleep", 40).trial(), Optional.empty());
        assertThat(all.bottleneck().orElseThrow().sentence()).startsWith("38 of 38 busy workers sleep");
    }

    /** The samples of the flight recorder are no seconds: what is said is whose share of the CPU time they divide. */
    @Test
    void aFlightRecordingIsOfJavaCodeOnly() {
        var seen = new Seen()
                .cpu(0.97)
                .always("cpu.total", 1)
                .always("cpu.workers", 0.5)
                .always("cpu.jit", 0.5)
                .flightRecorded()
                .profiled(36_000, "com.other.Parser.parse")
                .profiled(12_000, "org.apache.coyote.T.run");
        Finding f = Diagnosis.of(seen.trial()).findings().getFirst();
        assertThat(f.sentence())
                .contains(
                        "have 38 % of the target's CPU time in a profile of 10.0 s (Java Flight Recorder, whose samples are of Java code:"
                                + " the threads that run it have 50 % of the CPU time)");
    }

    /** As many samples of eight CPUs have, each with a stack of its own: most were merged, and a method's weight is what it was. */
    @Test
    void aMethodInManyLightStacksIsNotLost() {
        var seen = new Seen().cpu(0.97);
        for (int i = 0; i < 10_000; i++) {
            String way = "com.example.Way" + i + ".go";
            seen.profiled(0.6, "T.run", way, "com.other.Parser.parse", "java.util.regex.Pattern.match");
            seen.profiled(0.36, "T.run", way, "org.apache.coyote.T.run");
        }
        Finding f = Diagnosis.of(seen.trial()).findings().getFirst();
        assertThat(f.title()).isEqualTo("The CPUs are full, mostly with com.other.Parser.parse");
        assertThat(f.sentence()).contains("have 62 % of the target's CPU time");
    }

    /** The method is the profile's; what is said of it is what the profile has. */
    @Test
    void theMethodIsTheProfiles() {
        var seen = dumped(new Seen().cpu(0.97), "com.example.Page.render")
                .profiled(6_000, "T.run", "com.other.Parser.parse", "java.util.regex.Pattern.match")
                .profiled(1_000, "T.run", "com.other.Words.split")
                .profiled(2_700, "T.run", "com.example.Page.render");
        Finding f = Diagnosis.of(seen.trial()).findings().getFirst();
        assertThat(f.title()).isEqualTo("The CPUs are full, mostly with com.other.Parser.parse");
        assertThat(f.sentence()).contains("have 72 % of the target's CPU time in a profile of 10.0 s (a profiler 1.0)");
        assertThat(f.remedy()).doesNotContain("profile");
        Finding dumped = Diagnosis.of(
                        dumped(new Seen().cpu(0.97), "com.example.Page.render").trial())
                .findings()
                .getFirst();
        assertThat(dumped.remedy()).as("stacks only").contains("See it in a profile first");
    }
}
