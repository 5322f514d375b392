package dev.fettle.watch.heap;

import dev.fettle.watch.host.PerfData;
import dev.fettle.watch.host.Proc;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM of HotSpot counts of its heap by itself ({@link PerfData}): also while it answers nothing. Of the collectors that have an old
 * generation: Serial, Parallel and G1.
 */
public final class JvmCounters {
    private static final int MOST_SPACES = 3;

    private final PerfData counters;

    private JvmCounters(PerfData counters) {
        this.counters = counters;
    }

    /**
     * What is in the heap.
     *
     * @param used bytes that the last collection left in use, as far as the collector has counted them since
     * @param max the most that the heap may become, bytes
     * @param gcSeconds time in collections that have ended, since the start
     */
    public record Heap(double used, double max, double gcSeconds) {
        /** The part of it in use, 0 to 1. */
        public double share() {
            return max > 0 ? Math.min(1, used / max) : 0;
        }
    }

    /** Those of a process; empty if it keeps none. */
    public static Optional<JvmCounters> of(Proc proc, long pid) {
        return PerfData.of(proc, pid).map(JvmCounters::new);
    }

    /** What it says now; empty if that can't be read, or its collector has no old generation. */
    public Optional<Heap> read() {
        return heap(counters.counters());
    }

    static Optional<Heap> heap(Map<String, Long> all) {
        @Nullable Long young = all.get("sun.gc.generation.0.maxCapacity");
        @Nullable Long old = all.get("sun.gc.generation.1.maxCapacity");
        @Nullable Long frequency = all.get("sun.os.hrt.frequency");
        if (young == null || old == null || frequency == null || frequency <= 0 || old <= 0) {
            return Optional.empty();
        }
        double used = all.getOrDefault("sun.gc.generation.1.space.0.used", 0L);
        for (int i = 0; i < MOST_SPACES; i++) {
            used += all.getOrDefault("sun.gc.generation.0.space." + i + ".used", 0L);
        }
        double ticks =
                all.getOrDefault("sun.gc.collector.0.time", 0L) + all.getOrDefault("sun.gc.collector.1.time", 0L);
        // of G1 either generation may take the whole heap
        double max = young.equals(old) ? old : (double) old + young;
        return Optional.of(new Heap(used, max, ticks / frequency));
    }
}
