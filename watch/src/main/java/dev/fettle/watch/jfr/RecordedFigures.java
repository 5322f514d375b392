package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.host.ThreadGroup;
import dev.fettle.watch.signal.TimelineRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import org.jspecify.annotations.Nullable;

/**
 * The figures over time that a recording has: of the CPUs, the heap and its collections, threads, classes and memory. Events come in no order;
 * times are nanoseconds from the recording's beginning on. Memory is bounded.
 */
final class RecordedFigures {
    /** Collections, loads and readings that are kept of each kind; further ones are left out. */
    private static final int MOST_KEPT = 200_000;

    private static final int MOST_THREADS = 20_000;

    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    /** Collectors whose every collection is of the whole heap, as events name them from Java 8 to 25. */
    private static final Set<String> WHOLE =
            Set.of("SerialOld", "ParallelOld", "G1Full", "Z", "ZGC", "ZGC Major", "Shenandoah");

    /** A marking of G1, which frees nothing by itself. */
    private static final Set<String> MARKINGS = Set.of("G1Old");

    /** One collection. */
    private static final class Collection {
        private long at = -1;
        private String name = "";
        private double pauses;
        private double before = Double.NaN;
        private double after = Double.NaN;
        private double young;

        private double old() {
            return after - young;
        }
    }

    private record Reading(long at, double first, double second) {}

    private final TimelineRecorder out;
    private final double[] pauseMillis;

    /** How many threads were sampled in Java code. */
    private final int[] ran;

    private final long step;

    private final Map<Long, Collection> collections = new HashMap<>();
    private final List<Reading> loads = new ArrayList<>();
    private final List<Reading> throttled = new ArrayList<>();
    private final Map<ThreadGroup, TreeMap<Long, Double>> byGroup = new EnumMap<>(ThreadGroup.class);
    private final TreeMap<Long, Double> busiest = new TreeMap<>();
    private final TreeMap<Long, Double> hottest = new TreeMap<>();
    private final Map<String, Double> byThread = new HashMap<>();
    private double cpus = Double.NaN;
    private double allowed = Double.NaN;
    private double quota = Double.NaN;
    private double heapMax = Double.NaN;
    private double reserved = Double.NaN;
    private boolean collectionsSeen;
    private double loadPeriod = MILLIS;
    private double threadPeriod = 10 * MILLIS;

    /**
     * @param out takes the figures
     * @param nanos length of the recording
     * @param step of the timeline, in nanoseconds
     */
    RecordedFigures(TimelineRecorder out, long nanos, long step) {
        this.out = out;
        this.step = step;
        this.pauseMillis = new double[(int) Math.max(1, (nanos + step - 1) / step)];
        this.ran = new int[pauseMillis.length];
    }

    /** A setting of the recorder: how far apart the readings are. */
    void period(String event, double millis) {
        switch (event) {
            case "jdk.CPULoad" -> loadPeriod = millis;
            case "jdk.ThreadCPULoad" -> threadPeriod = millis;
            default -> {}
        }
    }

    /** Takes an event; others than those it knows are ignored. */
    void add(String type, long at, RecordedEvent e) {
        switch (type) {
            case "jdk.CPUInformation" -> cpus = EventFields.number(e, "hwThreads");
            case "jdk.ContainerConfiguration" -> container(e, at);
            case "jdk.CPULoad" ->
                keep(
                        loads,
                        at,
                        EventFields.number(e, "jvmUser") + EventFields.number(e, "jvmSystem"),
                        EventFields.number(e, "machineTotal"));
            case "jdk.ThreadCPULoad" -> threadLoad(e, at);
            case "jdk.ContainerCPUThrottling" ->
                keep(
                        throttled,
                        at,
                        EventFields.number(e, "cpuElapsedSlices"),
                        EventFields.number(e, "cpuThrottledSlices"));
            case "jdk.ContainerMemoryUsage" ->
                out.valueAt(Signals.CGROUP_MEMORY, at, EventFields.number(e, "memoryUsage"));
            case "jdk.GarbageCollection" -> collection(e, at);
            case "jdk.GCHeapSummary" -> heap(e, at);
            case "jdk.G1HeapSummary" -> young(e);
            case "jdk.GCHeapConfiguration" -> heapMax = EventFields.number(e, "maxSize");
            case "jdk.GCHeapMemoryUsage" -> {
                out.valueAt(Signals.HEAP_USED, at, EventFields.number(e, "used"));
                out.valueAt(Signals.HEAP_COMMITTED, at, EventFields.number(e, "committed"));
            }
            case "jdk.JavaThreadStatistics" ->
                out.valueAt(Signals.THREADS_TOTAL, at, EventFields.number(e, "activeCount"));
            case "jdk.ClassLoadingStatistics" ->
                out.valueAt(
                        Signals.CLASSES_LOADED,
                        at,
                        EventFields.number(e, "loadedClassCount") - EventFields.number(e, "unloadedClassCount"));
            case "jdk.ResidentSetSize" -> out.valueAt(Signals.MEMORY_RSS, at, EventFields.number(e, "size"));
            case "jdk.DirectBufferStatistics" ->
                out.valueAt(Signals.MEMORY_DIRECT, at, EventFields.number(e, "memoryUsed"));
            default -> {}
        }
    }

    /** A thread was sampled in Java code. */
    void ran(long at) {
        ran[(int) Math.clamp(at / step, 0, ran.length - 1)]++;
    }

    private static void keep(List<Reading> list, long at, double first, double second) {
        if (list.size() < MOST_KEPT && !Double.isNaN(first) && !Double.isNaN(second)) {
            list.add(new Reading(at, first, second));
        }
    }

    private void container(RecordedEvent e, long at) {
        double slice = EventFields.number(e, "cpuSlicePeriod");
        double most = EventFields.number(e, "cpuQuota");
        allowed = EventFields.number(e, "effectiveCpuCount");
        if (slice > 0 && most > 0) {
            quota = most / slice;
        }
        double memory = EventFields.number(e, "memoryLimit");
        if (memory > 0) {
            out.valueAt(Signals.CGROUP_MEMORY_MAX, at, memory);
        }
    }

    private void threadLoad(RecordedEvent e, long at) {
        String name = e.getThread() == null ? "" : EventFields.name(e.getThread());
        double load = EventFields.number(e, "user") + EventFields.number(e, "system");
        ThreadGroup group = ThreadGroup.of(name);
        if (!(load >= 0) || byThread.size() > MOST_THREADS) {
            return;
        }
        // the readings of all threads are taken one after the other
        long slot = Math.round(at / (threadPeriod * 1e6));
        byGroup.computeIfAbsent(group, _ -> new TreeMap<>()).merge(slot, load, Double::sum);
        hottest.merge(slot, load, Math::max);
        if (group.serves()) {
            busiest.merge(slot, load, Math::max);
            byThread.merge(name, load, Double::sum);
        }
    }

    private @Nullable Collection of(RecordedObject e) {
        double id = EventFields.number(e, "gcId");
        return Double.isNaN(id) || collections.size() >= MOST_KEPT && !collections.containsKey((long) id)
                ? null
                : collections.computeIfAbsent((long) id, _ -> new Collection());
    }

    private void collection(RecordedEvent e, long at) {
        collectionsSeen = true;
        @Nullable Collection c = of(e);
        double millis = EventFields.millis(e, "sumOfPauses");
        if (c != null) {
            c.at = at + e.getDuration().toNanos();
            c.name = EventFields.text(e, "name");
            c.pauses = millis;
        }
        String cause = EventFields.text(e, "cause");
        out.counted(Signals.GC_COUNT, at, 1);
        out.counted(Signals.GC_EXPLICIT, at, cause.equals("System.gc()") ? 1 : 0);
        out.counted(Signals.GC_HUMONGOUS, at, cause.equals("G1 Humongous Allocation") ? 1 : 0);
        out.valueAt(Signals.GC_PAUSE_MAX, at, EventFields.millis(e, "longestPause"));
        // pauses of a concurrent collection lie somewhere within it
        double length = Math.max(millis, e.getDuration().toNanos() / 1e6);
        spread(at, (long) (length * 1e6), millis);
    }

    private void spread(long at, long nanos, double millis) {
        int first = (int) Math.clamp(at / step, 0, pauseMillis.length - 1);
        int last = (int) Math.clamp((at + nanos) / step, first, pauseMillis.length - 1);
        for (int i = first; i <= last; i++) {
            pauseMillis[i] += millis / (last - first + 1);
        }
    }

    private void heap(RecordedEvent e, long at) {
        double used = EventFields.number(e, "heapUsed");
        boolean after = EventFields.text(e, "when").startsWith("After");
        out.valueAt(Signals.HEAP_USED, at, used);
        if (e.hasField("heapSpace") && e.getValue("heapSpace") instanceof RecordedObject space) {
            out.valueAt(Signals.HEAP_COMMITTED, at, EventFields.number(space, "committedSize"));
            reserved = EventFields.number(space, "reservedSize");
        }
        @Nullable Collection c = of(e);
        if (after) {
            out.valueAt(Signals.HEAP_AFTER_GC, at, used);
        }
        if (c != null && after) {
            c.after = used;
        } else if (c != null) {
            c.before = used;
        }
    }

    private void young(RecordedEvent e) {
        @Nullable Collection c = of(e);
        if (c != null && EventFields.text(e, "when").startsWith("After")) {
            c.young = orZero(EventFields.number(e, "edenUsedSize")) + orZero(EventFields.number(e, "survivorUsedSize"));
        }
    }

    private static double orZero(double v) {
        return Double.isNaN(v) ? 0 : v;
    }

    /**
     * Hands over what is known only when all events were read.
     *
     * @param isOn whether an event was recorded, as far as its settings say so
     * @param sampleMillis time between two samples of threads in Java code
     */
    void finish(Predicate<String> isOn, double sampleMillis) {
        cpus();
        waitsForCpus(sampleMillis);
        threadLoads();
        throttling();
        collections(isOn.test("jdk.GarbageCollection"));
        double most = Double.isNaN(heapMax) ? reserved : heapMax;
        if (most > 0) {
            out.valueAt(Signals.HEAP_MAX, 0, most);
            out.valueAt(Signals.HEAP_MAX, (pauseMillis.length - 1) * step, most);
        }
    }

    private void cpus() {
        double mayUse = mayUse();
        long period = (long) (loadPeriod * 1e6);
        for (Reading l : loads) {
            if (cpus > 0) {
                out.span(Signals.CPU_TOTAL, Math.max(0, l.at - period), l.at, l.first * cpus);
            }
            out.span(Signals.HOST_BUSY, Math.max(0, l.at - period), l.at, l.second);
        }
        if (loads.isEmpty() || !(cpus > 0)) {
            out.notObserved(
                    Signals.CPU_TOTAL,
                    loads.isEmpty()
                            ? "the recording has no readings of the CPU load"
                            : "the recording does not say how many CPUs the machine has");
        } else {
            out.valueAt(Signals.CGROUP_QUOTA, 0, mayUse);
        }
    }

    /** Threads in Java code that no CPU ran: at least as many as were sampled there, less the CPUs that the JVM used. */
    private void waitsForCpus(double sampleMillis) {
        if (Arrays.stream(ran).sum() == 0) {
            return;
        }
        long period = (long) (loadPeriod * 1e6);
        for (Reading l : cpus > 0 ? loads : List.<Reading>of()) {
            int first = (int) Math.clamp((l.at - period) / step, 0, ran.length - 1);
            int last = (int) Math.clamp(l.at / step, first, ran.length - 1);
            double inJava =
                    Arrays.stream(ran, first, last + 1).sum() * sampleMillis / ((last + 1 - first) * (step / 1e6));
            out.span(Signals.RUNQUEUE_WAIT, Math.max(0, l.at - period), l.at, Math.max(0, inJava - l.first * cpus));
        }
    }

    private double mayUse() {
        double most = cpus;
        if (allowed > 0) {
            most = Math.min(most, allowed);
        }
        return quota > 0 ? Math.min(most, quota) : most;
    }

    /** A thread's load is a part of all CPUs that the JVM may use. */
    private void threadLoads() {
        double of = allowed > 0 ? allowed : cpus;
        if (byGroup.isEmpty() || !(of > 0)) {
            return;
        }
        byGroup.forEach((group, readings) -> spans(group.signal(), readings, of));
        spans(Signals.CPU_HOTTEST, hottest, of);
        spans(Signals.BUSIEST_CPU, busiest, of);
        byThread.entrySet().stream()
                .max(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .ifPresent(t -> out.sighting(
                        new Sighting(Sighting.BUSIEST, t.getKey(), t.getValue() * of / Math.max(1, hottest.size()))));
    }

    private void spans(String signal, TreeMap<Long, Double> readings, double of) {
        long period = (long) (threadPeriod * 1e6);
        readings.forEach((slot, load) -> {
            long at = Math.min(slot * period, pauseMillis.length * step - 1);
            out.span(signal, Math.max(0, at - period), Math.max(1, at), load * of);
        });
    }

    private void throttling() {
        throttled.sort(Comparator.comparingLong(Reading::at));
        for (int i = 1; i < throttled.size(); i++) {
            Reading before = throttled.get(i - 1);
            Reading now = throttled.get(i);
            double periods = now.first - before.first;
            if (periods > 0) {
                out.span(
                        Signals.CGROUP_THROTTLED,
                        before.at,
                        now.at,
                        Math.clamp((now.second - before.second) / periods, 0, 1));
            }
        }
    }

    private void collections(boolean on) {
        if (!collectionsSeen && !on) {
            for (String id : List.of(Signals.GC_SHARE, Signals.GC_COUNT, Signals.GC_EXPLICIT, Signals.GC_HUMONGOUS)) {
                out.notObserved(id, "collections were not recorded");
            }
            return;
        }
        for (int i = 0; i < pauseMillis.length; i++) {
            long at = i * step + step / 2;
            out.valueAt(Signals.GC_SHARE, at, Math.min(1, pauseMillis[i] / (step / 1e6)));
            out.counted(Signals.GC_COUNT, at, 0);
            out.counted(Signals.GC_EXPLICIT, at, 0);
            out.counted(Signals.GC_HUMONGOUS, at, 0);
        }
        List<Collection> all = collections.values().stream()
                .filter(c -> c.at >= 0)
                .sorted(Comparator.comparingLong(c -> c.at))
                .toList();
        live(all);
        allocation(all);
    }

    /** What collections of the whole heap left, and the least that the old generation of G1 held between two markings. */
    private void live(List<Collection> all) {
        double least = Double.NaN;
        boolean marked = false;
        for (Collection c : all) {
            if (WHOLE.contains(c.name) && c.after > 0) {
                out.valueAt(Signals.HEAP_LIVE, c.at, c.after);
                marked = false;
                least = Double.NaN;
            } else if (MARKINGS.contains(c.name)) {
                if (marked && least > 0) {
                    out.valueAt(Signals.HEAP_LIVE, c.at, least);
                }
                marked = true;
                least = Double.NaN;
            } else if (marked && c.old() > 0) {
                least = Double.isNaN(least) ? c.old() : Math.min(least, c.old());
            }
        }
        out.notObserved(
                Signals.HEAP_LIVE,
                "no collection of the whole heap, and no two markings, are in it: what young collections leave is not all live");
    }

    private void allocation(List<Collection> all) {
        for (int i = 1; i < all.size(); i++) {
            Collection before = all.get(i - 1);
            Collection now = all.get(i);
            double seconds = (now.at - before.at) / NANOS;
            if (seconds > 0 && now.before >= before.after) {
                out.span(Signals.ALLOC_RATE, before.at, now.at, (now.before - before.after) / seconds);
            }
        }
    }
}
