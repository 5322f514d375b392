package dev.fettle.watch.jfr;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.watch.jvm.RecordedThreads;
import dev.fettle.watch.jvm.SeenThread;
import dev.fettle.watch.signal.TimelineRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the threads of a recording did at moments that lie evenly in it. A recorder writes what a thread waited for once the wait is over, with
 * its beginning: so all threads whose waits were going on at a moment are known, and those that ran, from the samples about it. What is shorter
 * than the recorder keeps is not in it, nor a wait that was still going on at the end; printed dumps in the recording have those.
 *
 * <p>Memory is bounded, whatever the file holds.
 */
final class RecordedLooks {
    /** Moments, and the least time between two. */
    private static final int MOST_LOOKS = 300;

    private static final long LEAST_APART_NANOS = 100_000_000;

    /** Moments at which all threads count, and the least time between two: as many as are kept of a watch. */
    private static final int MOMENTS = 6;

    private static final long MOMENTS_APART_NANOS = 2_500_000_000L;

    /** Threads kept over all moments; further ones are left out. */
    private static final int MOST_HELD = 300_000;

    /** Printed dumps that are kept, and characters of one. */
    private static final int MOST_DUMPS = 6;

    private static final int MOST_CHARACTERS = 16 << 20;

    private static final double MANY_MORE = 2;

    /** Workers that are told apart. */
    private static final int MOST_WORKERS = 20_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long apart;
    private final List<Map<Long, SeenThread>> looks = new ArrayList<>();
    private final TreeMap<Long, List<SeenThread>> dumps = new TreeMap<>();

    /** Of each worker the moments at which it was seen. */
    private final Map<Long, BitSet> workers = new HashMap<>();

    /** Workers that were seen to select or to accept, of which nothing else is recorded while they do. */
    private final Set<Long> leased = new HashSet<>();

    private int held;
    private long half = 10 * NANOS_PER_MILLI;

    /** @param nanos length of the recording */
    RecordedLooks(long nanos) {
        int n = (int) Math.clamp(nanos / LEAST_APART_NANOS, 1, MOST_LOOKS);
        apart = Math.max(1, nanos / n);
        for (int i = 0; i < n; i++) {
            looks.add(new HashMap<>());
        }
    }

    private long at(int look) {
        return look * apart + apart / 2;
    }

    /** Threads that run are sampled so far apart. */
    void sampledEvery(double millis) {
        half = Math.max(1, (long) (millis * NANOS_PER_MILLI / 2));
    }

    /** A thread ran, or was in a call that leaves the JVM, at a moment: nanoseconds from the recording's beginning on. */
    void sampled(long nanos, SeenThread t) {
        long i = nanos / apart;
        if (i >= 0 && i < looks.size() && Math.abs(nanos - at((int) i)) <= half) {
            add((int) i, t, false);
        }
    }

    /** Whether a moment lies within a time: else what was done in it need not be read. */
    boolean isWithin(long from, long to) {
        int first = first(from);
        return first < looks.size() && at(first) <= to;
    }

    private int first(long from) {
        return (int) Math.clamp((from - apart / 2 + apart - 1) / apart, 0, looks.size());
    }

    /** A thread waited. */
    void waited(long from, long to, SeenThread t) {
        for (int i = first(from); i < looks.size() && at(i) <= to; i++) {
            add(i, t, true);
        }
    }

    private void add(int look, SeenThread t, boolean wait) {
        if (held >= MOST_HELD) {
            return;
        }
        Map<Long, SeenThread> here = looks.get(look);
        if (!wait && here.containsKey(t.id())) {
            return;
        }
        if (here.put(t.id(), t) == null) {
            held++;
        }
    }

    /** A dump that the recorder printed. */
    void dump(long nanos, String text) {
        if (dumps.size() < MOST_DUMPS && text.length() <= MOST_CHARACTERS) {
            List<SeenThread> all = RecordedThreads.printed(text);
            if (!all.isEmpty()) {
                dumps.put(nanos, all);
            }
        }
    }

    /** What came of it. */
    record Result(List<Sighting> sightings, ThreadsSeen threads, double untold, boolean workersSeen) {}

    /**
     * Only the dumps, since a kind of wait was not recorded: what the threads did that are seen is no part of what all did.
     */
    Result ofDumps() {
        looks.replaceAll(_ -> Map.of());
        return new Result(List.of(), threads(), 0, false);
    }

    /** Hands over what the workers did over time, and sums it up. */
    Result result(TimelineRecorder sink) {
        for (int i = 0; i < looks.size(); i++) {
            Map<Long, SeenThread> all = looks.get(i);
            all.replaceAll((_, t) -> withHolder(t, all));
            for (SeenThread t : all.values()) {
                if (isWorker(t)) {
                    if (workers.size() < MOST_WORKERS) {
                        workers.computeIfAbsent(t.id(), _ -> new BitSet()).set(i);
                    }
                    if (RecordedThreads.isLeased(t)) {
                        leased.add(t.id());
                    }
                }
            }
        }
        var summed = new RecordedThreads();
        double told = 0;
        double untold = 0;
        for (int i = 0; i < looks.size() && !workers.isEmpty(); i++) {
            Map<Long, SeenThread> all = looks.get(i);
            List<SeenThread> here =
                    all.values().stream().filter(t -> isWorker(t)).toList();
            Map<String, Double> now = summed.look(here, all);
            double unknown = unknown(i);
            double busy = unknown;
            for (String signal : RecordedThreads.signals()) {
                double n = now.getOrDefault(signal, 0.0);
                sink.valueAt(signal, at(i), n);
                busy += signal.equals(Signals.WAIT_IDLE) ? 0 : n;
            }
            sink.valueAt(Signals.WORKERS_BUSY, at(i), busy);
            told += here.size();
            untold += unknown;
        }
        return new Result(
                workers.isEmpty() ? List.of() : summed.sightings(),
                threads(),
                told + untold > 0 ? untold / (told + untold) : 0,
                !workers.isEmpty());
    }

    /** Workers of which nothing is recorded at a moment, though something is before and after it: they may be in anything that is short. */
    private double unknown(int look) {
        return workers.entrySet().stream()
                .filter(w -> !leased.contains(w.getKey()))
                .map(Map.Entry::getValue)
                .filter(s -> !s.get(look) && s.previousSetBit(look) >= 0 && s.nextSetBit(look) >= 0)
                .count();
    }

    private static boolean isWorker(SeenThread t) {
        return RecordedThreads.isWorker(t.name()) || t.name().isEmpty() && inServer(t);
    }

    /** Virtual threads mostly have no name. */
    private static boolean inServer(SeenThread t) {
        return Arrays.stream(t.stack())
                .anyMatch(f -> Arrays.stream(ServerKind.values())
                        .flatMap(s -> s.rules().packages().stream())
                        .anyMatch(f.getClassName()::startsWith));
    }

    /**
     * Of a monitor the recorder names who had it right before. While others wait in a line, that one may have waited, too: then who had it before
     * that one.
     */
    private static SeenThread withHolder(SeenThread t, Map<Long, SeenThread> all) {
        long owner = t.owner();
        for (int i = 0; owner >= 0 && i < all.size(); i++) {
            SeenThread o = all.get(owner);
            if (o == null || o.state() != Thread.State.BLOCKED || !o.lock().equals(t.lock())) {
                break;
            }
            owner = o.owner();
        }
        long seen = owner == t.id() || !all.containsKey(owner) ? -1 : owner;
        return seen == t.owner()
                ? t
                : new SeenThread(t.id(), t.name(), t.state(), t.lock(), seen, t.waits(), t.stack());
    }

    /**
     * All threads at a few moments: those whose waits were recorded; but where dumps have many more threads at work, these do not come back
     * from what they wait for, and so no recorded wait shows it.
     */
    private ThreadsSeen threads() {
        var recorded = new TreeMap<Long, List<SeenThread>>();
        long length = apart * looks.size();
        int n = (int) Math.clamp(length / MOMENTS_APART_NANOS, 1, Math.min(MOMENTS, looks.size()));
        for (int i = 0; i < n; i++) {
            int look = (int) ((2L * i + 1) * looks.size() / (2L * n));
            List<SeenThread> all = List.copyOf(looks.get(look).values());
            if (!all.isEmpty()) {
                recorded.put(at(look), all);
            }
        }
        boolean printed = recorded.isEmpty() || dumps.size() > 1 && busy(dumps) >= MANY_MORE * busy(recorded);
        var moments = new RecordedThreads();
        (printed ? dumps : recorded).forEach(moments::moment);
        return printed ? moments.seen() : moments.seen().inPart();
    }

    private static double busy(Map<Long, List<SeenThread>> moments) {
        return moments.values().stream()
                .mapToLong(all -> all.stream().filter(RecordedThreads::isBusy).count())
                .average()
                .orElse(0);
    }
}
