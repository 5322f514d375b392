package dev.fettle.lab.process;

import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.Proc;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the just-in-time compiler threads of a target off the target's CPUs. There they would compete with hundreds of busy
 * workers: the warm-up would take a minute, and a short trial would measure a server that is still compiling. Elsewhere, the
 * trial shows the server as it is after an hour, when the compilers have nothing left to do. Their CPU time is separate
 * evidence and is not charged to requests.
 *
 * <p>On the generator's CPUs they get only idle time: the idle scheduling policy, and, where the kernel groups processes by
 * session (autogroup), the lowest weight for the target's session, which has its own CPUs to itself anyway. Otherwise generator
 * and backend would be late while the target compiles.
 */
public final class CompilerThreads {
    private final Proc proc;
    private final Optional<Long> pid;
    private final Set<Long> moved = new HashSet<>();

    /** @param pid the target's process; empty if Fettle did not start it */
    public CompilerThreads(Proc proc, Optional<Long> pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /** Moves compiler threads that are new since the last call; best effort. */
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
