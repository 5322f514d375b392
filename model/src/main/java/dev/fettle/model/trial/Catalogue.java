package dev.fettle.model.trial;

import dev.fettle.model.trial.Signal.Group;
import dev.fettle.model.trial.Signal.Thin;
import dev.fettle.model.trial.Signal.Unit;
import java.util.Map;

/** The signals that have a fixed name. */
final class Catalogue {
    private final Map<String, Signal> all;

    private Catalogue(Map<String, Signal> all) {
        this.all = all;
    }

    static void fill(Map<String, Signal> all) {
        var c = new Catalogue(all);
        c.load();
        c.cpu();
        c.workers();
        c.heap();
        c.sockets();
        c.host();
    }

    private void gauge(String id, String title, Unit unit, Group group, Thin thin, String about) {
        all.put(id, new Signal(id, title, unit, group, thin, false, about));
    }

    private void rate(String id, String title, Unit unit, Group group, String about) {
        all.put(id, new Signal(id, title, unit, group, Thin.MEAN, true, about));
    }

    private void share(String id, String title, Group group, String about) {
        rate(id, title, Unit.SHARE, group, about);
    }

    private void count(String id, String title, Group group, String about) {
        all.put(id, new Signal(id, title, Unit.COUNT, group, Thin.SUM, true, about));
    }

    private void load() {
        Group g = Group.LOAD;
        gauge(Signals.LOAD_RATE, "responses/s", Unit.PER_SECOND, g, Thin.MEAN, "Valid responses per second.");
        gauge(Signals.LOAD_ERRORS, "errors/s", Unit.PER_SECOND, g, Thin.MEAN, "Failed requests per second.");
        gauge(Signals.LOAD_P50, "p50", Unit.MILLIS, g, Thin.MEAN, "Median latency of a window.");
        gauge(Signals.LOAD_P99, "p99", Unit.MILLIS, g, Thin.MAX, "99th percentile of the latency of a window.");
        gauge(Signals.LOAD_INFLIGHT, "under way", Unit.COUNT, g, Thin.MEAN, "Requests under way, mean.");
    }

    private void cpu() {
        cpu(Signals.CPU_TOTAL, "all threads", "All threads of the target.");
        cpu(Signals.CPU_ACCEPTOR, "acceptor", "Threads that accept connections.");
        cpu(Signals.CPU_IO, "selector, I/O", "Threads that select, read and write for connections.");
        cpu(Signals.CPU_WORKERS, "workers", "Threads that run requests.");
        cpu(
                Signals.CPU_GC,
                "GC",
                "The garbage collector's threads, and the VM thread, in which the serial collector runs.");
        cpu(Signals.CPU_JIT, "JIT compiler", "The JVM's compiler threads.");
        cpu(Signals.CPU_APP, "application", "Threads with names that the application gave.");
        cpu(Signals.CPU_OTHER, "other", "The JVM's other threads, and threads that ended between two looks.");
        gauge(
                Signals.CPU_HOTTEST,
                "hottest thread",
                Unit.CPUS,
                Group.CPU,
                Thin.MAX,
                "The thread that used most; one at 1.0 has a whole CPU, and can't have more.");
    }

    private void cpu(String id, String title, String about) {
        rate(id, title, Unit.CPUS, Group.CPU, about);
    }

    private void workers() {
        Group g = Group.WORKERS;
        gauge(Signals.WORKERS_TOTAL, "in the pool", Unit.COUNT, g, Thin.MAX, "Worker threads in the pool.");
        gauge(Signals.WORKERS_BUSY, "busy", Unit.COUNT, g, Thin.MEAN, "Worker threads that run a request.");
        gauge(Signals.WORKERS_QUEUED, "queued", Unit.COUNT, g, Thin.MEAN, "Requests that wait for a worker.");
        wait(Signals.WAIT_RUNNING, "Workers that run.");
        wait(Signals.WAIT_LOCK, "Workers that wait for a lock.");
        wait(Signals.WAIT_POOL, "Workers that wait for something from a pool, such as a connection to the database.");
        wait(Signals.WAIT_SOCKET, "Workers that wait for a socket.");
        wait(Signals.WAIT_CLIENT, "Workers that read the rest of a request, or write an answer.");
        wait(Signals.WAIT_LOOKUP, "Workers that look up the address of a name.");
        wait(Signals.WAIT_FILE, "Workers that wait for a file.");
        wait(Signals.WAIT_SLEEP, "Workers that sleep.");
        wait(Signals.WAIT_OTHER, "Workers that wait for something else.");
        wait(Signals.WAIT_IDLE, "Workers that wait for a request.");
        gauge(
                Signals.IO_THREADS,
                "I/O threads",
                Unit.COUNT,
                g,
                Thin.MAX,
                "Threads that read and write for connections.");
        gauge(
                Signals.IO_BLOCKED,
                "I/O threads held up",
                Unit.COUNT,
                g,
                Thin.MEAN,
                "I/O threads that wait for something other than their connections.");
        gauge(Signals.VIRTUAL_CARRIERS, "carriers", Unit.COUNT, g, Thin.MAX, "Threads that may carry virtual threads.");
        gauge(Signals.VIRTUAL_MOUNTED, "mounted", Unit.COUNT, g, Thin.MEAN, "Virtual threads that are on a carrier.");
        gauge(
                Signals.VIRTUAL_QUEUED,
                "wait for a carrier",
                Unit.COUNT,
                g,
                Thin.MEAN,
                "Virtual threads that are ready to run.");
    }

    private void wait(String id, String about) {
        gauge(id, id.substring("wait.".length()), Unit.COUNT, Group.WAIT, Thin.MEAN, about);
    }

    private void heap() {
        Group h = Group.HEAP;
        gauge(Signals.HEAP_USED, "used", Unit.BYTES, h, Thin.MAX, "Heap in use, garbage included.");
        gauge(Signals.HEAP_COMMITTED, "committed", Unit.BYTES, h, Thin.LAST, "Heap that the JVM has from the system.");
        gauge(Signals.HEAP_MAX, "limit", Unit.BYTES, h, Thin.LAST, "The most the heap may become.");
        gauge(Signals.HEAP_AFTER_GC, "after GC", Unit.BYTES, h, Thin.LAST, "Heap in use after the last collection.");
        gauge(Signals.HEAP_OLD, "old generation", Unit.BYTES, h, Thin.LAST, "Old generation in use.");
        gauge(
                Signals.GC_SHARE,
                "share of time",
                Unit.SHARE,
                Group.GC,
                Thin.MEAN,
                "Share of the time the collector ran.");
        gauge(Signals.GC_PAUSE_MAX, "longest pause", Unit.MILLIS, Group.GC, Thin.MAX, "The longest pause.");
        count(Signals.GC_COUNT, "collections", Group.GC, "Collections.");
        count(Signals.GC_EXPLICIT, "of them by System.gc()", Group.GC, "Collections that the application asked for.");
        count(
                Signals.GC_HUMONGOUS,
                "of them for huge objects",
                Group.GC,
                "Collections for objects larger than half a G1 region.");
        rate(Signals.ALLOC_RATE, "allocation", Unit.BYTES_PER_SECOND, Group.GC, "Bytes allocated per second.");
        Group m = Group.MEMORY;
        gauge(Signals.MEMORY_RSS, "resident", Unit.BYTES, m, Thin.MAX, "Memory of the process that is in RAM.");
        gauge(Signals.MEMORY_DIRECT, "direct buffers", Unit.BYTES, m, Thin.MAX, "Direct buffers.");
        gauge(
                Signals.SWAP_USED,
                "swapped",
                Unit.BYTES,
                m,
                Thin.MAX,
                "Memory of the process that is on the swap device.");
        gauge(Signals.CGROUP_MEMORY, "control group", Unit.BYTES, m, Thin.MAX, "Memory of the tightest control group.");
        gauge(Signals.CGROUP_MEMORY_MAX, "its limit", Unit.BYTES, m, Thin.LAST, "That group's limit.");
        Group t = Group.THREADS;
        gauge(Signals.THREADS_TOTAL, "threads", Unit.COUNT, t, Thin.MAX, "Threads of the process.");
        gauge(
                Signals.THREADS_DEADLOCKED,
                "deadlocked",
                Unit.COUNT,
                t,
                Thin.MAX,
                "Threads that wait for each other for ever.");
        gauge(Signals.CLASSES_LOADED, "classes", Unit.COUNT, Group.OTHER, Thin.LAST, "Classes loaded.");
        gauge(Signals.FDS_OPEN, "open files", Unit.COUNT, t, Thin.MAX, "Open file descriptors, sockets included.");
        gauge(Signals.FDS_LIMIT, "their limit", Unit.COUNT, t, Thin.LAST, "The most the process may open.");
        gauge(
                Signals.CGROUP_PIDS,
                "tasks of the group",
                Unit.COUNT,
                t,
                Thin.MAX,
                "Tasks of the tightest control group.");
        gauge(Signals.SESSIONS_ACTIVE, "sessions", Unit.COUNT, Group.SESSIONS, Thin.LAST, "HTTP sessions held.");
    }

    private void sockets() {
        Group s = Group.SOCKETS;
        String of = " The target's own sockets.";
        gauge(Signals.SOCKETS_ESTABLISHED, "established", Unit.COUNT, s, Thin.MAX, "Open connections." + of);
        gauge(Signals.SOCKETS_CLOSE_WAIT, "CLOSE_WAIT", Unit.COUNT, s, Thin.MAX, "Closed by the peer, not by us." + of);
        gauge(
                Signals.SOCKETS_TIME_WAIT,
                "TIME_WAIT",
                Unit.COUNT,
                s,
                Thin.MAX,
                "Closed, kept for late packets; to or from its ports.");
        gauge(Signals.SOCKETS_SYN_RECV, "SYN_RECV", Unit.COUNT, s, Thin.MAX, "Connections being set up, at its ports.");
        gauge(
                Signals.SOCKETS_HELD,
                "hold a write back",
                Unit.COUNT,
                s,
                Thin.MEAN,
                "Wait for an acknowledgement to send.");
        gauge(Signals.SOCKETS_OTHER, "other states", Unit.COUNT, s, Thin.MAX, "Being closed, or being opened." + of);
        Group q = Group.QUEUE;
        gauge(Signals.ACCEPT_QUEUE, "waiting", Unit.COUNT, q, Thin.MAX, "Connections waiting to be accepted.");
        gauge(Signals.ACCEPT_LIMIT, "limit", Unit.COUNT, q, Thin.LAST, "The most that may wait.");
        count(Signals.ACCEPT_DROPS, "dropped", q, "Connections that the listening socket dropped.");
        count(
                Signals.ACCEPT_OVERFLOWS,
                "overflows",
                q,
                "Connections dropped in its network namespace because a queue was full.");
        Group t = Group.TCP;
        rate(
                Signals.TCP_RETRANSMITS,
                "retransmits/s",
                Unit.PER_SECOND,
                t,
                "Segments sent again, in its network namespace.");
        rate(Signals.TCP_SYN_RETRANSMITS, "of SYNs", Unit.PER_SECOND, t, "SYNs sent again, in its network namespace.");
        rate(Signals.TCP_RESETS, "resets/s", Unit.PER_SECOND, t, "Resets sent, in its network namespace.");
    }

    private void host() {
        Group h = Group.HOST;
        share(Signals.HOST_BUSY, "busy", h, "Share of all CPUs' time that processes used.");
        share(Signals.HOST_STEAL, "stolen", h, "Share of all CPUs' time that the hypervisor took.");
        gauge(
                Signals.HOST_FOREIGN,
                "others",
                Unit.SHARE,
                h,
                Thin.MEAN,
                "Share of the CPUs in use that processes outside the trial used.");
        gauge(
                Signals.CGROUP_THROTTLED,
                "throttled",
                Unit.SHARE,
                h,
                Thin.MEAN,
                "Share of its periods in which its control group was held back by its quota.");
        Group b = Group.BOUNDS;
        gauge(
                Signals.CGROUP_QUOTA,
                "CPUs allowed",
                Unit.CPUS,
                b,
                Thin.LAST,
                "CPUs' worth of time that its control groups allow; where none limits it, all CPUs of the host.");
        gauge(Signals.CPU_CORES, "cores", Unit.COUNT, b, Thin.LAST, "Cores that its CPUs belong to.");
        gauge(
                Signals.CPU_NEIGHBOURS,
                "neighbours",
                Unit.COUNT,
                b,
                Thin.LAST,
                "CPUs of these cores that are not its own.");
        pressure(Signals.PRESSURE_CPU);
        pressure(Signals.PRESSURE_MEMORY);
        pressure(Signals.PRESSURE_IO);
        Group d = Group.DISK;
        rate(Signals.DISK_WRITE, "written", Unit.BYTES_PER_SECOND, d, "Bytes the target caused to be written.");
        rate(Signals.DISK_READ, "read", Unit.BYTES_PER_SECOND, d, "Bytes the target caused to be read from a device.");
        gauge(
                Signals.DISK_BUSY,
                "device busy",
                Unit.SHARE,
                d,
                Thin.MEAN,
                "Share of the time the busiest device was busy.");
        Group k = Group.KERNEL;
        rate(Signals.CTXT_VOLUNTARY, "waits/s", Unit.PER_SECOND, k, "Times a thread gave up its CPU to wait.");
        rate(Signals.CTXT_INVOLUNTARY, "preempted/s", Unit.PER_SECOND, k, "Times a thread had its CPU taken away.");
        rate(Signals.FAULTS_MAJOR, "major faults/s", Unit.PER_SECOND, k, "Pages that had to be read from a device.");
        gauge(
                Signals.BUSIEST_CPU,
                "busiest thread",
                Unit.CPUS,
                k,
                Thin.MEAN,
                "What the thread of the server or the application used that used most of them.");
        gauge(
                Signals.BUSIEST_READY,
                "busiest thread ready",
                Unit.SHARE,
                k,
                Thin.MEAN,
                "Share of the time in which that thread ran, or was ready to and waited for a CPU.");
        rate(
                Signals.RUNQUEUE_WAIT,
                "waits for a CPU",
                Unit.CPUS,
                k,
                "Time its threads were ready and had no CPU, per second.");
    }

    private void pressure(String id) {
        share(
                id,
                id.substring("pressure.".length()),
                Group.PRESSURE,
                "Share of the time in which some task of the host waited for it.");
    }
}
