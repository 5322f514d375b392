package dev.fettle.watch.jvm;

import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.KnownMethod.Cost;
import dev.fettle.model.trial.KnownMethods;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.StackFrames;
import dev.fettle.watch.signal.SignalSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What the workers wait for, over many samples of their stacks: how many are in each state, the locks they wait for and
 * their owners, the pools, and the application's frames they are in. Its size is bounded. Reading it never blocks, even
 * if a look hangs in a call to the JVM.
 */
final class WaitTally {
    /** Names kept of each kind. */
    private static final int MOST_KEPT = 200;

    /** Share of those that wait for locks of a class from which on it is one lock that they wait for. */
    private static final double MOST_AT_ONE = 0.8;

    /** Names reported of each kind. */
    private static final int MOST_TOLD = 8;

    /** The same of methods that run: those of a package are summed up. */
    private static final int MOST_RUN_FRAMES = 24;

    /** The kinds of sightings that it tells. */
    static final List<String> KINDS = List.of(
            Sighting.LOCK,
            Sighting.POOL,
            Sighting.FRAME,
            Sighting.RUN_FRAME,
            Sighting.RUN_OWN,
            Sighting.METHOD_RUNS,
            Sighting.METHOD_WAITS,
            Sighting.THROWS,
            Sighting.STACKS);

    /** Those of them that are told of all threads that ran. */
    private static final List<String> OF_ALL =
            List.of(Sighting.RUN_FRAME, Sighting.RUN_OWN, Sighting.METHOD_RUNS, Sighting.THROWS, Sighting.STACKS);

    static final List<String> KINDS_OF_ALL =
            OF_ALL.stream().map(Sighting::ofAll).toList();

    private final Map<String, Seen> locks = new HashMap<>();
    private final Map<String, Seen> pools = new HashMap<>();
    private final Map<String, Seen> frames = new HashMap<>();
    private final Map<String, Seen> runFrames = new HashMap<>();
    private final Map<String, Seen> runOwn = new HashMap<>();
    private final Map<String, Seen> throwing = new HashMap<>();
    private final Map<String, Seen> methodsRun = new HashMap<>();
    private final Map<String, Seen> methodsWait = new HashMap<>();

    /** Stacks that run: all, and those of which more is known. */
    private final Map<String, Long> stacks = new HashMap<>();

    private Map<WorkerState, Integer> last = Map.of();
    private int looks;

    /** Looks in the warm-up. */
    private int before;

    /** One name over all looks. */
    private static final class Seen {
        private int most;
        private long total;
        private int looks;

        /** Of the threads read that wait for a lock of this class: all, and those at the lock that most of a look wait for. */
        private long atLocks;

        private long atOneLock;
        private final Map<String, Integer> details = new HashMap<>();

        private void add(int count, Now now) {
            most = Math.max(most, count);
            total += count;
            looks++;
            atLocks += now.locks.values().stream().mapToInt(Integer::intValue).sum();
            atOneLock += now.locks.values().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            for (String detail : now.details) {
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
        private double count;

        /** Where it is a class of locks: which of them, and how many of the threads read wait for it. */
        private final Map<String, Integer> locks = new HashMap<>();

        private final List<String> details = new ArrayList<>();
    }

    /**
     * Workers of one kind.
     *
     * @param read some of them, with their innermost frames
     * @param meant how many those stand for
     */
    record Part(List<SeenThread> read, int meant) {}

    /**
     * Records one look.
     *
     * @param parts the workers whose stacks were read
     * @param idle number of further workers that are known to be idle
     * @param holders finds who holds the lock that a worker waits for, where that thread's stack was not read in this look: as it is at a
     *     moment at which it holds it
     */
    void add(List<Part> parts, int idle, Function<SeenThread, Optional<SeenThread>> holders) {
        var counts = new EnumMap<WorkerState, Integer>(WorkerState.class);
        var byId = new HashMap<Long, Optional<SeenThread>>();
        parts.forEach(p -> p.read.forEach(t -> byId.put(t.id(), Optional.of(t))));
        var lockNow = new HashMap<String, Now>();
        var poolNow = new HashMap<String, Now>();
        var frameNow = new HashMap<String, Now>();
        var runNow = new HashMap<String, Now>();
        var ownNow = new HashMap<String, Now>();
        var throwNow = new HashMap<String, Now>();
        var methodRunNow = new HashMap<String, Now>();
        var methodWaitNow = new HashMap<String, Now>();
        var stacksNow = new HashMap<String, Long>();
        for (Part part : parts) {
            // frames are counted as they were read: their shares are what is told, and one stack is not sixteen
            double each = part.read.isEmpty() ? 1 : Math.max(1, (double) part.meant / part.read.size());
            var of = new EnumMap<WorkerState, Integer>(WorkerState.class);
            for (SeenThread t : part.read) {
                StackTraceElement[] stack = t.stack();
                WorkerState state = WorkerState.of(t.state(), stack);
                of.merge(state, 1, Integer::sum);
                if (state == WorkerState.LOCKED) {
                    String lock = t.lock().isEmpty() ? "a lock of unknown class" : t.lockClass();
                    note(lockNow, lock, each, owner(t, byId, holders)).locks.merge(t.lock(), 1, Integer::sum);
                }
                if (state == WorkerState.POOL) {
                    WorkerState.pool(stack).ifPresent(p -> note(poolNow, p, each, caller(stack)));
                }
                boolean throwing = throwing(stack);
                if (state.busy() && stack.length > 0) {
                    String caller = caller(stack);
                    if (state == WorkerState.RUNNING) {
                        Optional<String> own = KnownMethods.ofProgram(outermostFirst(stack));
                        own.ifPresent(o -> note(ownNow, o, 1));
                        note(
                                runNow,
                                caller,
                                1,
                                own.filter(o -> !o.equals(caller)).map(Sighting.CALLED_FROM::concat));
                        running(stacksNow, caller, throwing);
                        known(methodRunNow, stack, Cost.CPU);
                    } else {
                        note(frameNow, caller, 1, state.words());
                        stacksNow.merge(Sighting.WAITS, 1L, Long::sum);
                        known(methodWaitNow, stack, Cost.WAIT);
                    }
                }
                if (throwing) {
                    note(throwNow, thrower(stack), 1, state.words());
                }
            }
            scale(of, part.meant);
            of.forEach((state, n) -> counts.merge(state, n, Integer::sum));
        }
        counts.merge(WorkerState.IDLE, idle, Integer::sum);
        synchronized (this) {
            looks++;
            last = counts;
            merge(lockNow, locks);
            merge(poolNow, pools);
            merge(frameNow, frames);
            merge(runNow, runFrames);
            merge(ownNow, runOwn);
            merge(throwNow, throwing);
            merge(methodRunNow, methodsRun);
            merge(methodWaitNow, methodsWait);
            stacksNow.forEach((name, n) -> stacks.merge(name, n, Long::sum));
        }
    }

    private static void running(Map<String, Long> stacks, String caller, boolean throwing) {
        stacks.merge(Sighting.RUNS, 1L, Long::sum);
        if (throwing) {
            stacks.merge(Sighting.RUNS_THROWING, 1L, Long::sum);
        }
        if (StackFrames.isTls(caller)) {
            stacks.merge(Sighting.RUNS_TLS, 1L, Long::sum);
        }
    }

    private static List<String> outermostFirst(StackTraceElement[] stack) {
        var frames = new ArrayList<String>(stack.length);
        for (int i = stack.length - 1; i >= 0; i--) {
            frames.add(frame(stack[i]));
        }
        return frames;
    }

    /** A method whose cost is known, anywhere in a stack. */
    private static void known(Map<String, Now> now, StackTraceElement[] stack, Cost cost) {
        KnownMethods.in(outermostFirst(stack), cost)
                .ifPresent(f -> note(now, f.method().id(), 1, f.caller()));
    }

    /**
     * Records all threads of a JVM that run. A virtual thread that is ready and has no carrier does not, and a carrier does what its virtual
     * thread does.
     */
    void addRunning(List<SeenThread> all) {
        List<SeenThread> run = all.stream()
                .filter(t -> t.stack().length > 0 && !onNoCpu(t.stack()[0]))
                .filter(t -> WorkerState.of(t.state(), t.stack()) == WorkerState.RUNNING)
                .toList();
        add(List.of(new Part(run, run.size())), 0, _ -> Optional.empty());
    }

    private static boolean onNoCpu(StackTraceElement innermost) {
        return innermost.getClassName().equals("java.lang.VirtualThread")
                || innermost.getClassName().startsWith("jdk.internal.vm.Continuation");
    }

    /** The same sightings, as those of all threads that ran. */
    synchronized List<Sighting> ofAll() {
        Stream<Sighting> seen = sightings().stream().filter(s -> OF_ALL.contains(s.kind()));
        Stream<Sighting> often = looks == before
                ? Stream.empty()
                : Stream.of(new Sighting(Sighting.STACKS, Sighting.LOOKS, looks - before));
        return Stream.concat(seen, often)
                .map(s -> new Sighting(Sighting.ofAll(s.kind()), s.what(), s.count(), s.detail()))
                .toList();
    }

    /** Forgets what was summed up; the last look stays. */
    synchronized void restart() {
        List.of(locks, pools, frames, runFrames, runOwn, throwing, methodsRun, methodsWait)
                .forEach(Map::clear);
        stacks.clear();
        before = looks;
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

    private static Now note(Map<String, Now> now, String name, double each) {
        Now n = now.computeIfAbsent(name, _ -> new Now());
        n.count += each;
        return n;
    }

    private static Now note(Map<String, Now> now, String name, double each, String detail) {
        return note(now, name, each, Optional.of(detail));
    }

    private static Now note(Map<String, Now> now, String name, double each, Optional<String> detail) {
        Now n = note(now, name, each);
        detail.ifPresent(n.details::add);
        return n;
    }

    private static void merge(Map<String, Now> now, Map<String, Seen> all) {
        now.forEach((name, n) -> {
            if (all.size() < MOST_KEPT || all.containsKey(name)) {
                all.computeIfAbsent(name, _ -> new Seen()).add((int) Math.round(n.count), n);
            }
        });
    }

    /** Who holds the lock, and what that thread does. */
    private static String owner(
            SeenThread waiter,
            Map<Long, Optional<SeenThread>> known,
            Function<SeenThread, Optional<SeenThread>> holders) {
        String unknown = "its holder is not known; asked for in " + caller(waiter.stack());
        if (waiter.owner() < 0) {
            return unknown;
        }
        Optional<SeenThread> owner = known.computeIfAbsent(waiter.owner(), _ -> holders.apply(waiter));
        // one that waits for its next task holds nothing: its stack is of another moment
        if (owner.filter(o -> o.stack().length > 0
                        && !WorkerState.of(o.state(), o.stack()).busy())
                .isPresent()) {
            return unknown;
        }
        String where = owner.map(SeenThread::stack)
                .filter(s -> s.length > 0)
                .map(s -> " in " + frame(s[0]) + (isJdk(s[0]) ? ", called from " + caller(s) : ""))
                .orElse("");
        return "held by a thread" + where + "; asked for in " + caller(waiter.stack());
    }

    /** The innermost frame outside the JDK; the innermost of all if there is none. */
    static String caller(StackTraceElement[] stack) {
        for (StackTraceElement f : stack) {
            if ((!isJdk(f) || KnownMethods.isServer(frame(f))) && !StackFrames.isGenerated(frame(f))) {
                return StackFrames.plain(frame(f));
            }
        }
        return stack.length == 0 ? "no frame" : frame(stack[0]);
    }

    /** Who makes an exception: not its own constructor, if that can be said. */
    private static String thrower(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(f -> !isJdk(f) && !f.getMethodName().equals("<init>"))
                .map(WaitTally::frame)
                .filter(f -> !StackFrames.isGenerated(f))
                .map(StackFrames::plain)
                .findFirst()
                .orElseGet(() -> caller(stack));
    }

    /**
     * Whether an exception is being created, or its stack read: among the innermost frames, before any of the
     * application.
     */
    static boolean throwing(StackTraceElement[] stack) {
        return Arrays.stream(stack).takeWhile(WaitTally::isJdk).anyMatch(f -> StackFrames.throwing(f.getClassName()));
    }

    private static boolean isJdk(StackTraceElement f) {
        return JdkPackages.have(f.getClassName());
    }

    private static String frame(StackTraceElement f) {
        return f.getClassName() + "." + f.getMethodName();
    }

    /** How many workers were in each state at the last look; empty before the first. */
    synchronized Map<WorkerState, Integer> last() {
        return last;
    }

    /** Tells sightings of some kinds, also of which there are none. */
    static void tell(SignalSource.Sink sink, List<String> kinds, List<Sighting> all) {
        for (String kind : kinds) {
            sink.sightings(kind, all.stream().filter(s -> s.kind().equals(kind)).toList());
        }
    }

    /** Stacks that ran, since it was restarted. */
    synchronized long running() {
        return stacks.getOrDefault(Sighting.RUNS, 0L);
    }

    /** Number of looks, those in the warm-up included. */
    synchronized int looks() {
        return looks;
    }

    /**
     * The sightings: locks, pools, frames and stacks, each with the ones that delayed most over all looks first, also where the most at
     * once is told.
     */
    synchronized List<Sighting> sightings() {
        var all = new ArrayList<Sighting>();
        if (looks == before) {
            return all;
        }
        tell(all, Sighting.LOCK, locks, s -> s.most);
        tell(all, Sighting.POOL, pools, s -> s.most);
        // by total, as this is a share of all stacks: one look with many does not count more
        tell(all, Sighting.FRAME, frames, s -> s.total);
        tell(all, Sighting.RUN_FRAME, runFrames, s -> s.total);
        tell(all, Sighting.RUN_OWN, runOwn, s -> s.total);
        tell(all, Sighting.METHOD_RUNS, methodsRun, s -> s.total);
        tell(all, Sighting.METHOD_WAITS, methodsWait, s -> s.total);
        tell(all, Sighting.THROWS, throwing, s -> s.total);
        String often = "in " + (looks - before) + (looks - before == 1 ? " sample" : " samples");
        for (String name : List.of(Sighting.RUNS, Sighting.RUNS_THROWING, Sighting.RUNS_TLS, Sighting.WAITS)) {
            all.add(new Sighting(Sighting.STACKS, name, stacks.getOrDefault(name, 0L), often));
        }
        return all;
    }

    private void tell(List<Sighting> all, String kind, Map<String, Seen> seen, ToDoubleFunction<Seen> count) {
        seen.entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, Seen>>comparingLong(e -> -e.getValue().total)
                        .thenComparing(Map.Entry::getKey))
                .limit(kind.equals(Sighting.RUN_FRAME) ? MOST_RUN_FRAMES : MOST_TOLD)
                .forEach(e -> all.add(
                        new Sighting(kind, e.getKey(), count.applyAsDouble(e.getValue()), detail(e.getValue()))));
    }

    private String detail(Seen s) {
        String often = "seen in " + s.looks + " of " + (looks - before) + " samples";
        String all = s.atOneLock < MOST_AT_ONE * s.atLocks ? Sighting.DIFFERENT_LOCKS + "; " + often : often;
        return s.detail().map(d -> d + "; " + all).orElse(all);
    }
}
