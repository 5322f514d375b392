package dev.fettle.watch.jvm;

import com.sun.management.GarbageCollectionNotificationInfo;
import dev.fettle.model.text.OptionalFigure;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is live in a heap, as far as a collector reports it: what a collection of the whole heap left, or, of G1, the least that the old
 * generation held between one marking and the next. What a young collection leaves is not all live: it promotes garbage, too.
 *
 * <p>G1 reports its markings since Java 20; each has two pauses, Remark and Cleanup, of one name. Which of them begins a cycle doesn't
 * matter: the least of a whole cycle is the same. Before, only its full collections count. Thread-safe.
 */
final class LiveHeap {
    /** Collectors whose every collection is one of the whole heap, in HotSpot's names for them from Java 11 to 25. */
    private static final Set<String> WHOLE = Set.of(
            "MarkSweepCompact",
            "PS MarkSweep",
            "G1 Old Generation",
            "ZGC",
            "ZGC Cycles",
            "ZGC Major Cycles",
            "Shenandoah Cycles");

    private static final String G1_MARKING = "G1 Concurrent GC";
    private static final String G1_FULL = "G1 Old Generation";

    private final Set<String> heapPools;
    private final Set<String> collectors;
    private final Set<String> whole;

    private int pauses;
    private double least = Double.POSITIVE_INFINITY;
    private OptionalFigure latest = OptionalFigure.empty();

    /**
     * @param heapPools names of the heap's memory pools
     * @param collectors names of the JVM's collectors
     */
    LiveHeap(Set<String> heapPools, Set<String> collectors) {
        this.heapPools = heapPools;
        this.collectors = collectors;
        // a generational Shenandoah gives its young collections and its others one name
        whole = WHOLE.stream()
                .filter(collectors::contains)
                .filter(c -> !c.startsWith("Shenandoah") || heapPools.size() == 1)
                .collect(Collectors.toSet());
    }

    /** A collection ended. */
    synchronized void collected(GarbageCollectionNotificationInfo info) {
        collected(info.getGcName(), info.getGcInfo().getMemoryUsageAfterGc());
    }

    /** A collection ended, and left so much in each pool. */
    synchronized void collected(String collector, Map<String, MemoryUsage> after) {
        if (whole.contains(collector)) {
            found(in(after, false));
            least = Double.POSITIVE_INFINITY;
            pauses = 0;
        } else if (collectors.contains(G1_MARKING)) {
            double old = in(after, true);
            if (collector.equals(G1_MARKING) && pauses++ % 2 == 0) {
                found(least);
                least = old;
            } else if (pauses > 0) {
                least = Math.min(least, old);
            }
        }
    }

    private void found(double bytes) {
        // nothing at all is never left: it was not told
        if (bytes > 0 && Double.isFinite(bytes)) {
            latest = OptionalFigure.of(bytes);
        }
    }

    private double in(Map<String, MemoryUsage> after, boolean old) {
        return after.entrySet().stream()
                .filter(e -> heapPools.contains(e.getKey()) && (!old || HeapBeans.isOld(e.getKey())))
                .mapToDouble(e -> e.getValue().getUsed())
                .sum();
    }

    /** Bytes live after the last such collection since this was asked, if there was one. */
    synchronized OptionalFigure next() {
        OptionalFigure found = latest;
        latest = OptionalFigure.empty();
        return found;
    }

    /** Why there is none yet. */
    String why() {
        if (collectors.contains("Epsilon Heap")) {
            return "this collector never collects";
        }
        if (whole.isEmpty()) {
            return "which collections of " + String.join(", ", collectors) + " are of the whole heap is not known";
        }
        if (collectors.contains(G1_MARKING)) {
            return "no collection of the whole heap, and no two markings, ended in that time: what young collections leave is not all live";
        }
        return "no "
                + (collectors.contains(G1_FULL) ? "full collection" : "collection of the whole heap")
                + " ended in that time: what young collections leave is not all live";
    }
}
