package dev.fettle.watch.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time of the current thread: what a look costs, which on a busy machine is much less than the time it takes. */
public final class OwnCpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private OwnCpu() {}

    /** Nanoseconds; only differences have a meaning. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
