package dev.fettle.cli;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The CPU time of this process and of all that it has started, and those have started. It is read while they run: of a process whose
 * parent is killed together with it, as targets are, the kernel adds nothing to the time of those further up.
 */
final class OwnCpu implements AutoCloseable {
    private static final long NAP_NANOS = 100_000_000;

    private final Thread reader = Thread.ofPlatform().daemon().unstarted(this::look);
    private final Map<Long, Duration> last = new ConcurrentHashMap<>();
    private final double before = self();
    private volatile boolean ended;

    OwnCpu() {
        reader.start();
    }

    private void look() {
        while (!ended) {
            ProcessHandle.current()
                    .descendants()
                    .forEach(p -> p.info().totalCpuDuration().ifPresent(t -> last.put(p.pid(), t)));
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    private static double self() {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return os.getProcessCpuTime() / 1e9;
    }

    /** In seconds, since this was made. */
    double seconds() {
        return self()
                - before
                + last.values().stream().mapToDouble(t -> t.toMillis() / 1e3).sum();
    }

    @Override
    public void close() {
        ended = true;
    }
}
