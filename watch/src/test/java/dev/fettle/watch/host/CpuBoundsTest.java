package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuBoundsTest {
    @TempDir
    Path root;

    private void file(String name, String text) throws IOException {
        Path f = root.resolve(name);
        Files.createDirectories(f.getParent());
        Files.writeString(f, text + "\n");
    }

    private CpuBounds bounds(Integer... cpus) {
        return CpuBounds.of(new Proc(root.resolve("proc")), 7, Set.of(cpus), root.resolve("cg"), root.resolve("cpu"));
    }

    @Test
    void theTightestQuotaOnTheWayUpCounts() throws IOException {
        file("proc/7/cgroup", "0::/pod/app");
        file("cg/pod/app/cpu.max", "max 100000");
        file("cg/pod/cpu.max", "150000 100000");
        assertThat(bounds(0).quota().optional()).hasValue(1.5);
    }

    @Test
    void version1HasItsOwnFiles() throws IOException {
        file("proc/7/cgroup", "4:cpu,cpuacct:/app\n2:memory:/app\n0::/");
        file("cg/cpu/app/cpu.cfs_quota_us", "50000");
        file("cg/cpu/app/cpu.cfs_period_us", "100000");
        assertThat(bounds(0).quota().optional()).hasValue(0.5);
    }

    @Test
    void noQuotaIsNotTheSameAsNotKnown() throws IOException {
        assertThat(bounds(0).quota().optional()).isEmpty();
        file("proc/7/cgroup", "4:cpu:/\n0::/");
        file("cg/cpu/cpu.cfs_quota_us", "-1");
        file("cg/cpu/cpu.cfs_period_us", "100000");
        assertThat(bounds(0).quota().optional()).hasValue(Double.POSITIVE_INFINITY);
    }

    @Test
    void twoCpusOfOneCoreAreOneCore() throws IOException {
        for (int cpu = 0; cpu < 4; cpu++) {
            file("cpu/cpu" + cpu + "/topology/thread_siblings_list", cpu % 2 + "," + (cpu % 2 + 2));
        }
        assertThat(bounds(0, 2).cores()).contains(1);
        assertThat(bounds(0, 2).neighbours()).isEmpty();
        assertThat(bounds(0, 1).cores()).contains(2);
        assertThat(bounds(0, 1).neighbours()).containsExactly(2, 3);
        assertThat(bounds(0, 9).cores()).isEmpty();
    }
}
