package dev.fettle.lab.process;

import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.Proc;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the just-in-time compiler threads of a target off the target's CPUs. On those, they compete with hundreds of busy
 * workers: the warm-up takes a minute, and what is measured in a short trial is a server that still compiles. Apart from
 * them, it is the server as it is after an hour, when the compilers have nothing left to do. Their CPU time is evidence of
 * its own, and is not counted as the requests'.
 *
 * <p>On the generator's CPUs they get what is left over: the idle scheduling policy, and, where the kernel groups processes
 * by session (autogroup), the least weight for the target's session, which has its own CPUs to itself anyway. Otherwise
 * generator and backend would answer late while the target compiles.
 */
public final class CompilerThreads {
    private final Proc proc;
    private final Optional<Long> pid;
    private final Set<Long> moved = new HashSet<>();

    /** Of a process; of none if the target is not ours. */
    public CompilerThreads(Proc proc, Optional<Long> pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /** Moves those that have come since the last time. Does its best. */
    public void keepOn(Set<Integer> cpus) throws InterruptedException {
        if (pid.isEmpty()) {
            return;
        }
        for (Proc.Task t : proc.threads(pid.get())) {
            if (HostWatch.isCompiler(t) && moved.add(t.id())) {
                Scheduling.idle(t.id());
                Scheduling.moveThread(t.id(), cpus);
                if (moved.size() == 1) {
                    Scheduling.leastSessionWeight(pid.get());
                }
            }
        }
    }
}
