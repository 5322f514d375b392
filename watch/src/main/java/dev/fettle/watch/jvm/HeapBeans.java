package dev.fettle.watch.jvm;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/** The JVM's own beans: heap, collections, allocation, classes, direct buffers. Not thread-safe. */
final class HeapBeans {
    /**
     * Some figures are read this rarely, in looks: searching for a deadlock stops all threads, and some figures change
     * little.
     */
    private static final int EVERY = 4;

    /** Attributes of the scheduler of virtual threads, and their signals. */
    private static final Map<String, String> CARRIERS = Map.of(
            "Parallelism", Signals.VIRTUAL_CARRIERS,
            "MountedVirtualThreadCount", Signals.VIRTUAL_MOUNTED,
            "QueuedVirtualThreadCount", Signals.VIRTUAL_QUEUED);

    private static final String CYCLES = "Cycles";
    private static final String PAUSES = "Pauses";

    private static final ObjectName SCHEDULER = name("jdk.management:type=VirtualThreadScheduler");
    private static final MemoryUsage NOTHING = new MemoryUsage(-1, 0, 0, -1);
    private static final ObjectName MEMORY = name(ManagementFactory.MEMORY_MXBEAN_NAME);
    private static final ObjectName THREADS = name(ManagementFactory.THREAD_MXBEAN_NAME);

    private final MBeanServerConnection beans;
    private final ClassLoadingMXBean classes;
    private final List<Collector> collectors;
    private final Optional<MemoryPoolMXBean> old;
    private final Optional<MemoryPoolMXBean> metaspace;

    /** Those that hold what the compilers make: one, or one for each kind of code. */
    private final List<MemoryPoolMXBean> code;

    private final Set<String> heapPools;
    private final Optional<BufferPoolMXBean> direct;
    private final LongSupplier nanos;

    /** Collections and their milliseconds at the last look, by collector. */
    private final Map<String, long[]> before = new HashMap<>();

    /** Number of the last collection that was looked at, by collector. */
    private final Map<String, Long> lastId = new HashMap<>();

    private final LiveHeap live;
    private final GcCauses causes;
    private final ThreadMXBean threads;
    private int reads;
    private boolean carriersTold = true;

    /** Whether virtual threads ran or waited at the last look; otherwise they are looked at seldom. */
    private boolean carriersBusy;

    private long lastLook = -1;

    /** Of cycles that run next to the program, since the first look. */
    private double cycleMillis;

    /** Bytes in use after the last collection; -1 before there is one. */
    private double afterGc = -1;

    /**
     * A collector. What does not change is asked for once.
     *
     * @param pauses whether its time is pauses
     * @param tells whether it tells what a collection left, and why it came
     */
    private record Collector(
            GarbageCollectorMXBean bean, ObjectName address, String name, boolean pauses, boolean tells) {
        static List<Collector> all(List<GarbageCollectorMXBean> beans) {
            Set<String> names =
                    beans.stream().map(GarbageCollectorMXBean::getName).collect(Collectors.toSet());
            return beans.stream()
                    .map(b -> {
                        String name = b.getName();
                        return new Collector(
                                b, b.getObjectName(), name, HeapBeans.pauses(name), tellsWhatIsLeft(name, names));
                    })
                    .toList();
        }
    }

    HeapBeans(MBeanServerConnection beans, LongSupplier nanos) throws IOException {
        this.beans = beans;
        this.nanos = nanos;
        classes = ManagementFactory.getPlatformMXBean(beans, ClassLoadingMXBean.class);
        threads = ManagementFactory.getPlatformMXBean(beans, ThreadMXBean.class);
        collectors = Collector.all(ManagementFactory.getPlatformMXBeans(beans, GarbageCollectorMXBean.class));
        List<MemoryPoolMXBean> all = ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class);
        List<MemoryPoolMXBean> pools =
                all.stream().filter(p -> p.getType() == MemoryType.HEAP).toList();
        metaspace = all.stream().filter(p -> p.getName().equals("Metaspace")).findFirst();
        code = all.stream().filter(p -> isCode(p.getName())).toList();
        heapPools = pools.stream().map(MemoryPoolMXBean::getName).collect(Collectors.toSet());
        live = new LiveHeap(heapPools, collectors.stream().map(Collector::name).collect(Collectors.toSet()));
        causes = new GcCauses(
                beans,
                collectors.stream()
                        .filter(Collector::tells)
                        .map(Collector::address)
                        .toList(),
                live::collected);
        old = pools.stream().filter(p -> isOld(p.getName())).findFirst();
        direct = ManagementFactory.getPlatformMXBeans(beans, BufferPoolMXBean.class).stream()
                .filter(p -> p.getName().equals("direct"))
                .findFirst();
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // it is a constant
        }
    }

    /** Whether a collector's time is pauses: ZGC and Shenandoah count their cycles, which run beside the program, as another. */
    static boolean pauses(String collector) {
        return !collector.endsWith(CYCLES);
    }

    /**
     * Whether a collector tells what is left after a collection. A cycle of ZGC or Shenandoah has several pauses, which
     * tell nothing of the heap, and each the same cause.
     *
     * @param all the names of all collectors
     */
    static boolean tellsWhatIsLeft(String collector, Set<String> all) {
        return !collector.endsWith(PAUSES)
                || !all.contains(collector.substring(0, collector.length() - PAUSES.length()) + CYCLES);
    }

    /** HotSpot's names for the parts of the code cache; that of its own routines is left out, which does not grow. */
    static boolean isCode(String pool) {
        return pool.equals("CodeCache") || pool.startsWith("CodeHeap") && !pool.contains("non-nmethods");
    }

    /** HotSpot's names for the old generation. */
    static boolean isOld(String pool) {
        return pool.contains("Old Gen") || pool.contains("Tenured");
    }

    /** What is read next is no share of the time since the last reading. */
    void gap() {
        lastLook = -1;
    }

    /** Adds the figures, by the signals of the timeline; counters as their totals. */
    void read(Map<String, Double> figures, Map<String, String> notObserved) throws IOException {
        MemoryUsage heap = heapAndFinalizers(figures);
        figures.put(Signals.HEAP_USED, (double) heap.getUsed());
        figures.put(Signals.HEAP_COMMITTED, (double) heap.getCommitted());
        if (heap.getMax() > 0) {
            figures.put(Signals.HEAP_MAX, (double) heap.getMax());
        }
        boolean seldom = reads++ % EVERY == 0;
        old.ifPresentOrElse(
                p -> figures.put(Signals.HEAP_OLD, (double) p.getUsage().getUsed()),
                () -> notObserved.put(Signals.HEAP_OLD, "the collector has no old generation"));
        allocated()
                .ifPresentOrElse(
                        bytes -> figures.put(Signals.ALLOC_RATE, bytes),
                        () -> notObserved.put(
                                Signals.ALLOC_RATE,
                                "a JVM before Java 21 does not count what ended threads allocated"));
        collections(figures);
        live.next()
                .ifPresentOrElse(
                        bytes -> figures.put(Signals.HEAP_LIVE, bytes),
                        () -> notObserved.put(Signals.HEAP_LIVE, live.why()));
        causes.read(figures, notObserved);
        if (seldom || carriersBusy) {
            carriers(figures, notObserved);
        }
        if (seldom) {
            direct.ifPresent(d -> figures.put(Signals.MEMORY_DIRECT, (double) d.getMemoryUsed()));
            figures.put(Signals.CLASSES_LOADED, (double) classes.getLoadedClassCount());
            figures.put(Signals.THREADS_STARTED, (double) threads.getTotalStartedThreadCount());
            long[] stuck = threads.findDeadlockedThreads();
            figures.put(Signals.THREADS_DEADLOCKED, stuck == null ? 0.0 : stuck.length);
            metaspace.ifPresent(m ->
                    figures.put(Signals.METASPACE_USED, (double) m.getUsage().getUsed()));
            code(figures);
        }
    }

    /** Both in one call. */
    private MemoryUsage heapAndFinalizers(Map<String, Double> figures) throws IOException {
        MemoryUsage heap = NOTHING;
        try {
            for (Attribute a : beans.getAttributes(
                            MEMORY, new String[] {"HeapMemoryUsage", "ObjectPendingFinalizationCount"})
                    .asList()) {
                if (a.getValue() instanceof CompositeData usage) {
                    heap = MemoryUsage.from(usage);
                } else if (a.getValue() instanceof Number n) {
                    figures.put(Signals.FINALIZERS_WAITING, n.doubleValue());
                }
            }
        } catch (JMException e) {
            return heap; // every JVM has this bean
        }
        return heap;
    }

    private void code(Map<String, Double> figures) {
        double used = 0;
        double max = 0;
        for (MemoryPoolMXBean p : code) {
            MemoryUsage u = p.getUsage();
            used += u.getUsed();
            max += u.getMax() > 0 ? u.getMax() : Double.POSITIVE_INFINITY;
        }
        if (max > 0 && max < Double.POSITIVE_INFINITY) {
            figures.put(Signals.CODECACHE_USED, used);
            figures.put(Signals.CODECACHE_MAX, max);
        }
    }

    /** The scheduler of virtual threads, which Java 24 and later expose. */
    private void carriers(Map<String, Double> figures, Map<String, String> notObserved) throws IOException {
        if (!carriersTold) {
            notObserved.put("virtual.*", "a JVM before Java 24 does not count them");
            return;
        }
        try {
            carriersBusy = false;
            for (Attribute a : beans.getAttributes(SCHEDULER, CARRIERS.keySet().toArray(String[]::new))
                    .asList()) {
                @Nullable String signal = CARRIERS.get(a.getName());
                if (signal != null && a.getValue() instanceof Number n && n.longValue() >= 0) {
                    figures.put(signal, n.doubleValue());
                    carriersBusy |= !signal.equals(Signals.VIRTUAL_CARRIERS) && n.longValue() > 0;
                }
            }
        } catch (JMException e) {
            carriersTold = false; // it has no such bean and never will
            carriers(figures, notObserved);
        }
    }

    /** How many virtual threads run now, or are ready to; -1 if the JVM does not say. */
    static int runningVirtual(MBeanServerConnection beans) {
        int n = 0;
        try {
            for (Attribute a : beans.getAttributes(
                            SCHEDULER, new String[] {"MountedVirtualThreadCount", "QueuedVirtualThreadCount"})
                    .asList()) {
                n += a.getValue() instanceof Number v ? Math.max(0, v.intValue()) : 0;
            }
            return n;
        } catch (JMException | IOException e) {
            return -1;
        }
    }

    private Optional<Double> allocated() throws IOException {
        try {
            Object bytes = beans.getAttribute(THREADS, "TotalThreadAllocatedBytes");
            return bytes instanceof Long n && n >= 0 ? Optional.of(n.doubleValue()) : Optional.empty();
        } catch (JMException e) {
            return Optional.empty();
        }
    }

    /** Number of collections and their milliseconds, in one call. */
    private long[] counts(Collector c) throws IOException {
        var counts = new long[2];
        try {
            for (Attribute a : beans.getAttributes(c.address(), new String[] {"CollectionCount", "CollectionTime"})
                    .asList()) {
                if (a.getValue() instanceof Number v) {
                    counts[a.getName().equals("CollectionCount") ? 0 : 1] = Math.max(0, v.longValue());
                }
            }
        } catch (JMException e) {
            return counts; // a collector does not go away
        }
        return counts;
    }

    private void collections(Map<String, Double> figures) throws IOException {
        long now = nanos.getAsLong();
        double seconds = lastLook < 0 ? 0 : (now - lastLook) / 1e9;
        boolean first = lastLook < 0;
        lastLook = now;
        long count = 0;
        long millis = 0;
        double pause = 0;
        boolean cycles = false;
        @Nullable GcInfo latest = null;
        for (Collector c : collectors) {
            long[] told = counts(c);
            long n = told[0];
            long ms = told[1];
            long[] then = before.getOrDefault(c.name(), new long[] {n, ms});
            before.put(c.name(), new long[] {n, ms});
            // a large object, which only changes after a collection
            @Nullable GcInfo info = first || n != then[0] ? c.bean().getLastGcInfo() : null;
            if (info != null && c.tells()) {
                latest = later(latest, info);
            }
            if (!c.pauses()) {
                cycles = true;
                cycleMillis += ms - then[1];
                continue;
            }
            count += n;
            millis += ms - then[1];
            if (info != null) {
                @Nullable Long known = lastId.put(c.name(), info.getId());
                if (known != null && known != info.getId()) {
                    // there may have been several since: the longest took at least their mean
                    pause = Math.max(
                            pause, Math.max(info.getDuration(), (double) (ms - then[1]) / Math.max(1, n - then[0])));
                }
            }
        }
        figures.put(Signals.GC_COUNT, (double) count);
        if (cycles) {
            figures.put(Signals.GC_CONCURRENT, cycleMillis / 1e3);
        }
        if (seconds > 0) {
            figures.put(Signals.GC_SHARE, Math.min(1, millis / 1e3 / seconds));
            figures.put(Signals.GC_PAUSE_MAX, pause);
        }
        if (latest != null) {
            double left = latest.getMemoryUsageAfterGc().entrySet().stream()
                    .filter(e -> heapPools.contains(e.getKey()))
                    .mapToDouble(e -> e.getValue().getUsed())
                    .sum();
            // nothing at all is never left: it was not told
            afterGc = left > 0 ? left : afterGc;
        }
        if (afterGc > 0) {
            figures.put(Signals.HEAP_AFTER_GC, afterGc);
        }
    }

    private static GcInfo later(@Nullable GcInfo a, GcInfo b) {
        return a == null
                ? b
                : List.of(a, b).stream()
                        .max(Comparator.comparingLong(GcInfo::getEndTime))
                        .orElse(b);
    }
}
