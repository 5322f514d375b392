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
        gauge("load.rate", "responses/s", Unit.PER_SECOND, g, Thin.MEAN, "Valid responses per second.");
        gauge("load.errors", "errors/s", Unit.PER_SECOND, g, Thin.MEAN, "Failed requests per second.");
        gauge("load.p50", "p50", Unit.MILLIS, g, Thin.MEAN, "Median latency of a window.");
        gauge("load.p99", "p99", Unit.MILLIS, g, Thin.MAX, "99th percentile of the latency of a window.");
        gauge("load.inflight", "under way", Unit.COUNT, g, Thin.MEAN, "Requests under way, mean.");
    }

    private void cpu() {
        cpu("total", "all threads", "All threads of the target.");
        cpu("acceptor", "acceptor", "Threads that accept connections.");
        cpu("io", "selector, I/O", "Threads that select, read and write for connections.");
        cpu("workers", "workers", "Threads that run requests.");
        cpu("gc", "GC", "The garbage collector's threads, and the VM thread, in which the serial collector runs.");
        cpu("jit", "JIT compiler", "The JVM's compiler threads.");
        cpu("app", "application", "Threads with names that the application gave.");
        cpu("other", "other", "The JVM's other threads, and threads that ended between two looks.");
        gauge(
                "cpu.hottest",
                "hottest thread",
                Unit.CPUS,
                Group.CPU,
                Thin.MAX,
                "The thread that used most; one at 1.0 has a whole CPU, and can't have more.");
    }

    private void cpu(String name, String title, String about) {
        rate("cpu." + name, title, Unit.CPUS, Group.CPU, about);
    }

    private void workers() {
        Group g = Group.WORKERS;
        gauge("workers.total", "in the pool", Unit.COUNT, g, Thin.MAX, "Worker threads in the pool.");
        gauge("workers.busy", "busy", Unit.COUNT, g, Thin.MEAN, "Worker threads that run a request.");
        gauge("workers.queued", "queued", Unit.COUNT, g, Thin.MEAN, "Requests that wait for a worker.");
        wait("running", "Workers that run.");
        wait("lock", "Workers that wait for a lock.");
        wait("pool", "Workers that wait for something from a pool, such as a connection to the database.");
        wait("socket", "Workers that wait for a socket.");
        wait("file", "Workers that wait for a file.");
        wait("sleep", "Workers that sleep.");
        wait("other", "Workers that wait for something else.");
        wait("idle", "Workers that wait for a request.");
        gauge("io.threads", "I/O threads", Unit.COUNT, g, Thin.MAX, "Threads that read and write for connections.");
        gauge(
                "io.blocked",
                "I/O threads held up",
                Unit.COUNT,
                g,
                Thin.MEAN,
                "I/O threads that wait for something other than their connections.");
        gauge("virtual.carriers", "carriers", Unit.COUNT, g, Thin.MAX, "Threads that may carry virtual threads.");
        gauge("virtual.mounted", "mounted", Unit.COUNT, g, Thin.MEAN, "Virtual threads that are on a carrier.");
        gauge(
                "virtual.queued",
                "wait for a carrier",
                Unit.COUNT,
                g,
                Thin.MEAN,
                "Virtual threads that are ready to run.");
    }

    private void wait(String name, String about) {
        gauge("wait." + name, name, Unit.COUNT, Group.WAIT, Thin.MEAN, about);
    }

    private void heap() {
        Group h = Group.HEAP;
        gauge("heap.used", "used", Unit.BYTES, h, Thin.MAX, "Heap in use, garbage included.");
        gauge("heap.committed", "committed", Unit.BYTES, h, Thin.LAST, "Heap that the JVM has from the system.");
        gauge("heap.max", "limit", Unit.BYTES, h, Thin.LAST, "The most the heap may become.");
        gauge("heap.afterGc", "after GC", Unit.BYTES, h, Thin.LAST, "Heap in use after the last collection.");
        gauge("heap.old", "old generation", Unit.BYTES, h, Thin.LAST, "Old generation in use.");
        gauge("gc.share", "share of time", Unit.SHARE, Group.GC, Thin.MEAN, "Share of the time the collector ran.");
        gauge("gc.pauseMax", "longest pause", Unit.MILLIS, Group.GC, Thin.MAX, "The longest pause.");
        count("gc.count", "collections", Group.GC, "Collections.");
        count("gc.explicit", "of them by System.gc()", Group.GC, "Collections that the application asked for.");
        count(
                "gc.humongous",
                "of them for huge objects",
                Group.GC,
                "Collections for objects larger than half a G1 region.");
        rate("alloc.rate", "allocation", Unit.BYTES_PER_SECOND, Group.GC, "Bytes allocated per second.");
        Group m = Group.MEMORY;
        gauge("memory.rss", "resident", Unit.BYTES, m, Thin.MAX, "Memory of the process that is in RAM.");
        gauge("memory.direct", "direct buffers", Unit.BYTES, m, Thin.MAX, "Direct buffers.");
        gauge("swap.used", "swapped", Unit.BYTES, m, Thin.MAX, "Memory of the process that is on the swap device.");
        gauge("cgroup.memory", "control group", Unit.BYTES, m, Thin.MAX, "Memory of the tightest control group.");
        gauge("cgroup.memoryMax", "its limit", Unit.BYTES, m, Thin.LAST, "That group's limit.");
        Group t = Group.THREADS;
        gauge("threads.total", "threads", Unit.COUNT, t, Thin.MAX, "Threads of the process.");
        gauge(
                "threads.deadlocked",
                "deadlocked",
                Unit.COUNT,
                t,
                Thin.MAX,
                "Threads that wait for each other for ever.");
        gauge("classes.loaded", "classes", Unit.COUNT, Group.OTHER, Thin.LAST, "Classes loaded.");
        gauge("fds.open", "open files", Unit.COUNT, t, Thin.MAX, "Open file descriptors, sockets included.");
        gauge("fds.limit", "their limit", Unit.COUNT, t, Thin.LAST, "The most the process may open.");
        gauge("cgroup.pids", "tasks of the group", Unit.COUNT, t, Thin.MAX, "Tasks of the tightest control group.");
        gauge("sessions.active", "sessions", Unit.COUNT, Group.SESSIONS, Thin.LAST, "HTTP sessions held.");
    }

    private void sockets() {
        Group s = Group.SOCKETS;
        String of = " The target's own sockets.";
        gauge("sockets.established", "established", Unit.COUNT, s, Thin.MAX, "Open connections." + of);
        gauge("sockets.closeWait", "CLOSE_WAIT", Unit.COUNT, s, Thin.MAX, "Closed by the peer, not by us." + of);
        gauge(
                "sockets.timeWait",
                "TIME_WAIT",
                Unit.COUNT,
                s,
                Thin.MAX,
                "Closed, kept for late packets; to or from its ports.");
        gauge("sockets.synRecv", "SYN_RECV", Unit.COUNT, s, Thin.MAX, "Connections being set up, at its ports.");
        gauge("sockets.held", "hold a write back", Unit.COUNT, s, Thin.MEAN, "Wait for an acknowledgement to send.");
        gauge("sockets.other", "other states", Unit.COUNT, s, Thin.MAX, "Being closed, or being opened." + of);
        Group q = Group.QUEUE;
        gauge("accept.queue", "waiting", Unit.COUNT, q, Thin.MAX, "Connections waiting to be accepted.");
        gauge("accept.limit", "limit", Unit.COUNT, q, Thin.LAST, "The most that may wait.");
        count("accept.drops", "dropped", q, "Connections that the listening socket dropped.");
        count(
                "accept.overflows",
                "overflows",
                q,
                "Connections dropped in its network namespace because a queue was full.");
        Group t = Group.TCP;
        rate("tcp.retransmits", "retransmits/s", Unit.PER_SECOND, t, "Segments sent again, in its network namespace.");
        rate("tcp.synRetransmits", "of SYNs", Unit.PER_SECOND, t, "SYNs sent again, in its network namespace.");
        rate("tcp.resets", "resets/s", Unit.PER_SECOND, t, "Resets sent, in its network namespace.");
    }

    private void host() {
        Group h = Group.HOST;
        share("host.busy", "busy", h, "Share of all CPUs' time that processes used.");
        share("host.steal", "stolen", h, "Share of all CPUs' time that the hypervisor took.");
        gauge(
                "host.foreign",
                "others",
                Unit.SHARE,
                h,
                Thin.MEAN,
                "Share of the CPUs in use that processes outside the trial used.");
        gauge(
                "cgroup.throttled",
                "throttled",
                Unit.SHARE,
                h,
                Thin.MEAN,
                "Share of its periods in which its control group was held back by its quota.");
        Group b = Group.BOUNDS;
        gauge(
                "cgroup.quota",
                "CPUs allowed",
                Unit.CPUS,
                b,
                Thin.LAST,
                "CPUs' worth of time that its control groups allow; where none limits it, all CPUs of the host.");
        gauge("cpu.cores", "cores", Unit.COUNT, b, Thin.LAST, "Cores that its CPUs belong to.");
        gauge("cpu.neighbours", "neighbours", Unit.COUNT, b, Thin.LAST, "CPUs of these cores that are not its own.");
        for (String of : new String[] {"cpu", "memory", "io"}) {
            share(
                    "pressure." + of,
                    of,
                    Group.PRESSURE,
                    "Share of the time in which some task of the host waited for it.");
        }
        Group d = Group.DISK;
        rate("disk.write", "written", Unit.BYTES_PER_SECOND, d, "Bytes the target caused to be written.");
        rate("disk.read", "read", Unit.BYTES_PER_SECOND, d, "Bytes the target caused to be read from a device.");
        gauge("disk.busy", "device busy", Unit.SHARE, d, Thin.MEAN, "Share of the time the busiest device was busy.");
        Group k = Group.KERNEL;
        rate("ctxt.voluntary", "waits/s", Unit.PER_SECOND, k, "Times a thread gave up its CPU to wait.");
        rate("ctxt.involuntary", "preempted/s", Unit.PER_SECOND, k, "Times a thread had its CPU taken away.");
        rate("faults.major", "major faults/s", Unit.PER_SECOND, k, "Pages that had to be read from a device.");
        gauge(
                "busiest.cpu",
                "busiest thread",
                Unit.CPUS,
                k,
                Thin.MEAN,
                "What the thread of the server or the application used that used most of them.");
        gauge(
                "busiest.ready",
                "busiest thread ready",
                Unit.SHARE,
                k,
                Thin.MEAN,
                "Share of the time in which that thread ran, or was ready to and waited for a CPU.");
        rate(
                "runqueue.wait",
                "waits for a CPU",
                Unit.CPUS,
                k,
                "Time its threads were ready and had no CPU, per second.");
    }
}
