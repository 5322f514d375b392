package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.watch.host.ThreadGroup;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What threads did at moments of a recording that others made, summed up as those are that Fettle looks at itself: the workers' waits, and all
 * threads at a few of the moments.
 */
public final class RecordedThreads {
    /** Carries virtual threads, which work. */
    private static final String CARRIER = "ForkJoinPool-";

    private final WaitTally tally = new WaitTally();
    private final ThreadMoments moments = new ThreadMoments(List::of, () -> 0);

    /** Whether a thread of this name works on requests in one of the servers that are known. */
    public static boolean isWorker(String name) {
        return ThreadGroup.of(name) == ThreadGroup.WORKERS && !name.startsWith(CARRIER);
    }

    /**
     * Adds what the workers did at a moment.
     *
     * @param workers those that were seen
     * @param all all threads that were seen, of which one may hold what a worker waits for
     * @return how many workers were in each state, by the signal that counts them
     */
    public Map<String, Double> look(List<SeenThread> workers, Map<Long, SeenThread> all) {
        tally.add(
                List.of(new WaitTally.Part(workers, workers.size())),
                0,
                waiter -> Optional.ofNullable(all.get(waiter.owner())));
        var now = new HashMap<String, Double>();
        tally.last().forEach((state, n) -> state.signal().ifPresent(s -> now.put(s, (double) n)));
        return now;
    }

    /** Adds what all threads did at a moment, in the order of time. */
    public void moment(long nanos, List<SeenThread> all) {
        moments.look(nanos, all);
    }

    /** The threads of a printed dump; none if it is not one. */
    public static List<SeenThread> printed(String dump) {
        return DumpReader.seen(dump);
    }

    /** The deadlock that a printed dump says there is. */
    public static Optional<Sighting> deadlock(String dump) {
        return PrintedDeadlock.of(dump).sighting();
    }

    /** Whether a thread is seen to work on something, or to wait for something while it does. */
    public static boolean isBusy(SeenThread t) {
        return WorkerState.of(t.state(), t.stack()).busy();
    }

    /** Whether a worker is lent to a connector: it accepts or selects, and works on no request. */
    public static boolean isLeased(SeenThread t) {
        return WorkerState.of(t.state(), t.stack()) == WorkerState.LEASED;
    }

    /** The signals that count workers by what they do. */
    public static List<String> signals() {
        return Arrays.stream(WorkerState.values())
                .flatMap(s -> s.signal().stream())
                .toList();
    }

    /** What the workers waited for. */
    public List<Sighting> sightings() {
        return tally.sightings();
    }

    /** What all threads did, at the moments that were added. */
    public ThreadsSeen seen() {
        return moments.seen();
    }
}
