package dev.fettle.lab.machine;

import dev.fettle.watch.jvm.NativeNames;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Which processes may be asked for a thread dump, which stops all their threads while it is taken. Those that Fettle started: each time that
 * there is a reason. Another, which somebody may depend on: once for its trouble, and once for the names of its threads, for each
 * command; and every few seconds under load for who waits for whom, which does not walk its heap. Thread-safe.
 */
public final class DumpAllowance {
    private final boolean any;
    private final Set<Long> troubled = ConcurrentHashMap.newKeySet();
    private final Set<Long> heaps = ConcurrentHashMap.newKeySet();
    private final Map<Long, Supplier<Map<Long, String>>> named = new ConcurrentHashMap<>();

    private DumpAllowance(boolean any) {
        this.any = any;
    }

    /** Fettle's own processes as often as there is a reason, others once. */
    public static DumpAllowance usual() {
        return new DumpAllowance(true);
    }

    /** No dump of any process. */
    public static DumpAllowance none() {
        return new DumpAllowance(false);
    }

    /** Whether there may be any. */
    public boolean any() {
        return any;
    }

    /**
     * Takes the leave to dump a process that is in trouble.
     *
     * @param own whether Fettle started it
     */
    public boolean take(long pid, boolean own) {
        return any && (own || troubled.add(pid));
    }

    /** Whether a process's heap, which is full, may be dumped; from then on it may not. */
    public boolean heap(long pid) {
        return any && heaps.add(pid);
    }

    /**
     * The whole names of a process's threads by the kernel's ids, which take a dump; none if there may be none.
     *
     * @param own whether Fettle started it
     */
    public Supplier<Map<Long, String>> names(long pid, boolean own) {
        if (!any) {
            return Map::of;
        }
        return own ? NativeNames.of(pid) : named.computeIfAbsent(pid, NativeNames::once);
    }

    /**
     * What a process that Fettle did not start may be asked, in one line, to be said before.
     *
     * @param process such as {@code process 12345}
     * @param loaded whether Fettle puts load on it, or only watches
     */
    public String words(String process, boolean loaded) {
        return process
                + (any
                        ? " may be asked for a thread dump, which stops its threads for a moment: once for the names of its threads"
                                + (loaded
                                        ? ", once if it hangs (if its heap is full, a heap dump of up to 1 GiB, too, deleted at once), falls by half or has a deadlock, and every few seconds for who waits for whom"
                                        : "")
                                + " (--no-dump: never)"
                        : " is asked for no thread dump");
    }
}
