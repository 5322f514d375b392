package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AvailableMemoryTest {
    @TempDir
    Path folder;

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private AvailableMemory memory(String groups) throws IOException {
        write("proc/meminfo", "MemTotal:       8388608 kB\nMemAvailable:   4194304 kB\n");
        write("proc/self/cgroup", groups);
        return new AvailableMemory(new Proc(folder.resolve("proc")), folder.resolve("cg"));
    }

    @Test
    void withoutALimitItIsTheMachines() throws Exception {
        AvailableMemory memory = memory("0::/user/x\n");
        write("cg/user/x/memory.max", "max\n");
        write("cg/user/x/memory.current", "1000\n");
        assertThat(memory.available()).hasValue(4L << 30);
        assertThat(memory.total()).hasValue(8L << 30);
    }

    @Test
    void theTightestGroupsLimitCountsWithoutCachesThatAreNotInUse() throws Exception {
        AvailableMemory memory = memory("0::/user/x\n");
        write("cg/user/memory.max", Long.toString(1L << 30));
        write("cg/user/memory.current", Long.toString(700L << 20));
        write("cg/user/memory.stat", "anon 1\ninactive_file " + (100L << 20) + "\n");
        assertThat(memory.available()).hasValue(424L << 20);
    }

    @Test
    void theFirstVersionsTreeIsReadToo() throws Exception {
        AvailableMemory memory = memory("4:memory:/not/seen/in/here\n3:cpuset:/\n");
        write("cg/memory/memory.limit_in_bytes", Long.toString(2L << 30));
        write("cg/memory/memory.usage_in_bytes", Long.toString(1L << 30));
        assertThat(memory.available()).hasValue(1L << 30);
    }
}
