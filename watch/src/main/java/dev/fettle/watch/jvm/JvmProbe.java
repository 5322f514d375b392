package dev.fettle.watch.jvm;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.signal.SamplingRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Observes the worker threads of any HotSpot JVM of the same user, through the attach API and JMX, without the
 * program's help. A worker is a thread whose name starts with a prefix; {@link WorkerState} tells from its stack
 * whether it is busy. Threads that accept or select are not counted, because they run no request.
 *
 * <p>The JVM stops all its threads while stacks are read, and the more threads, the longer the answer. So only workers
 * are looked at, of many workers {@link #MOST} chosen at random anew for each look, and scaled up; of those only the
 * stacks of {@link #MOST_STACKS} that don't wait where idle ones do ({@link IdleSpots}), only their innermost frames,
 * and only as often as {@link SamplingRate} allows. Samples in between have no workers. Not thread-safe: those who share
 * one ask through {@link RunningJvm#patient}.
 */
public final class JvmProbe implements WorkerProbe {
    /** Frames read per stack: in all recordings, a pool's wait for a task had at most 15. */
    static final int DEPTH = 20;

    /** Workers looked at in one look. If there are more, these are taken as a sample. */
    static final int MOST = 64;

    /** Stacks read in one look. If more of those workers are not idle, these are taken as a sample. */
    static final int MOST_STACKS = 32;

    /** As many of those that run are read, before any that wait. */
    private static final int LEAST_RUNNING = 8;

    private final RunningJvm jvm;
    private final String prefix;
    private final boolean owned;
    private final LongSupplier nanos;
    private final SamplingRate rate = SamplingRate.ofStacks();

    /** Threads whose names are known. */
    private final Set<Long> known = new HashSet<>();

    private final Set<Long> workers = new HashSet<>();
    private final WaitTally tally = new WaitTally();
    private final IdleSpots idle = new IdleSpots();
    private final Random random = new Random(1);

    /** Looks whose figures were reported. */
    private volatile int told;

    /** @param owned whether closing this closes the connection */
    JvmProbe(RunningJvm jvm, String prefix, boolean owned, LongSupplier nanos) {
        this.jvm = jvm;
        this.prefix = prefix;
        this.owned = owned;
        this.nanos = nanos;
    }

    /** Uses a connection that the caller closes. */
    static JvmProbe over(RunningJvm jvm, String workerPrefix) {
        return new JvmProbe(jvm, workerPrefix, false, System::nanoTime);
    }

    /**
     * Attaches to a JVM.
     *
     * @throws IOException if the process is not a JVM, belongs to someone else, or has attaching switched off
     */
    public static JvmProbe attach(long pid, String workerPrefix) throws IOException {
        var probe = new JvmProbe(RunningJvm.attach(pid), workerPrefix, true, System::nanoTime);
        probe.sample(); // the first look loads classes on both sides: better before there is load
        return probe;
    }

    @Override
    public Optional<Sample> sample() {
        Optional<Sample> looked = glance();
        if (looked.isEmpty()) {
            return collections();
        }
        try {
            Sample s = looked.get();
            return Optional.of(new Sample(s.busy(), s.workers(), s.queued(), OptionalFigure.of(jvm.gcMillis())));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone or does not answer
        }
    }

    /** How many work, if a look is due. */
    @Override
    public Optional<Sample> glance() {
        try {
            long begin = nanos.getAsLong();
            if (!rate.due(begin)) {
                return Optional.empty();
            }
            timedLook(begin);
            int all = 0;
            int busy = 0;
            for (Map.Entry<WorkerState, Integer> e : tally.last().entrySet()) {
                all += e.getKey() == WorkerState.LEASED ? 0 : e.getValue();
                busy += e.getKey().busy() ? e.getValue() : 0;
            }
            return Optional.of(new Sample(
                    OptionalFigure.of(busy), OptionalFigure.of(all), OptionalFigure.empty(), OptionalFigure.empty()));
        } catch (RuntimeException e) {
            return Optional.empty(); // the JVM is gone or does not answer
        }
    }

    private void timedLook(long begin) {
        long cpu = jvm.costNanos();
        look();
        rate.looked(begin, jvm.costNanos() - cpu);
    }

    /**
     * A stack costs the JVM ten times as much as a thread's state, so stacks of threads that still wait at an idle spot
     * are not read, and of the others only those of some.
     */
    private void look() {
        long[] all = workers();
        long[] asked = some(all);
        List<SeenThread> some = jvm.look(asked, 0);
        List<SeenThread> running = new ArrayList<>();
        List<SeenThread> others = new ArrayList<>();
        for (SeenThread t : idle.others(some)) {
            (t.state() == Thread.State.RUNNABLE ? running : others).add(t);
        }
        int ofRunning = share(running.size(), others.size());
        long[] ids = LongStream.concat(
                        ids(running, ofRunning), ids(others, Math.min(others.size(), MOST_STACKS - ofRunning)))
                .toArray();
        List<SeenThread> read = jvm.look(ids, DEPTH);
        idle.learn(read);
        // what has ended meanwhile is a part of the others, too
        double each = asked.length == 0 ? 0 : (double) all.length / asked.length;
        int meantRunning = (int) Math.round(each * running.size());
        int meantOthers = (int) Math.round(each * (running.size() + others.size())) - meantRunning;
        Set<Long> first = ids(running, ofRunning).boxed().collect(Collectors.toSet());
        List<SeenThread> runs =
                read.stream().filter(t -> first.contains(t.id())).toList();
        List<SeenThread> waits =
                read.stream().filter(t -> !first.contains(t.id())).toList();
        tally.add(
                List.of(new WaitTally.Part(runs, meantRunning), new WaitTally.Part(waits, meantOthers)),
                (int) Math.round(each * some.size()) - meantRunning - meantOthers,
                this::holder);
    }

    /**
     * Who holds the lock that a worker waits for. Both are read at one safepoint, as an owner that is looked at later may do something else
     * by then; empty if the lock has gone on to another meanwhile.
     */
    Optional<SeenThread> holder(SeenThread waiter) {
        List<SeenThread> both = jvm.look(new long[] {waiter.owner(), waiter.id()}, DEPTH);
        boolean still = both.stream()
                .anyMatch(t -> t.id() == waiter.id()
                        && t.owner() == waiter.owner()
                        && t.lock().equals(waiter.lock()));
        return both.stream().filter(t -> still && t.id() == waiter.owner()).findFirst();
    }

    private static LongStream ids(List<SeenThread> threads, int first) {
        return threads.stream().limit(first).mapToLong(SeenThread::id);
    }

    /**
     * How many stacks of threads that run are read: as large a part as of the others, but all of a few, since where they are tells
     * where the CPU time goes.
     */
    static int share(int running, int others) {
        int all = running + others;
        if (all <= MOST_STACKS) {
            return running;
        }
        return Math.min(running, Math.max(LEAST_RUNNING, Math.round((float) MOST_STACKS * running / all)));
    }

    /** All of few, a random sample of many; in random order. */
    private long[] some(long[] all) {
        long[] some = new long[Math.min(MOST, all.length)];
        // in random order, as of these only some may have their stacks read
        for (int i = 0; i < some.length; i++) {
            int j = i + random.nextInt(all.length - i);
            some[i] = all[j];
            all[j] = all[i];
        }
        return some;
    }

    /**
     * Reports how many workers do what, by the signals of the timeline; nothing if no look was due.
     *
     * @throws RuntimeException if the JVM does not answer
     */
    void read(Map<String, Double> figures) {
        long begin = nanos.getAsLong();
        if (rate.due(begin)) {
            timedLook(begin);
        }
        if (tally.looks() > told) {
            told = tally.looks();
            Map<WorkerState, Integer> now = tally.last();
            for (WorkerState state : WorkerState.values()) {
                state.signal().ifPresent(id -> figures.put(id, (double) now.getOrDefault(state, 0)));
            }
        }
    }

    /** Whether {@link #read} would report something. */
    boolean isDue() {
        return rate.due(nanos.getAsLong()) || tally.looks() > told;
    }

    /** This probe, for a JVM that may stand still: {@link RunningJvm#patient}. */
    public WorkerProbe patient() {
        return jvm.patient(this);
    }

    /** The warm-up is over: what it showed is forgotten. */
    void measuringBegins() {
        tally.restart();
    }

    /** What the workers were waiting for, and where they ran: of {@link WaitTally#KINDS}, the most important first. */
    List<Sighting> sightings() {
        return tally.sightings();
    }

    @Override
    public Optional<Sample> collections() {
        return jvm.collections().sample();
    }

    /** The current workers. The name of each thread is asked for only once. */
    private long[] workers() {
        long[] ids = jvm.threads().getAllThreadIds();
        long[] unknown = Arrays.stream(ids).filter(id -> !known.contains(id)).toArray();
        if (unknown.length > 0) {
            for (SeenThread t : jvm.look(unknown, 0)) {
                // Jetty renames a thread while it accepts, but keeps the prefix
                if (t.name().startsWith(prefix)) {
                    workers.add(t.id());
                }
            }
        }
        Set<Long> now = new HashSet<>();
        Arrays.stream(ids).forEach(now::add);
        known.clear();
        known.addAll(now);
        workers.retainAll(now);
        return workers.stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public void close() {
        if (owned) {
            jvm.close();
        }
    }
}
