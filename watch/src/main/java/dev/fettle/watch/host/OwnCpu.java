package dev.fettle.watch.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** CPU time of the current thread: the cost of a look, which on a busy machine is much less than the elapsed time. */
public final class OwnCpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private OwnCpu() {}

    /** Nanoseconds; only differences are meaningful. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
