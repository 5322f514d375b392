package dev.fettle.watch.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * CPU time of the threads of a process with matching names, from {@code schedstat}. A thread that ends between
 * two readings counts up to its last reading. Not thread-safe.
 */
public final class CpuOfThreads {
    private final Proc proc;
    private final long pid;
    private final Predicate<String> wanted;
    private final int listEvery;
    private final Map<Long, Long> used = new HashMap<>();
    private final Map<Long, Boolean> names = new HashMap<>();
    private int readings;

    /**
     * The threads of a process.
     *
     * @param root {@code /proc}
     * @param wanted accepts a kernel thread name, which is cut to 15 characters
     * @param listEvery readings between two looks for new threads
     */
    public CpuOfThreads(Path root, long pid, Predicate<String> wanted, int listEvery) {
        this(new Proc(root), pid, wanted, listEvery);
    }

    /**
     * The threads of a process.
     *
     * @param wanted accepts a kernel thread name, which is cut to 15 characters
     * @param listEvery readings between two looks for new threads
     */
    public CpuOfThreads(Proc proc, long pid, Predicate<String> wanted, int listEvery) {
        this.proc = proc;
        this.pid = pid;
        this.wanted = wanted;
        this.listEvery = listEvery;
    }

    /** Nanoseconds used so far by threads that were seen; empty if there are none, or it can't be read. */
    public OptionalLong nanos() {
        if (readings++ % listEvery == 0) {
            list();
        }
        names.forEach((id, fits) -> {
            if (fits) {
                proc.text(pid + "/task/" + id + "/schedstat")
                        .filter(s -> !s.startsWith("0 0 0"))
                        .ifPresent(s -> used.put(id, Long.parseLong(s.substring(0, s.indexOf(' ')))));
            }
        });
        return used.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        used.values().stream().mapToLong(Long::longValue).sum());
    }

    private void list() {
        List<Long> now = proc.tasks(pid);
        for (long id : now) {
            names.computeIfAbsent(
                    id,
                    i -> wanted.test(
                            proc.text(pid + "/task/" + i + "/comm").orElse("").strip()));
        }
        names.keySet().retainAll(Set.copyOf(now)); // none if it is gone
    }
}
