package dev.fettle.report.text;

import dev.fettle.model.trial.Signals;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of a watch's screen.
 *
 * @param key the figure that is drawn
 * @param all the figures that are shown, {@code key} included
 */
record WatchRow(String label, String key, List<String> all) {
    /** The lines of the screen, from the top. */
    static final List<WatchRow> ALL = List.of(
            row(
                    "load",
                    Signals.LOAD_RATE,
                    Signals.LOAD_ERRORS,
                    Signals.LOAD_P50,
                    Signals.LOAD_P99,
                    Signals.LOAD_INFLIGHT),
            row(
                    "CPU",
                    Signals.CPU_TOTAL,
                    Signals.CPU_ACCEPTOR,
                    Signals.CPU_IO,
                    Signals.CPU_WORKERS,
                    Signals.CPU_GC,
                    Signals.CPU_JIT,
                    Signals.CPU_APP,
                    Signals.CPU_OTHER,
                    Signals.CPU_HOTTEST),
            row(
                    "workers",
                    Signals.WORKERS_BUSY,
                    Signals.WORKERS_TOTAL,
                    Signals.WORKERS_QUEUED,
                    Signals.IO_BLOCKED,
                    Signals.IO_THREADS),
            new WatchRow(
                    "wait",
                    Signals.WAIT_LOCK,
                    List.of(
                            Signals.WAIT_RUNNING,
                            Signals.WAIT_LOCK,
                            Signals.WAIT_POOL,
                            Signals.WAIT_SOCKET,
                            Signals.WAIT_CLIENT,
                            Signals.WAIT_LOOKUP,
                            Signals.WAIT_FILE,
                            Signals.WAIT_SLEEP,
                            Signals.WAIT_OTHER,
                            Signals.WAIT_IDLE)),
            row(
                    "heap",
                    Signals.HEAP_USED,
                    Signals.HEAP_AFTER_GC,
                    Signals.HEAP_OLD,
                    Signals.HEAP_COMMITTED,
                    Signals.HEAP_MAX),
            row("GC", Signals.GC_SHARE, Signals.GC_PAUSE_MAX, Signals.GC_COUNT, Signals.ALLOC_RATE),
            row(
                    "sockets",
                    Signals.SOCKETS_ESTABLISHED,
                    Signals.SOCKETS_CLOSE_WAIT,
                    Signals.SOCKETS_TIME_WAIT,
                    Signals.SOCKETS_SYN_RECV,
                    Signals.SOCKETS_OTHER),
            row("accept", Signals.ACCEPT_QUEUE, Signals.ACCEPT_LIMIT, Signals.ACCEPT_DROPS, Signals.ACCEPT_OVERFLOWS),
            row("TCP", Signals.TCP_RETRANSMITS, Signals.TCP_SYN_RETRANSMITS, Signals.TCP_RESETS),
            row(
                    "host",
                    Signals.HOST_BUSY,
                    Signals.CPUS_BUSY,
                    Signals.HOST_STEAL,
                    Signals.HOST_FOREIGN,
                    Signals.CGROUP_THROTTLED),
            row("pressure", Signals.PRESSURE_CPU, Signals.PRESSURE_MEMORY, Signals.PRESSURE_IO, Signals.RUNQUEUE_WAIT),
            row(
                    "memory",
                    Signals.MEMORY_RSS,
                    Signals.MEMORY_DIRECT,
                    Signals.SWAP_USED,
                    Signals.CGROUP_MEMORY,
                    Signals.CGROUP_MEMORY_MAX),
            row("disk", Signals.DISK_WRITE, Signals.DISK_READ, Signals.DISK_BUSY, Signals.FAULTS_MAJOR),
            row(
                    "threads",
                    Signals.THREADS_TOTAL,
                    Signals.BUSIEST_CPU,
                    Signals.BUSIEST_READY,
                    Signals.FDS_OPEN,
                    Signals.FDS_LIMIT,
                    Signals.SESSIONS_ACTIVE,
                    Signals.CLASSES_LOADED,
                    Signals.CTXT_VOLUNTARY,
                    Signals.CTXT_INVOLUNTARY));

    /** A line whose first figure is drawn. */
    private static WatchRow row(String label, String... all) {
        return new WatchRow(label, all[0], List.of(all));
    }

    /** The line per second: signals in their order, and what each is called there. */
    static final Map<String, String> BRIEF = brief();

    private static Map<String, String> brief() {
        var brief = new LinkedHashMap<String, String>();
        brief.put(Signals.CPU_TOTAL, "cpu");
        brief.put(Signals.CPU_HOTTEST, "hottest");
        brief.put(Signals.WORKERS_BUSY, "busy");
        brief.put(Signals.WAIT_LOCK, "in a lock");
        brief.put(Signals.HEAP_USED, "heap");
        brief.put(Signals.GC_SHARE, "gc");
        brief.put(Signals.SOCKETS_ESTABLISHED, "conns");
        brief.put(Signals.SOCKETS_CLOSE_WAIT, "close-wait");
        brief.put(Signals.ACCEPT_QUEUE, "queue");
        brief.put(Signals.TCP_RETRANSMITS, "retrans");
        brief.put(Signals.FDS_OPEN, "files");
        brief.put(Signals.HOST_BUSY, "host");
        brief.put(Signals.HOST_STEAL, "stolen");
        brief.put(Signals.DISK_WRITE, "written");
        return Collections.unmodifiableMap(brief);
    }
}
