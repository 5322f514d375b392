package dev.fettle.lab;

import dev.fettle.watch.HostWatch;
import dev.fettle.watch.Proc;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Moves the just-in-time compiler threads of a target from CPUs to CPUs. On the few CPUs of a target, they compete with
 * hundreds of busy workers and the warm-up takes a minute; with the generator's CPUs lent to them until the target is
 * steady it takes seconds. Before anything is measured they go back to where they belong, so that what they still do is
 * seen as it would be.
 */
final class CompilerThreads {
    private final Proc proc;
    private final long pid;
    private final Map<Long, Set<Integer>> where = new HashMap<>();

    CompilerThreads(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /** Moves those that are not there yet; new ones may have come since the last time. Does its best. */
    void moveTo(Set<Integer> cpus) throws InterruptedException {
        for (Proc.Task t : proc.threads(pid)) {
            boolean compiler = HostWatch.COMPILERS.stream().anyMatch(t.name()::startsWith);
            if (compiler && !cpus.equals(where.get(t.id()))) {
                where.put(t.id(), Set.copyOf(cpus));
                taskset(t.id(), cpus);
            }
        }
    }

    private static void taskset(long thread, Set<Integer> cpus) throws InterruptedException {
        try {
            Process taskset = new ProcessBuilder("taskset", "-p", "-c", CpuLayout.list(cpus), Long.toString(thread))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            taskset.getOutputStream().close();
            taskset.waitFor(2, TimeUnit.SECONDS);
        } catch (IOException e) {
            return; // no taskset: then nothing is pinned in the first place
        }
    }
}
