package dev.fettle.watch.host;

import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.OptionalFigure;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Why a process's CPUs may be worth less than they look: a quota of its control group, and cores shared by two CPUs.
 *
 * @param quota CPUs allowed by the tightest quota of its group or one above; infinite if there is none; empty if
 *     control groups can't be read
 * @param cores cores that its CPUs belong to; empty if the machine does not report them
 * @param neighbours CPUs that are not its own but belong to the same cores
 */
public record CpuBounds(OptionalFigure quota, Optional<Integer> cores, Set<Integer> neighbours) {

    /**
     * The bounds of a process of this machine.
     *
     * @param cpus the CPUs it runs on
     */
    public static CpuBounds of(Proc proc, long pid, Set<Integer> cpus) {
        return of(proc, pid, cpus, ControlGroups.MOUNT, Path.of("/sys/devices/system/cpu"));
    }

    static CpuBounds of(Proc proc, long pid, Set<Integer> cpus, Path groups, Path devices) {
        OptionalFigure quota = OptionalFigure.of(ControlGroups.upwards(proc, Long.toString(pid), groups, "cpu")
                .mapToDouble(CpuBounds::quota)
                .min());
        var cores = new HashSet<Set<Integer>>();
        var neighbours = new TreeSet<Integer>();
        for (int cpu : cpus) {
            var siblings = ControlGroups.text(devices.resolve("cpu" + cpu + "/topology/thread_siblings_list"));
            if (siblings.isEmpty()) {
                return new CpuBounds(quota, Optional.empty(), Set.of());
            }
            Set<Integer> core = CpuList.parse(siblings.get());
            cores.add(core);
            core.stream().filter(c -> !cpus.contains(c)).forEach(neighbours::add);
        }
        return new CpuBounds(quota, cores.isEmpty() ? Optional.empty() : Optional.of(cores.size()), neighbours);
    }

    /** CPUs that a group allows: {@code cpu.max} of version 2, {@code cpu.cfs_quota_us} of version 1. */
    static double quota(Path group) {
        Optional<String> max = ControlGroups.text(group.resolve("cpu.max"));
        if (max.isPresent()) {
            String[] f = max.get().split(" ");
            return f.length == 2 && f[0].matches("[0-9]+")
                    ? Double.parseDouble(f[0]) / Double.parseDouble(f[1])
                    : Double.POSITIVE_INFINITY;
        }
        long most = ControlGroups.number(group.resolve("cpu.cfs_quota_us")).orElse(-1);
        long period = ControlGroups.number(group.resolve("cpu.cfs_period_us")).orElse(0);
        return most > 0 && period > 0 ? (double) most / period : Double.POSITIVE_INFINITY;
    }
}
