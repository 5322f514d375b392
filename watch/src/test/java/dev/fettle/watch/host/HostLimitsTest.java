package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLimitsTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws IOException {
        Path f = root.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text);
    }

    private void process(String pid, int user, int threads, String capabilities) throws IOException {
        file(
                pid + "/status",
                "Name:\tx\nUid:\t" + user + "\t" + user + "\t" + user + "\t" + user + "\nThreads:\t" + threads
                        + "\nCapEff:\t" + capabilities + "\n");
        file(
                pid + "/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max processes             900                  900                  processes\n"
                        + "Max open files            1024                 1024                 files\n");
    }

    @Test
    void aUsersLimitCountsTheThreadsOfAllHisProcesses() throws IOException {
        process("7", 1000, 40, "0000000000000000");
        process("8", 1000, 2, "0000000000000000");
        process("9", 0, 500, "000001ffffffffff");
        file("meminfo", "MemTotal: 9 kB\nMemAvailable:    2048 kB\n");
        file("sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        HostLimits limits = HostLimits.of(new Proc(root), "7", root.resolve("none"));
        assertThat(limits.processes()).hasValue(900);
        assertThat(limits.processesNow()).hasValue(42);
        assertThat(limits.files()).hasValue(1024);
        assertThat(limits.ports()).hasValue(28_232);
        assertThat(limits.memory()).hasValue(2048 * 1024);
        assertThat(limits.tasks()).isEmpty();
    }

    @Test
    void rootAndWhoHasTheCapabilityAreNotHeldToIt() throws IOException {
        process("7", 0, 1, "0000000000000000");
        process("8", 1000, 1, "0000000001000000"); // CAP_SYS_RESOURCE
        process("9", 1000, 1, "0000000000000001");
        var proc = new Proc(root);
        assertThat(HostLimits.unbound(proc, "7").orElseThrow()).contains("root");
        assertThat(HostLimits.unbound(proc, "8").orElseThrow()).contains("CAP_SYS_RESOURCE");
        assertThat(HostLimits.unbound(proc, "9")).isEmpty();
        assertThat(HostLimits.of(proc, "7", root).processes()).isEmpty();
        assertThat(HostLimits.of(proc, "9", root).processes()).hasValue(900);
    }

    @Test
    void theTightestControlGroupOnTheWayUpCounts() throws IOException {
        process("7", 1000, 1, "0");
        file("7/cgroup", "0::/a/b\n");
        file("groups/a/pids.max", "200\n");
        file("groups/a/pids.current", "150\n");
        file("groups/a/b/pids.max", "max\n");
        file("groups/a/b/pids.current", "3\n");
        HostLimits limits = HostLimits.of(new Proc(root), "7", root.resolve("groups"));
        assertThat(limits.tasks()).hasValue(200);
        assertThat(limits.tasksNow()).hasValue(150);
    }

    @Test
    void theOlderFormOfControlGroups() throws IOException {
        process("7", 1000, 1, "0");
        file("7/cgroup", "12:cpu,cpuacct:/x\n5:pids:/box\n0::/box\n");
        file("groups/pids/box/pids.max", "64\n");
        file("groups/pids/box/pids.current", "9\n");
        HostLimits limits = HostLimits.of(new Proc(root), "7", root.resolve("groups"));
        assertThat(limits.tasks()).hasValue(64);
        assertThat(limits.tasksNow()).hasValue(9);
    }

    @Test
    void thisMachinesOwnAreRead() {
        HostLimits limits = HostLimits.of(new Proc(), "self");
        assertThat(limits.ports().orElseThrow()).isPositive();
        assertThat(limits.memory().orElseThrow()).isPositive();
        assertThat(limits.processesNow().orElseThrow()).isPositive();
    }
}
