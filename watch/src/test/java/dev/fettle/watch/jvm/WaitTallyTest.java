package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTallyTest {
    @ParameterizedTest
    @CsvSource({
        // read: running, in a lock; meant; then
        "10, 54, 64,  10, 54",
        "16, 48, 200, 50, 150",
        "1, 63, 100,  2, 98",
        "33, 31, 65,  34, 31",
        "0, 64, 500,  0, 500",
        "0, 0, 0,     0, 0",
        "3, 1, 2,     3, 1",
    })
    void theStacksThatWereReadStandForAll(int running, int locked, int meant, int allRunning, int allLocked) {
        Map<WorkerState, Integer> counts = new EnumMap<>(WorkerState.class);
        if (running > 0) {
            counts.put(WorkerState.RUNNING, running);
        }
        if (locked > 0) {
            counts.put(WorkerState.LOCKED, locked);
        }
        WaitTally.scale(counts, meant);
        assertThat(counts.getOrDefault(WorkerState.RUNNING, 0)).isEqualTo(allRunning);
        assertThat(counts.getOrDefault(WorkerState.LOCKED, 0)).isEqualTo(allLocked);
    }
}
