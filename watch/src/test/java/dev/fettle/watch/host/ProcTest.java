package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws IOException {
        Path f = root.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text);
    }

    @Test
    void cpuSecondsAreUserPlusSystemEvenWithParenthesesInTheName() throws IOException {
        file("7/stat", "7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 4711 1000 10 0 0\n");
        assertThat(new Proc(root).cpuSeconds(7).optional()).hasValue(3.0);
        assertThat(new Proc(root).startTicks(7)).hasValue(4711);
    }

    @Test
    void aThreadOfTheKernelIsNoProcess() throws IOException {
        file("2/stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0\n");
        file("7/stat", "7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 5 0 4711 1000 10 0 0\n");
        assertThat(new Proc(root).isKernelThread(2)).isTrue();
        assertThat(new Proc(root).isKernelThread(7)).isFalse();
        assertThat(new Proc(root).isKernelThread(8)).isFalse();
        assertThat(new Proc().isKernelThread(ProcessHandle.current().pid())).isFalse();
    }

    @Test
    void aProcessThatIsGoneHasNoFigures() {
        assertThat(new Proc(root).cpuSeconds(7).optional()).isEmpty();
        assertThat(new Proc(root).tcpCounters(7)).isEmpty();
        assertThat(new Proc(root).threads(7)).isEmpty();
        assertThat(new Proc(root).allowedCpus("7")).isEmpty();
    }

    @Test
    void stealIsTheShareOfTheTimeOfTheGivenCpus() throws IOException {
        file("stat", "cpu 0 0 0 0 0 0 0 0 0 0\ncpu0 100 0 0 100 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n");
        var before = Proc.CpuTimes.of(new Proc(root).cpuTimes().orElseThrow(), Set.of(0));
        file("stat", "cpu 0 0 0 0 0 0 0 0 0 0\ncpu0 150 0 0 140 0 0 0 10 0 0\ncpu1 900 0 0 0 0 0 0 900 0 0\n");
        var after = Proc.CpuTimes.of(new Proc(root).cpuTimes().orElseThrow(), Set.of(0));
        assertThat(after.stealSince(before)).isEqualTo(0.1);
    }

    @Test
    void countersAreReadByHeaderNameWhateverTheirOrder() throws IOException {
        file(
                "7/net/netstat",
                "TcpExt: SyncookiesSent ListenOverflows TCPSynRetrans\nTcpExt: 1 22 333\nIpExt: X\nIpExt: 9\n");
        file("7/net/snmp", "Tcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 44\n");
        assertThat(new Proc(root).tcpCounters(7))
                .containsEntry("ListenOverflows", 22L)
                .containsEntry("TCPSynRetrans", 333L)
                .containsEntry("RetransSegs", 44L)
                .doesNotContainKey("X");
    }

    @Test
    void limitsUnlimitedIsNoLimit() throws IOException {
        file(
                "self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max processes             unlimited            unlimited            processes\n"
                        + "Max open files            1024                 524288               files\n");
        assertThat(new Proc(root).softLimit("self", "Max open files")).hasValue(1024);
        assertThat(new Proc(root).softLimit("self", "Max processes")).isEmpty();
    }

    @Test
    void theLiveProcKnowsThisProcess() {
        var proc = new Proc();
        long me = ProcessHandle.current().pid();
        assertThat(proc.cpuSeconds(me).orElseThrow()).isPositive();
        assertThat(proc.allowedCpus("self")).isNotEmpty();
        assertThat(proc.tcpCounters(me)).containsKey("ListenOverflows");
        assertThat(proc.arguments(me)).isNotEmpty();
        assertThat(proc.threads(me)).anyMatch(t -> t.name().startsWith("C1 CompilerThre"));
        // a short first read of such a file returns only its first digit
        assertThat(proc.sysctl("kernel.pid_max").map(Integer::parseInt).orElseThrow())
                .isGreaterThan(9);
        assertThat(proc.loadAverage().optional()).isPresent();
    }

    @Test
    void aProcessIsTheSameOneByItsStart() throws Exception {
        var live = new Proc();
        Process sleep = new ProcessBuilder("sleep", "60").start();
        long started = live.startTicks(sleep.pid()).orElseThrow();
        assertThat(live.runs(sleep.pid(), started)).isTrue();
        assertThat(live.runs(sleep.pid(), started + 1)).isFalse();
        assertThat(live.user(Long.toString(sleep.pid())))
                .isEqualTo(live.user("self"))
                .isPresent();
        sleep.destroyForcibly().waitFor();
        assertThat(live.runs(sleep.pid(), started)).isFalse();
        assertThat(live.user("no-such")).isEmpty();
    }

    /** {@code /proc} answers to the id of a thread as to a process's. */
    @Test
    void theIdOfAThreadIsToldFromAProcesss() {
        var live = new Proc();
        long me = ProcessHandle.current().pid();
        long thread = live.tasks(me).stream().filter(t -> t != me).findFirst().orElseThrow();
        assertThat(live.startTicks(thread)).as("it looks like one").isPresent();
        assertThat(live.isAThread(me)).isEmpty();
        assertThat(live.isAThread(thread)).hasValue(thread + " is a thread of process " + me + ": name that one");
        assertThat(live.isAThread(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void aContainersNetworkIsToldFromTheOwnOne(@TempDir Path proc) throws IOException {
        for (String of : List.of("self net:[1]", "7 net:[1]", "8 net:[2]")) {
            String[] f = of.split(" ");
            Files.createDirectories(proc.resolve(f[0] + "/ns"));
            Files.createSymbolicLink(proc.resolve(f[0] + "/ns/net"), Path.of(f[1]));
        }
        assertThat(new Proc(proc).sharesNetwork(7)).contains(true);
        assertThat(new Proc(proc).sharesNetwork(8)).contains(false);
        assertThat(new Proc(proc).sharesNetwork(9))
                .as("gone, or another user's")
                .isEmpty();
    }
}
