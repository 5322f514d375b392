package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostSignalsTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path proc;

    private long now = 5_000 * MILLI;
    private TimelineRecorder recorder = new TimelineRecorder(500, () -> now);
    private HostSignals signals = HostSignals.ofHost(new Proc());

    @BeforeEach
    void aProcess() throws IOException {
        write("stat", "cpu 0\ncpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n");
        write("7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 3 0 0 0 0 0 20 0 4 0 100\n");
        write("7/status", "Name:\tjava\nVmRSS:\t    2048 kB\nThreads:\t4\n");
        write("7/limits", "Limit Soft Hard Units\nMax open files            1024                 4096       files\n");
        Files.createDirectories(proc.resolve("7/fd"));
        Files.writeString(proc.resolve("7/fd/0"), "");
        write("7/cgroup", "");
        thread(10, "http-nio-8080-e", 0, 0);
        thread(11, "http-nio-8080-P", 0, 0);
        thread(12, "C2 CompilerThre", 0, 0);
        signals = HostSignals.of(new Proc(proc), 7, Map::of, () -> now);
    }

    private void write(String file, String text) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void thread(int id, String name, long cpuMillis, long waitMillis) throws IOException {
        write("7/task/" + id + "/stat", id + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 " + cpuMillis / 10 + " 0 0 0\n");
        write("7/task/" + id + "/schedstat", (1 + cpuMillis * MILLI) + " " + waitMillis * MILLI + " 5\n");
        write(
                "7/task/" + id + "/status",
                "Name:\tx\nvoluntary_ctxt_switches:\t" + cpuMillis + "\nnonvoluntary_ctxt_switches:\t" + waitMillis
                        + "\n");
    }

    private Timeline sample(long millis) {
        now += millis * MILLI;
        signals.sample(recorder);
        return recorder.timeline();
    }

    private static Series of(Timeline t, String id) {
        return t.find(id).orElseThrow(() -> new AssertionError(id + " is not in " + t));
    }

    @Test
    void cpuIsToldByGroupOfThreadsAndTheHottestOneIsNamed() throws IOException {
        sample(0);
        thread(10, "http-nio-8080-e", 600, 100);
        thread(11, "http-nio-8080-P", 200, 0);
        thread(12, "C2 CompilerThre", 50, 0);
        thread(13, "order-importer", 100, 0); // has begun since
        // 1.15 s in all: 200 ms of a thread that has come and gone
        write("7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 9 0 115 0 0 0 20 0 4 0 100\n");
        Timeline t = sample(1000);

        assertThat(of(t, "cpu.workers").last().optional()).hasValue(0.6);
        assertThat(of(t, "cpu.io").last().optional()).hasValue(0.2);
        assertThat(of(t, "cpu.jit").last().optional()).hasValue(0.05);
        assertThat(of(t, "cpu.other").last().orElseThrow()).isEqualTo(0.2);
        assertThat(of(t, "cpu.total").last().optional()).hasValue(1.15);
        assertThat(of(t, "cpu.hottest").last().optional()).hasValue(0.6);
        assertThat(of(t, "runqueue.wait").last().optional()).hasValue(0.1);
        // of those that serve; it waited for a CPU, too
        assertThat(of(t, "busiest.cpu").last().optional()).hasValue(0.6);
        assertThat(of(t, "busiest.ready").last().optional()).hasValue(0.7);
        assertThat(t.sightings("thread.hottest"))
                .containsExactly(new Sighting("thread.hottest", "http-nio-8080-e", 0.6));
        assertThat(t.notObserved()).containsKey("cpu.gc").doesNotContainKey("cpu.io");
        assertThat(of(t, "faults.major").last().optional()).hasValue(6);
        assertThat(of(t, "memory.rss").last().optional()).hasValue(2_097_200);
        assertThat(of(t, "fds.open").last().orElseThrow()).isPositive();
        assertThat(of(t, "fds.limit").last().optional()).hasValue(1024);
    }

    /** CPU 1 of two, and one that the machine does not have. */
    @Test
    void theCpusThatItMayRunOnAreToldApart() throws IOException {
        write("7/status", "Name:\tjava\nThreads:\t4\nCpus_allowed_list:\t1-2\n");
        signals = HostSignals.of(new Proc(proc), 7, Map::of, () -> now);
        sample(0);
        write("stat", "cpu 0\ncpu0 10 0 0 90 0 0 0 0\ncpu1 60 0 30 10 0 0 0 0\n");
        Timeline t = sample(1000);
        assertThat(of(t, "cpus.busy").last().optional()).hasValue(0.9);
        assertThat(of(t, "host.busy").last().optional()).hasValue(0.5);
    }

    /** There are as many threads as before, so that they need not be listed to be counted: but they are others. */
    @Test
    void aThreadThatTookThePlaceOfOneThatEndedIsSeen() throws IOException {
        write("7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 3 0 0 0 0 0 20 0 3 0 100\n");
        sample(0);
        sample(1000);
        // the file of one that has ended is empty for who has it open
        write("7/task/11/schedstat", "");
        Files.delete(proc.resolve("7/task/11/stat"));
        thread(14, "order-importer", 400, 0);
        write("7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 9 0 40 0 0 0 20 0 3 0 100\n");
        Timeline t = sample(1000);
        assertThat(of(t, "cpu.app").last().optional()).hasValue(0.4);
        assertThat(of(t, "threads.total").last().optional()).hasValue(3);
    }

    /** A server starts its workers with the first requests: what they use until the next look is theirs, and the groups add up. */
    @Test
    void aGroupThatBeginsLaterHasItsTimeFromItsBegin() throws IOException {
        sample(0);
        assertThat(sample(1000).notObserved()).containsKey("cpu.gc");
        thread(14, "GC Thread#0", 300, 0);
        write("7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 9 0 30 0 0 0 20 0 4 0 100\n");
        Timeline t = sample(1000);
        assertThat(of(t, "cpu.gc").last().optional()).hasValue(0.3);
        assertThat(of(t, "cpu.other").last().optional()).hasValue(0);
        assertThat(t.notObserved()).doesNotContainKey("cpu.gc");
    }

    @Test
    void whatIsNotThereIsNotZeroAndSaysWhy() {
        Timeline t = sample(0);
        assertThat(t.notObserved())
                .containsEntry("pressure.cpu", "this kernel keeps no pressure figures (PSI)")
                .containsEntry("cgroup.throttled", "no control group limits its CPU time")
                .containsKeys(
                        "disk.read", "disk.write", "disk.busy", "swap.used", "tcp.retransmits", "sockets.closeWait");
        assertThat(t.series()).doesNotContainKeys("disk.read", "sockets.closeWait", "pressure.cpu");
    }

    @Test
    void namesThatSomebodyKnowsInFullAreUsed() throws IOException {
        thread(10, "http-nio-18080-", 0, 0);
        thread(11, "http-nio-18080-", 0, 0);
        assertThat(sample(0).notObserved().get("cpu.io")).contains("15 characters");

        recorder = new TimelineRecorder(500, () -> now);
        signals = HostSignals.of(
                new Proc(proc), 7, () -> Map.of(10L, "http-nio-18080-exec-1", 11L, "http-nio-18080-Poller"), () -> now);
        sample(0);
        thread(10, "http-nio-18080-", 100, 0);
        thread(11, "http-nio-18080-", 300, 0);
        Timeline t = sample(1000);
        assertThat(of(t, "cpu.workers").last().optional()).hasValue(0.1);
        assertThat(of(t, "cpu.io").last().optional()).hasValue(0.3);
    }

    @Test
    void aProcessThatEndsIsSilence() throws IOException {
        sample(0);
        signals = HostSignals.of(new Proc(proc.resolve("none")), 7, Map::of, () -> now);
        recorder = new TimelineRecorder(500, () -> now);
        assertThat(sample(1000).series()).isEmpty();
    }

    @Test
    void pressureThrottlingAndDisksAreShares() throws IOException {
        write("pressure/cpu", "some avg10=1.00 avg60=0 avg300=0 total=1000000\nfull avg10=0 total=7\n");
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 1000 11\n7 0 loop0 1 2 3 4 5 6 7 8 0 0 0\n");
        sample(0);
        write("pressure/cpu", "some avg10=1.00 avg60=0 avg300=0 total=1250000\nfull avg10=0 total=7\n");
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 1400 11\n7 0 loop0 1 2 3 4 5 6 7 8 0 9999 0\n");
        Timeline t = sample(1000);
        assertThat(of(t, "pressure.cpu").last().optional()).hasValue(0.25);
        assertThat(of(t, "disk.busy").last().optional()).hasValue(0.4);
    }

    /** In a pair the partner has the machine meanwhile: what it does to the disk, and the time of its slice, are not the target's. */
    @Test
    void sharesAreNotOverARest() throws IOException {
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 1000 11\n");
        sample(0);
        thread(10, "http-nio-8080-e", 600, 0);
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 1400 11\n");
        sample(1000);
        recorder.takeLatest();
        recorder.gap();
        signals.gap();
        thread(10, "http-nio-8080-e", 700, 0);
        thread(14, "GC Thread#0", 300, 0);
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 9400 11\n");
        sample(10_000);
        assertThat(recorder.takeLatest()).doesNotContainKeys("disk.busy", "busiest.cpu", "cpu.hottest", "cpu.gc");
        thread(10, "http-nio-8080-e", 950, 0);
        write("diskstats", "8 0 sda 1 2 3 4 5 6 7 8 0 9500 11\n");
        sample(500);
        assertThat(recorder.takeLatest())
                .containsEntry("disk.busy", 0.2)
                .containsEntry("busiest.cpu", 0.5)
                .containsEntry("cpu.workers", 0.5)
                .containsEntry("cpu.gc", 0.0);
    }

    /** Live: what has come since the last look, which was too expensive to be repeated soon, is seen at the end. */
    @Test
    void theLastLookWaitsForNoTurn() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            signals = HostSignals.of(new Proc(), ProcessHandle.current().pid(), Map::of, () -> now);
            double before = of(sample(500), "sockets.closeWait").last().orElseThrow();
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort());
                    var accepted = server.accept()) {
                client.shutdownOutput();
                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
                recorder = new TimelineRecorder(500, () -> now);
                assertThat(sample(0).find("sockets.closeWait")).isEmpty();
                signals.last(recorder);
                assertThat(of(recorder.timeline(), "sockets.closeWait").last().orElseThrow())
                        .isGreaterThan(before);
            }
        }
    }

    /** Live: this process accepts connections whose peers close, and does not close its side. */
    @Test
    void connectionsThatThePeerClosedAreCountedByPeer() throws Exception {
        var accepted = new ArrayList<Socket>();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var far = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var own = new Socket(far.getInetAddress(), far.getLocalPort())) {
            for (int i = 0; i < 5; i++) {
                try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    accepted.add(server.accept());
                    client.shutdownOutput();
                }
            }
            Socket left = far.accept();
            left.close();
            assertThat(own.getInputStream().read()).isEqualTo(-1);
            signals = HostSignals.of(new Proc(), ProcessHandle.current().pid(), Map::of, () -> now);
            Timeline t = sample(500);

            assertThat(of(t, "sockets.closeWait").last().orElseThrow()).isGreaterThanOrEqualTo(6);
            List<Sighting> peers = t.sightings("peer.closeWait");
            assertThat(t.sightings("client.closeWait"))
                    .singleElement()
                    .extracting(Sighting::what)
                    .isEqualTo("from 127.0.0.1");
            assertThat(peers).contains(new Sighting("peer.closeWait", "127.0.0.1:" + far.getLocalPort(), 1));
            assertThat(of(t, "fds.open").last().orElseThrow()).isGreaterThan(10);
        } finally {
            for (Socket s : accepted) {
                s.close();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aSmallWriteThatWaitsForAnAcknowledgementIsSeen() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var client = new Socket(server.getInetAddress(), server.getLocalPort());
                var accepted = server.accept()) {
            client.setTcpNoDelay(false);
            var answering = Thread.ofVirtual().start(() -> {
                try {
                    while (accepted.getInputStream().readNBytes(2).length == 2) {
                        accepted.getOutputStream().write(1);
                    }
                } catch (IOException e) {
                    // closed
                }
            });
            var sockets = new TcpSockets(new Proc(), ProcessHandle.current().pid());
            var held = new AtomicInteger();
            // the kernel acknowledges the first ones at once; from then on each round takes 40 ms
            var asking = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 500 && held.get() == 0; i++) {
                        client.getOutputStream().write(1);
                        client.getOutputStream().write(2);
                        if (client.getInputStream().read() < 0) {
                            return;
                        }
                    }
                } catch (IOException e) {
                    // closed
                }
            });
            while (held.get() == 0 && asking.isAlive()) {
                assertThat(sockets.each(List.of(client.getLocalPort()), (s, l, r, p, i, h) -> {
                            if (h) {
                                held.incrementAndGet();
                            }
                        }))
                        .isEmpty();
            }
            assertThat(held.get()).isPositive();
            client.close();
            asking.join();
            answering.join();
        }
    }

    @Test
    void theTableOfTheKernelSaysTheSameAsSockDiag() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var client = new Socket(server.getInetAddress(), server.getLocalPort());
                var accepted = server.accept()) {
            var byKernel = new ArrayList<String>();
            var byTable = new ArrayList<String>();
            long self = ProcessHandle.current().pid();
            assertThat(new TcpSockets(new Proc(), self)
                            .each(
                                    List.of(server.getLocalPort()),
                                    (s, l, r, p, i, h) ->
                                            byKernel.add(s + " " + l + " " + r + " " + p.text() + " " + i)))
                    .isEmpty();
            // a copy of /proc is in no namespace: the table is read
            Path copy = proc.resolve(self + "/net");
            Files.createDirectories(copy);
            for (String table : List.of("tcp", "tcp6")) {
                Files.writeString(
                        copy.resolve(table),
                        new Proc().text(self + "/net/" + table).orElse(""));
            }
            assertThat(new TcpSockets(new Proc(proc), self)
                            .each(
                                    List.of(server.getLocalPort()),
                                    (s, l, r, p, i, h) ->
                                            byTable.add(s + " " + l + " " + r + " " + p.text() + " " + i)))
                    .isEmpty();
            assertThat(byKernel).hasSize(1).isEqualTo(byTable);
            assertThat(byKernel.getFirst()).contains(" " + client.getLocalPort() + " 127.0.0.1 ");
            assertThat(accepted.isConnected()).isTrue();
        }
    }
}
