package dev.fettle.insight.diagnose;

import java.util.List;
import java.util.Map;

/** The signals that show a finding, most telling first: what a page draws beside it. */
final class Shown {
    private static final List<String> GC = List.of("gc.share", "heap.afterGc", "load.p99");

    private static final Map<String, List<String>> OF = Map.ofEntries(
            Map.entry(FailureRules.FDS, List.of("fds.open", "sockets.established")),
            Map.entry(FailureRules.CLOSE_WAIT, List.of("sockets.closeWait", "fds.open")),
            Map.entry(FailureRules.DEADLOCK, List.of("threads.deadlocked", "wait.lock", "load.rate")),
            Map.entry(CpuRules.THROTTLED, List.of("cgroup.throttled", "cpu.total", "load.p99")),
            Map.entry(HeapRules.EXPLICIT_GC, List.of("gc.explicit", "gc.share", "load.p99")),
            Map.entry(HeapRules.HUMONGOUS, List.of("gc.humongous", "gc.share", "heap.used")),
            Map.entry(HeapRules.HEAP_SMALL, GC),
            Map.entry(HeapRules.ALLOCATION, List.of("gc.share", "alloc.rate", "load.p99")),
            Map.entry(CpuRules.EXCEPTIONS, List.of("cpu.total", "wait.running")),
            Map.entry(CpuRules.HOT_THREAD, List.of("cpu.hottest", "workers.busy")),
            Map.entry(CpuRules.HOT_METHOD, List.of("cpu.total", "wait.running")),
            Map.entry(CpuRules.LARGE, List.of("cpu.total", "load.rate")),
            Map.entry(CpuRules.CPU_FULL, List.of("cpu.total", "load.rate")),
            Map.entry(DoorRules.ACCEPT_QUEUE, List.of("accept.queue", "accept.drops", "tcp.synRetransmits")),
            Map.entry(WaitRules.LOG_LOCK, List.of("wait.lock", "workers.busy")),
            Map.entry(WaitRules.LOCK, List.of("wait.lock", "workers.busy")),
            Map.entry(WaitRules.POOL, List.of("wait.pool", "workers.busy")),
            Map.entry(WaitRules.FILE, List.of("wait.file", "disk.busy", "disk.write")),
            Map.entry(WaitRules.SLEEP, List.of("wait.sleep", "workers.busy")),
            Map.entry(WaitRules.BACKEND, List.of("wait.socket", "load.p50", "cpu.total")),
            Map.entry(WaitRules.WORKERS, List.of("workers.busy", "cpu.total", "load.p99")),
            Map.entry(DoorRules.BEFORE_WORKERS, List.of("workers.busy", "cpu.io", "load.p99")),
            Map.entry(DoorRules.PINNED, List.of("virtual.queued", "cpu.total")),
            Map.entry(DoorRules.KEEP_ALIVE, List.of("sockets.timeWait", "load.rate")),
            Map.entry(RequestRules.READ_TIMEOUTS, List.of("load.errors", "load.p99")),
            Map.entry(RequestRules.CONNECT_TIMEOUTS, List.of("load.errors", "accept.queue")),
            Map.entry(RequestRules.SERVER_ERRORS, List.of("load.errors", "load.rate")),
            Map.entry(RequestRules.THINKING, List.of("load.inflight", "cpu.total")),
            Map.entry(RequestRules.CLIENTS, List.of("workers.busy", "cpu.total")),
            Map.entry(TimeRules.DNS, List.of("load.p99", "wait.socket")),
            Map.entry(TimeRules.DELAYED_ACK, List.of("sockets.held", "load.p50")),
            Map.entry(TimeRules.SLOW_CONNECTS, List.of("tcp.synRetransmits", "accept.queue")),
            Map.entry(TimeRules.PAUSES, List.of("gc.pauseMax", "load.p99")),
            Map.entry(PeriodicRule.ID, List.of("load.p99", "cpu.app", "host.foreign")),
            Map.entry(GrowthRules.SESSIONS, List.of("sessions.active", "heap.afterGc")),
            Map.entry(GrowthRules.WARMING, List.of("load.rate", "workers.busy", "cpu.jit")),
            Map.entry(GrowthRules.HEAP_GROWS, List.of("heap.afterGc", "gc.share")),
            Map.entry(GrowthRules.NATIVE_GROWS, List.of("memory.rss", "heap.committed")));

    private Shown() {}

    static List<String> of(String rule) {
        return OF.getOrDefault(rule, List.of());
    }

    static Map<String, List<String>> all() {
        return OF;
    }
}
