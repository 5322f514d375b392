package dev.fettle.watch.host;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of a process on this machine; each is empty if there is no limit, or it can't be read.
 *
 * @param files most open files ({@code RLIMIT_NOFILE}, soft)
 * @param processes most processes and threads of its user ({@code RLIMIT_NPROC}, soft); also empty where it does
 *     not apply, see {@link #unbound}
 * @param processesNow processes and threads its user has now, as far as they are visible
 * @param tasks most processes and threads of its control group ({@code pids.max}): the tightest limit from the
 *     group up
 * @param tasksNow processes and threads that this group has now
 * @param ports local ports available for connections
 * @param memory bytes available without swapping, on the machine or in this process's control group
 * @param mostMemory bytes of memory of the machine, or of the control group if that has less
 */
public record HostLimits(
        OptionalLong files,
        OptionalLong processes,
        OptionalLong processesNow,
        OptionalLong tasks,
        OptionalLong tasksNow,
        OptionalLong ports,
        OptionalLong memory,
        OptionalLong mostMemory) {
    /** Bits of the capabilities in {@code CapEff}; see capabilities(7). */
    private static final int SYS_ADMIN = 21;

    private static final int SYS_RESOURCE = 24;

    /** Limits of a process of this machine. */
    public static HostLimits of(Proc proc, String pid) {
        return of(proc, pid, ControlGroups.MOUNT);
    }

    static HostLimits of(Proc proc, String pid, Path groups) {
        Optional<Path> group = ControlGroups.tightest(proc, pid, groups, "pids", "pids.max");
        return new HostLimits(
                proc.softLimit(pid, "Max open files"),
                unbound(proc, pid).isPresent() ? OptionalLong.empty() : proc.softLimit(pid, "Max processes"),
                proc.userThreads(pid),
                group.map(g -> ControlGroups.number(g.resolve("pids.max"))).orElse(OptionalLong.empty()),
                group.map(g -> ControlGroups.number(g.resolve("pids.current"))).orElse(OptionalLong.empty()),
                ports(proc),
                new AvailableMemory(proc, groups).available(),
                new AvailableMemory(proc, groups).most());
    }

    /**
     * Why the kernel does not apply the limit of processes to a process; empty if it does. Exempt are the user root,
     * and any process with {@code CAP_SYS_RESOURCE} or {@code CAP_SYS_ADMIN}; see setrlimit(2).
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

    private static OptionalLong ports(Proc proc) {
        return proc.sysctl("net.ipv4.ip_local_port_range").stream()
                .map(r -> r.split("\\s+"))
                .mapToLong(r -> Long.parseLong(r[1]) - Long.parseLong(r[0]) + 1)
                .findFirst();
    }
}
