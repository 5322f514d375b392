package dev.fettle.watch.host;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What limits a process on this machine; each empty where there is no limit, or it can't be read.
 *
 * @param files most open files ({@code RLIMIT_NOFILE}, soft)
 * @param processes most processes and threads of its user ({@code RLIMIT_NPROC}, soft); empty as well where it does not bind,
 *     see {@link #unbound}
 * @param processesNow processes and threads that its user has, as far as they are seen
 * @param tasks most processes and threads of its control group ({@code pids.max}), the tightest one above it
 * @param tasksNow those that this group has
 * @param ports local ports that a connection can be given
 * @param memory bytes that are available without swapping
 */
public record HostLimits(
        OptionalLong files,
        OptionalLong processes,
        OptionalLong processesNow,
        OptionalLong tasks,
        OptionalLong tasksNow,
        OptionalLong ports,
        OptionalLong memory) {
    /** Bits of the capabilities in {@code CapEff}; see capabilities(7). */
    private static final int SYS_ADMIN = 21;

    private static final int SYS_RESOURCE = 24;

    /** Those of a process of this machine. */
    public static HostLimits of(Proc proc, String pid) {
        return of(proc, pid, ControlGroups.MOUNT);
    }

    static HostLimits of(Proc proc, String pid, Path groups) {
        var group = group(proc, pid, groups);
        return new HostLimits(
                proc.softLimit(pid, "Max open files"),
                unbound(proc, pid).isPresent() ? OptionalLong.empty() : proc.softLimit(pid, "Max processes"),
                proc.userThreads(pid),
                group.map(g -> ControlGroups.number(g.resolve("pids.max"))).orElse(OptionalLong.empty()),
                group.map(g -> ControlGroups.number(g.resolve("pids.current"))).orElse(OptionalLong.empty()),
                ports(proc),
                proc.info("meminfo", "MemAvailable:").stream()
                        .map(v -> v.split(" ")[0])
                        .mapToLong(v -> 1024 * Long.parseLong(v))
                        .findFirst());
    }

    /**
     * Why the kernel does not hold a process to its limit of processes; empty if it does. It exempts the user root, and whoever
     * has {@code CAP_SYS_RESOURCE} or {@code CAP_SYS_ADMIN}; see setrlimit(2).
     */
    public static Optional<String> unbound(Proc proc, String pid) {
        if (proc.status(pid, "Uid").map(u -> u.split("\\s+")[0].equals("0")).orElse(false)) {
            return Optional.of("it runs as root, whom the kernel does not hold to it");
        }
        long capabilities = proc.status(pid, "CapEff")
                .map(c -> Long.parseUnsignedLong(c, 16))
                .orElse(0L);
        return (capabilities >> SYS_ADMIN & 1) == 1 || (capabilities >> SYS_RESOURCE & 1) == 1
                ? Optional.of("it has CAP_SYS_RESOURCE or CAP_SYS_ADMIN, and the kernel does not hold it to it")
                : Optional.empty();
    }

    /** The group with the tightest bound on the way from the process's own to the root. */
    private static Optional<Path> group(Proc proc, String pid, Path groups) {
        return ControlGroups.upwards(proc, pid, groups, "pids")
                .filter(g -> ControlGroups.number(g.resolve("pids.max")).isPresent())
                .min(Comparator.comparingLong(
                        g -> ControlGroups.number(g.resolve("pids.max")).orElse(Long.MAX_VALUE)));
    }

    private static OptionalLong ports(Proc proc) {
        return proc.sysctl("net.ipv4.ip_local_port_range").stream()
                .map(r -> r.split("\\s+"))
                .mapToLong(r -> Long.parseLong(r[1]) - Long.parseLong(r[0]) + 1)
                .findFirst();
    }
}
