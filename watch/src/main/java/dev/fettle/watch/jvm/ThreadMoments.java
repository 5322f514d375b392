package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.ThreadsSeen.Group;
import dev.fettle.model.trial.ThreadsSeen.Moment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Looks now and then at all threads of a JVM at once, and keeps what they did: the first looks and the last ones. In each the JVM stands
 * still for a moment, so that the owner of a lock and those who wait for it are of the same one; its heap is not walked. Virtual threads are
 * asked for apart ({@link DumpedThreads}). Looks are taken by one thread.
 */
final class ThreadMoments {
    /** Shortest time between two looks at what runs. */
    private static final double RUNS_APART_SECONDS = 0.25;

    /** Until so many stacks were seen to run, it takes those however much they cost, but for no more than so much of a CPU. */
    private static final int ENOUGH_STACKS = 24;

    private static final double RUNS_MOST_SHARE = 0.03;

    /** Shortest time between two looks. */
    private static final double APART_SECONDS = 2.5;

    /** Share of one CPU that the looks may take, on both sides together. */
    private static final double SHARE = 0.008;

    /** So many looks are taken however much they cost, of the warm-up and again of the measured time, at most so far apart. */
    private static final int ENOUGH = 4;

    private static final double MOST_APART_SECONDS = 4;

    /** Moments kept: more of the last ones, as a server hangs at the end of its trial. */
    private static final int FIRST = 2;

    private static final int LAST = 4;

    /** Of the warm-up, kept until there are more than enough of the measured time. */
    private static final int OF_WARM_UP = 3;

    /** Frames of a thread that are read: below a filter chain and a proxy, the application's own are within these. */
    private static final int DEPTH = 160;

    /** Of more threads only some are looked at: the JVM would stand still for too long. */
    private static final int MOST_THREADS = 4000;

    /** These: the oldest, among which a server's own are, and the newest, which say what they are that become more and more. */
    private static final int OLDEST = 300;

    private static final int NEWEST = 100;

    /** Stacks read of those that run, at one look. */
    private static final int MOST_RUNNING = 64;

    /** Groups kept of a moment, those with most threads, and who holds what others wait for. */
    private static final int MOST_GROUPS = 300;

    /** Locks that one thread owns. */
    private static final List<String> LOCKS =
            List.of("java.util.concurrent.locks.ReentrantLock$", "java.util.concurrent.locks.ReentrantReadWriteLock$");

    /** As Helidon has one in the names of its threads. */
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]+");

    private static final double NANOS = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** A thread's stack, state and lock, and how often it has waited: where it is, until it moves. */
    private record Spot(Thread.State state, String lock, long waits, List<StackTraceElement> stack) {
        static Spot of(SeenThread t) {
            return new Spot(t.state(), t.lock(), t.waits(), Arrays.asList(t.stack()));
        }
    }

    /** What ran, at each of the looks and at some in between. */
    private final WaitTally running = new WaitTally();

    private record Sample(long nanos, List<SeenThread> threads, Set<Long> still) {}

    private final Supplier<List<SeenThread>> threads;
    private final Supplier<List<SeenThread>> runnable;
    private final LongSupplier cost;
    private final AtomicBoolean inPart;
    private final List<Sample> looks = new ArrayList<>();
    private final Map<Long, Spot> spots = new HashMap<>();
    private volatile boolean forget;
    private long began = Long.MIN_VALUE / 2;
    private volatile boolean begun;
    private volatile long next;
    private volatile long nextRuns;

    ThreadMoments(RunningJvm jvm) {
        this(jvm, new AtomicBoolean());
    }

    private ThreadMoments(RunningJvm jvm, AtomicBoolean inPart) {
        this(platformAndVirtual(jvm, inPart), runnable(jvm), jvm::costNanos, inPart);
    }

    /**
     * @param threads all of them now; some if there are too many, none if there is no answer
     * @param cost what looking has cost so far, in nanoseconds
     */
    ThreadMoments(Supplier<List<SeenThread>> threads, LongSupplier cost) {
        this(threads, threads, cost);
    }

    /** @param runnable those that run, at least */
    ThreadMoments(Supplier<List<SeenThread>> threads, Supplier<List<SeenThread>> runnable, LongSupplier cost) {
        this(threads, runnable, cost, new AtomicBoolean());
    }

    /** @param inPart whether {@code threads} has left some out so far */
    private ThreadMoments(
            Supplier<List<SeenThread>> threads,
            Supplier<List<SeenThread>> runnable,
            LongSupplier cost,
            AtomicBoolean inPart) {
        this.inPart = inPart;
        this.threads = threads;
        this.runnable = runnable;
        this.cost = cost;
    }

    private static Supplier<List<SeenThread>> platformAndVirtual(RunningJvm jvm, AtomicBoolean inPart) {
        DumpedThreads virtual = DumpedThreads.virtual(jvm);
        var dump = new ThreadDump(jvm);
        return () -> {
            if (jvm.threads().getThreadCount() > MOST_THREADS) {
                inPart.set(true);
                return jvm.look(some(jvm.threads().getAllThreadIds()), DEPTH);
            }
            var all = new ArrayList<>(platform(jvm, dump));
            return DumpedThreads.any(all) ? withVirtual(all, virtual.look()) : all;
        };
    }

    /** Of many threads, by their numbers, the oldest and the newest. */
    static long[] some(long... ids) {
        long[] sorted = ids.clone();
        Arrays.sort(sorted);
        return LongStream.range(0, sorted.length)
                .filter(i -> i < OLDEST || i >= sorted.length - NEWEST)
                .map(i -> sorted[(int) i])
                .toArray();
    }

    /** A dump of all virtual threads has those, too, that were on a carrier. */
    private static List<SeenThread> withVirtual(List<SeenThread> printed, List<SeenThread> virtual) {
        return virtual.isEmpty()
                ? printed
                : Stream.concat(
                                printed.stream().filter(t -> !t.name().equals(DumpedThreads.NAMELESS)),
                                virtual.stream())
                        .toList();
    }

    /** Those that run, or are ready to: only their stacks are read, which are most of what a look costs. */
    private static Supplier<List<SeenThread>> runnable(RunningJvm jvm) {
        DumpedThreads virtual = DumpedThreads.virtual(jvm);
        var dump = new ThreadDump(jvm);
        boolean printed = DumpedThreads.mayCrash(jvm);
        return () -> {
            long[] all = jvm.threads().getAllThreadIds();
            List<SeenThread> states = jvm.look(all.length > MOST_THREADS ? some(all) : all, 0);
            if (printed && DumpedThreads.any(states)) {
                return runnable(printed(dump)).toList();
            }
            long[] ids = runnable(states)
                    .mapToLong(SeenThread::id)
                    .limit(MOST_RUNNING)
                    .toArray();
            var running = new ArrayList<>(jvm.look(ids, DEPTH));
            if (DumpedThreads.any(states)) {
                running.addAll(virtual.look());
            }
            return running;
        };
    }

    private static Stream<SeenThread> runnable(List<SeenThread> all) {
        return all.stream()
                .filter(t -> t.state() == Thread.State.RUNNABLE)
                .filter(t -> DumpReader.OF_THE_JVM.stream().noneMatch(t.name()::startsWith));
    }

    /**
     * A dump costs a fifth of an answer that names the owners of locks of java.util.concurrent, too. So that is asked for only where a dump
     * has threads that wait for one, and taken for the moment then.
     */
    private static List<SeenThread> platform(RunningJvm jvm, ThreadDump dump) {
        List<SeenThread> printed = printed(dump);
        boolean owners = printed.stream().filter(t -> t.owner() < 0).anyMatch(ThreadMoments::waitsForLock);
        return printed.isEmpty() || owners ? jvm.look(jvm.threads().getAllThreadIds(), DEPTH, true) : printed;
    }

    private static List<SeenThread> printed(ThreadDump dump) {
        try {
            return DumpReader.seen(dump.take(false));
        } catch (IOException e) {
            return List.of(); // it has no such command
        }
    }

    private static boolean waitsForLock(SeenThread t) {
        return LOCKS.stream().anyMatch(t.lock()::startsWith);
    }

    /** Whether a look is due. */
    boolean isDue(long now) {
        return !begun || now - next >= 0 || now - nextRuns >= 0;
    }

    /** The warm-up is over: all but its last looks are forgotten at the next one, which is due soon. Any thread may say so. */
    void measuringBegins() {
        forget = true;
        next = System.nanoTime() + (long) NANOS / 2;
        begun = true;
    }

    /**
     * Takes a look, if one is due; where none is but at what runs, one at that.
     *
     * @return whether it did
     */
    boolean read(long now) {
        if (!isDue(now)) {
            return false;
        }
        if (begun && now - next < 0) {
            runs(now);
            return false;
        }
        if (forget) {
            forget = false;
            began = now;
            // a server that hung in the warm-up may be given up soon
            while (looks.size() > OF_WARM_UP) {
                looks.removeFirst();
            }
            running.restart();
        }
        long before = cost.getAsLong();
        List<SeenThread> all = threads.get();
        look(now, all);
        running.addRunning(applications(all));
        double costly = (cost.getAsLong() - before) / NANOS;
        runsNext(now, costly);
        double pause = Math.max(APART_SECONDS, costly / SHARE);
        next = now + (long) ((measured() >= ENOUGH ? pause : Math.min(pause, MOST_APART_SECONDS)) * NANOS);
        begun = true;
        return true;
    }

    /** A look at what runs alone: who waits where is not remembered, so that a thread that did not move has not done so for a while. */
    private void runs(long now) {
        long before = cost.getAsLong();
        running.addRunning(applications(runnable.get()));
        runsNext(now, (cost.getAsLong() - before) / NANOS);
    }

    private void runsNext(long now, double costly) {
        double share = running.running() < ENOUGH_STACKS ? RUNS_MOST_SHARE : SHARE;
        nextRuns = now + (long) (Math.max(RUNS_APART_SECONDS, costly / share) * NANOS);
    }

    /** What ran, of all threads, in the measured time. */
    List<Sighting> running() {
        return running.ofAll();
    }

    private static List<SeenThread> applications(List<SeenThread> found) {
        return found.stream().filter(t -> !isOther(t)).toList();
    }

    /** Takes what others looked at. */
    void look(long now, List<SeenThread> found) {
        List<SeenThread> all = applications(found);
        if (all.isEmpty()) {
            return; // too many, or no answer
        }
        var still = new HashSet<Long>();
        var nowAt = new HashMap<Long, Spot>();
        for (SeenThread t : all) {
            var spot = Spot.of(t);
            nowAt.put(t.id(), spot);
            if (spot.equals(spots.get(t.id()))) {
                still.add(t.id());
            }
        }
        spots.clear();
        spots.putAll(nowAt);
        looks.add(new Sample(now, all, still));
        if (measured() == looks.size() && looks.size() > FIRST + LAST) {
            looks.remove(FIRST);
        } else if (looks.size() > FIRST + LAST) {
            looks.removeFirst();
        }
    }

    /** How many looks are of the measured time. */
    private int measured() {
        return (int) looks.stream().filter(l -> l.nanos - began >= 0).count();
    }

    /** Threads of the JVM and of its management, and those that answer Fettle. */
    private static boolean isOther(SeenThread t) {
        return t.stack().length == 0
                || DumpReader.OF_THE_JVM.stream().anyMatch(t.name()::startsWith) && !frees(t)
                || Arrays.stream(t.stack()).anyMatch(f -> f.getClassName().startsWith(DumpReader.OF_FETTLE));
    }

    /** Whether it is a thread of the JVM that finalizes or cleans at this moment: what it does then is the program's. */
    private static boolean frees(SeenThread t) {
        return DumpReader.FREEING.contains(t.name())
                && Arrays.stream(t.stack()).noneMatch(f -> f.getClassName().equals("java.lang.ref.ReferenceQueue"));
    }

    /** What was seen; the times count from {@link System#nanoTime()} 0. */
    ThreadsSeen seen() {
        var frames = new LinkedHashMap<String, Integer>();
        List<Moment> moments = looks.stream().map(l -> moment(l, frames)).toList();
        return new ThreadsSeen(List.copyOf(frames.keySet()), moments, inPart.get());
    }

    private record Key(
            String kind, Thread.State state, String lock, List<StackTraceElement> stack, long owner, long id) {}

    private static Moment moment(Sample look, Map<String, Integer> frames) {
        Set<Long> owners = look.threads.stream()
                .filter(t -> !t.lock().isEmpty())
                .map(SeenThread::owner)
                .collect(Collectors.toSet());
        var groups = new LinkedHashMap<Key, List<SeenThread>>();
        for (SeenThread t : look.threads) {
            long id = owners.contains(t.id()) ? t.id() : -1;
            // idle threads wait for an object each, which nobody holds
            String lock = t.owner() >= 0 || t.state() == Thread.State.BLOCKED ? t.lock() : lockClass(t);
            var key = new Key(kind(t.name()), t.state(), lock, Arrays.asList(t.stack()), t.owner(), id);
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(t);
        }
        List<Map.Entry<Key, List<SeenThread>>> kept = groups.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Key, List<SeenThread>>>comparingInt(g -> g.getKey().id >= 0 ? 0 : 1)
                        .thenComparing(g -> -g.getValue().size()))
                .limit(MOST_GROUPS)
                .toList();
        var places = new HashMap<Long, Integer>();
        for (int i = 0; i < kept.size(); i++) {
            places.put(kept.get(i).getKey().id, i);
        }
        places.remove(-1L);
        var out = new ArrayList<Group>();
        kept.forEach(g -> out.add(group(g.getKey(), g.getValue(), look.still, places, frames)));
        return new Moment(look.nanos / NANOS_PER_MILLI, out);
    }

    private static String lockClass(SeenThread t) {
        return t.lock().isEmpty() ? "" : t.lockClass();
    }

    private static Group group(
            Key key,
            Collection<SeenThread> threads,
            Set<Long> still,
            Map<Long, Integer> places,
            Map<String, Integer> frames) {
        List<Integer> stack = key.stack.stream()
                .map(f -> frames.computeIfAbsent(words(f), _ -> frames.size()))
                .toList();
        return new Group(
                key.kind,
                threads.size(),
                (int) threads.stream().filter(t -> still.contains(t.id())).count(),
                key.state,
                stack,
                key.lock,
                places.getOrDefault(key.owner, -1));
    }

    private static String words(StackTraceElement f) {
        String method = DumpReader.words(f);
        return f.getLineNumber() > 0 ? method + ":" + f.getLineNumber() : method;
    }

    /** The kind of thread: its name without the number at its end, and without addresses. */
    static String kind(String name) {
        String plain = name.contains("0x") ? ADDRESS.matcher(name).replaceAll("*") : name;
        int end = plain.length();
        while (end > 0 && (Character.isDigit(plain.charAt(end - 1)) || plain.charAt(end - 1) == '#')) {
            end--;
        }
        return end == plain.length() ? plain : plain.substring(0, end) + "*";
    }
}
