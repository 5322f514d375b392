package dev.fettle.load.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class EngineSliceTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void isTakenAndLeavesPriorityNicenessAndPolicyAsTheyAre() throws Exception {
        var seen = new AtomicReference<List<String>>();
        var taken = new AtomicReference<Boolean>();
        Thread thread = new Thread(() -> {
            String before = scheduling();
            taken.set(TimeSlice.shorten());
            seen.set(List.of(before, scheduling()));
        });
        thread.start();
        thread.join();
        assertThat(taken).hasValue(true);
        assertThat(seen.get().getFirst()).isEqualTo(seen.get().getLast());
    }

    /** Priority, niceness and policy of the calling thread: fields 18, 19 and 41 of its stat. */
    private static String scheduling() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return fields[15] + " " + fields[16] + " " + fields[38];
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
