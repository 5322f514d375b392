package dev.fettle.watch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTallyTest {
    private static SeenThread thread(long id, Thread.State state, String type, String method) {
        return new SeenThread(id, "w" + id, state, "", -1, new StackTraceElement[] {
            new StackTraceElement(type, method, null, -1), new StackTraceElement("app.Page", "get", null, -1)
        });
    }

    /** Of those that run more were read than of those that wait: each part stands for its own workers. */
    @Test
    void eachPartStandsForItsOwnWorkers() {
        var tally = new WaitTally();
        var running = List.of(
                thread(1, Thread.State.RUNNABLE, "app.Page", "sum"),
                thread(2, Thread.State.RUNNABLE, "app.Page", "sum"));
        var waiting = List.of(thread(3, Thread.State.TIMED_WAITING, "java.lang.Thread", "sleep"));
        tally.add(List.of(new WaitTally.Part(running, 2), new WaitTally.Part(waiting, 50)), 7, id -> Optional.empty());
        assertThat(tally.last())
                .containsEntry(WorkerState.RUNNING, 2)
                .containsEntry(WorkerState.SLEEP, 50)
                .containsEntry(WorkerState.IDLE, 7);
        assertThat(tally.sightings())
                .as("as they were read")
                .contains(
                        new Sighting(Sighting.FRAME, "app.Page.sum", 2, Sighting.RUNS + "; seen in 1 of 1 looks"),
                        new Sighting(Sighting.FRAME, "app.Page.get", 1, Sighting.SLEEPS + "; seen in 1 of 1 looks"));
    }

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
