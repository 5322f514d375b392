package dev.fettle.watch.host;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Which processes give way to others, so that they take no CPU time from them. Not thread-safe. */
final class Yielding {
    /** Index of the scheduling policy, counted from the state on. */
    private static final int POLICY = 38;

    private static final String SCHED_IDLE = "5";

    /** The lines of a group of version 1 that divides CPU time. */
    private static final Pattern CPU_GROUP = Pattern.compile("\\d++:(?=(?:[^:]*,)?cpu[,:])[^:]*+:.*");

    private final Proc proc;
    /** Whether a process gives way, of those seen since the last look at all. */
    private final Map<Long, Boolean> known = new HashMap<>();

    /** The group of the given processes at the last look at all; empty if nobody gives way to them for certain. */
    private Optional<String> ours = Optional.empty();

    Yielding(Proc proc) {
        this.proc = proc;
    }

    /**
     * All processes that give way to the given ones: at idle priority ({@code SCHED_IDLE}), and in the same scheduling
     * group. The kernel shares the CPUs among groups first, so a process in a cgroup of its own, or in another session
     * where autogroup is on, takes a group's full share at any priority; see sched(7). None if the given processes are
     * idle themselves or in several groups, or if that can't be read.
     */
    Set<Long> to(List<Long> own) {
        known.clear();
        Optional<String> group = autogroup() ? Optional.empty() : group("self");
        ours = group.filter(g -> own.stream().noneMatch(p -> isIdle(p) || !group.equals(group(Long.toString(p)))));
        return withNew();
    }

    /**
     * The same, but a process that was seen before is taken to be as it was then, the given ones, too: of hundreds of processes
     * few are new from one second to the next, and reading each of them is what costs.
     */
    Set<Long> withNew() {
        if (ours.isEmpty()) {
            return Set.of();
        }
        List<Long> all = proc.all();
        known.keySet().retainAll(Set.copyOf(all));
        var giveWay = new HashSet<Long>();
        for (long pid : all) {
            if (known.computeIfAbsent(pid, p -> isIdle(p) && ours.equals(group(Long.toString(p))))) {
                giveWay.add(pid);
            }
        }
        return giveWay;
    }

    /** Whether a process runs at idle priority, as its first thread does. */
    private boolean isIdle(long pid) {
        return proc.text(pid + "/stat")
                .map(Proc::fields)
                .filter(f -> f.length > POLICY && f[POLICY].equals(SCHED_IDLE))
                .isPresent();
    }

    /** Whether sessions are scheduling groups; they are not if autogroup is off or not built in. */
    private boolean autogroup() {
        return proc.text("sys/kernel/sched_autogroup_enabled")
                .filter(t -> !t.strip().equals("0"))
                .isPresent();
    }

    /** The cgroups of a process that divide CPU time; empty if they can't be read. */
    private Optional<String> group(String pid) {
        return proc.text(pid + "/cgroup")
                .flatMap(t -> t.lines()
                        .filter(l -> l.startsWith("0::") || CPU_GROUP.matcher(l).matches())
                        .sorted()
                        .reduce((a, b) -> a + "\n" + b));
    }
}
