package dev.fettle.agent;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** What this JVM reports about itself. */
public final class ProcessStats {
    private ProcessStats() {}

    /** Adds times, collections, memory and threads under the control port's names. */
    public static void addTo(Map<String, @Nullable Object> stats) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        stats.put("uptimeMs", runtime.getUptime());
        stats.put("processCpuNanos", processCpuNanos());
        long count = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!pauses(collector.getName())) {
                continue;
            }
            count += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        stats.put("gcCount", count);
        stats.put("gcMillis", millis);
        stats.put(
                "heapUsed",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        stats.put("liveThreads", ManagementFactory.getThreadMXBean().getThreadCount());
        stats.put("allocatedBytes", allocatedBytes());
    }

    /** Whether a collector's time is pauses: ZGC and Shenandoah count their cycles, which run next to the program, as another. */
    static boolean pauses(String collector) {
        return !collector.endsWith("Cycles");
    }

    /** CPU time of the process; null if the JVM does not tell. */
    private static @Nullable Long processCpuNanos() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof com.sun.management.OperatingSystemMXBean
                ? (Long) ((com.sun.management.OperatingSystemMXBean) system).getProcessCpuTime()
                : null;
    }

    /** Bytes allocated by all threads since the start; null if the JVM does not count them. */
    private static @Nullable Object allocatedBytes() {
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "TotalThreadAllocatedBytes");
        } catch (JMException | RuntimeException e) {
            return null;
        }
    }
}
