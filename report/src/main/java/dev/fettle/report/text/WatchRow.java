package dev.fettle.report.text;

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
    /** The lines of the screen, from the top: a label, and the signals; the one with a star is drawn, or the first. */
    static final List<WatchRow> ALL = """
            load     load.rate load.errors load.p50 load.p99 load.inflight
            CPU      cpu.total cpu.acceptor cpu.io cpu.workers cpu.gc cpu.jit cpu.app cpu.other cpu.hottest
            workers  workers.busy workers.total workers.queued io.blocked io.threads
            wait     wait.running *wait.lock wait.pool wait.socket wait.client wait.lookup wait.file wait.sleep wait.other wait.idle
            heap     heap.used heap.afterGc heap.old heap.committed heap.max
            GC       gc.share gc.pauseMax gc.count alloc.rate
            sockets  sockets.established sockets.closeWait sockets.timeWait sockets.synRecv sockets.other
            accept   accept.queue accept.limit accept.drops accept.overflows
            TCP      tcp.retransmits tcp.synRetransmits tcp.resets
            host     host.busy cpus.busy host.steal host.foreign cgroup.throttled
            pressure pressure.cpu pressure.memory pressure.io runqueue.wait
            memory   memory.rss memory.direct swap.used cgroup.memory cgroup.memoryMax
            disk     disk.write disk.read disk.busy faults.major
            threads  threads.total busiest.cpu busiest.ready fds.open fds.limit sessions.active classes.loaded ctxt.voluntary ctxt.involuntary
            """.lines().map(WatchRow::read).toList();

    /** The line per second: signals in their order, and what each is called there. */
    static final Map<String, String> BRIEF = brief("""
            cpu.total cpu
            cpu.hottest hottest
            workers.busy busy
            wait.lock in a lock
            heap.used heap
            gc.share gc
            sockets.established conns
            sockets.closeWait close-wait
            accept.queue queue
            tcp.retransmits retrans
            fds.open files
            host.busy host
            host.steal stolen
            disk.write written
            """);

    private static WatchRow read(String line) {
        List<String> words = List.of(line.split(" +"));
        List<String> ids = words.subList(1, words.size());
        String drawn = ids.stream().filter(id -> id.startsWith("*")).findFirst().orElse(ids.getFirst());
        return new WatchRow(
                words.getFirst(),
                plain(drawn),
                ids.stream().map(WatchRow::plain).toList());
    }

    private static String plain(String id) {
        return id.replace("*", "");
    }

    private static Map<String, String> brief(String table) {
        var brief = new LinkedHashMap<String, String>();
        table.lines().map(line -> line.split(" ", 2)).forEach(word -> brief.put(word[0], word[1]));
        return Collections.unmodifiableMap(brief);
    }
}
