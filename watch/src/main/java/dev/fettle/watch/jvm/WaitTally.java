package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * What the workers wait for, over many samples of their stacks: how many are in each state, the locks they wait for and
 * their owners, the pools, and the application's frames they are in. Its size is bounded. Reading it never blocks, even
 * if a look hangs in a call to the JVM.
 */
final class WaitTally {
    /** Names kept of each kind. */
    private static final int MOST_KEPT = 200;

    /** Names reported of each kind. */
    private static final int MOST_TOLD = 8;

    /** Packages of the JDK: the first frame outside them is the caller. */
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private final Map<String, Seen> locks = new HashMap<>();
    private final Map<String, Seen> pools = new HashMap<>();
    private final Map<String, Seen> frames = new HashMap<>();
    private final Map<String, Seen> throwing = new HashMap<>();
    private Map<WorkerState, Integer> last = Map.of();
    private int looks;

    /** One name over all looks. */
    private static final class Seen {
        private int most;
        private long total;
        private int looks;
        private final Map<String, Integer> details = new HashMap<>();

        private void add(int now, List<String> with) {
            most = Math.max(most, now);
            total += now;
            looks++;
            for (String detail : with) {
                if (details.size() < MOST_KEPT || details.containsKey(detail)) {
                    details.merge(detail, 1, Integer::sum);
                }
            }
        }

        /** The detail seen with it most often. */
        private Optional<String> detail() {
            return details.entrySet().stream()
                    .max(Map.Entry.<String, Integer>comparingByValue()
                            .thenComparing(
                                    Map.Entry.<String, Integer>comparingByKey().reversed()))
                    .map(Map.Entry::getKey);
        }
    }

    /** One sample's count for one name. */
    private static final class Now {
        private int count;
        private final List<String> details = new ArrayList<>();
    }

    /**
     * Records one look.
     *
     * @param workers with their innermost frames; null for a thread that has ended
     * @param idle number of further workers that are known to be idle
     * @param meant how many workers those with frames stand for
     * @param others finds a thread that is not a worker, by its id
     */
    void add(ThreadInfo[] workers, int idle, int meant, LongFunction<Optional<ThreadInfo>> others) {
        var counts = new EnumMap<WorkerState, Integer>(WorkerState.class);
        var byId = new HashMap<Long, Optional<ThreadInfo>>();
        Arrays.stream(workers).filter(t -> t != null).forEach(t -> byId.put(t.getThreadId(), Optional.of(t)));
        var lockNow = new HashMap<String, Now>();
        var poolNow = new HashMap<String, Now>();
        var frameNow = new HashMap<String, Now>();
        var throwNow = new HashMap<String, Now>();
        for (ThreadInfo t : workers) {
            if (t == null) {
                continue;
            }
            StackTraceElement[] stack = t.getStackTrace();
            WorkerState state = WorkerState.of(t.getThreadState(), stack);
            counts.merge(state, 1, Integer::sum);
            if (state == WorkerState.LOCKED) {
                LockInfo lock = t.getLockInfo();
                note(lockNow, lock == null ? "a lock of unknown class" : lock.getClassName(), owner(t, byId, others));
            }
            if (state == WorkerState.POOL) {
                WorkerState.pool(stack).ifPresent(p -> note(poolNow, p, caller(stack)));
            }
            if (state.busy() && stack.length > 0) {
                note(frameNow, caller(stack), state.words());
            }
            if (throwing(stack)) {
                note(throwNow, caller(stack), state.words());
            }
        }
        int read = counts.values().stream().mapToInt(Integer::intValue).sum();
        double each = read == 0 ? 1 : Math.max(1, (double) meant / read);
        // frames are counted as they were read: their shares are what is told, and one stack is not sixteen
        for (Map<String, Now> now : List.of(lockNow, poolNow)) {
            now.values().forEach(n -> n.count = (int) Math.round(n.count * each));
        }
        scale(counts, meant);
        counts.merge(WorkerState.IDLE, idle, Integer::sum);
        synchronized (this) {
            looks++;
            last = counts;
            merge(lockNow, locks);
            merge(poolNow, pools);
            merge(frameNow, frames);
            merge(throwNow, throwing);
        }
    }

    /** Scales a sample up to all workers: the largest remainders are rounded up, so that the sum is right. */
    static void scale(Map<WorkerState, Integer> counts, int meant) {
        int read = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (read == 0 || meant <= read) {
            return;
        }
        var remainders = new ArrayList<Map.Entry<WorkerState, Integer>>();
        int given = 0;
        for (Map.Entry<WorkerState, Integer> e : counts.entrySet()) {
            int all = e.getValue() * meant;
            remainders.add(Map.entry(e.getKey(), all % read));
            e.setValue(all / read);
            given += all / read;
        }
        remainders.sort(Map.Entry.<WorkerState, Integer>comparingByValue().reversed());
        for (int i = 0; i < meant - given; i++) {
            counts.merge(remainders.get(i).getKey(), 1, Integer::sum);
        }
    }

    private static void note(Map<String, Now> now, String name, String detail) {
        Now n = now.computeIfAbsent(name, _ -> new Now());
        n.count++;
        n.details.add(detail);
    }

    private static void merge(Map<String, Now> now, Map<String, Seen> all) {
        now.forEach((name, n) -> {
            if (all.size() < MOST_KEPT || all.containsKey(name)) {
                all.computeIfAbsent(name, _ -> new Seen()).add(n.count, n.details);
            }
        });
    }

    /** Who holds the lock, and what that thread does. */
    private static String owner(
            ThreadInfo waiter, Map<Long, Optional<ThreadInfo>> known, LongFunction<Optional<ThreadInfo>> others) {
        if (waiter.getLockOwnerId() < 0) {
            return "its holder is not known; asked for in " + caller(waiter.getStackTrace());
        }
        Optional<ThreadInfo> owner = known.computeIfAbsent(waiter.getLockOwnerId(), others::apply);
        String where = owner.map(ThreadInfo::getStackTrace)
                .filter(s -> s.length > 0)
                .map(s -> " in " + frame(s[0]) + (isJdk(s[0]) ? ", called from " + caller(s) : ""))
                .orElse("");
        return "held by a thread" + where + "; asked for in " + caller(waiter.getStackTrace());
    }

    /** The innermost frame outside the JDK; the innermost of all if there is none. */
    static String caller(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(f -> !isJdk(f))
                .findFirst()
                .or(() -> Arrays.stream(stack).findFirst())
                .map(WaitTally::frame)
                .orElse("no frame");
    }

    /**
     * Whether an exception is being created, or its stack read: among the innermost frames, before any of the
     * application.
     */
    static boolean throwing(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .takeWhile(WaitTally::isJdk)
                .anyMatch(f -> f.getClassName().equals(Throwable.class.getName())
                        || f.getClassName().equals(StackTraceElement.class.getName()));
    }

    private static boolean isJdk(StackTraceElement f) {
        return JDK.stream().anyMatch(f.getClassName()::startsWith);
    }

    private static String frame(StackTraceElement f) {
        return f.getClassName() + "." + f.getMethodName();
    }

    /** How many workers were in each state at the last look; empty before the first. */
    synchronized Map<WorkerState, Integer> last() {
        return last;
    }

    /** Number of looks. */
    synchronized int looks() {
        return looks;
    }

    /** The sightings: locks, pools and frames, each with the ones that delayed most first. */
    synchronized List<Sighting> sightings() {
        var all = new ArrayList<Sighting>();
        tell(all, Sighting.LOCK, locks, s -> s.most);
        tell(all, Sighting.POOL, pools, s -> s.most);
        // by total, as this is a share of all stacks: one look with many does not count more
        tell(all, Sighting.FRAME, frames, s -> s.total);
        tell(all, Sighting.THROWS, throwing, s -> s.total);
        return all;
    }

    private void tell(List<Sighting> all, String kind, Map<String, Seen> seen, ToDoubleFunction<Seen> count) {
        seen.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Seen>>comparingLong(e -> -e.getValue().total)
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_TOLD)
                .forEach(e -> all.add(
                        new Sighting(kind, e.getKey(), count.applyAsDouble(e.getValue()), detail(e.getValue()))));
    }

    private String detail(Seen s) {
        String often = "seen in " + s.looks + " of " + looks + " looks";
        return s.detail().map(d -> d + "; " + often).orElse(often);
    }
}
