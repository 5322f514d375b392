package dev.fettle.lab.process;

import dev.fettle.model.text.CpuList;
import java.util.Optional;
import java.util.Set;

/** Pins this process with all its threads, so that neither its compiler nor its collector runs on the target's CPUs. */
public final class SelfPin {
    private SelfPin() {}

    /** Pins to the given CPUs; threads started later inherit it. Returns a note if it did not work. */
    public static Optional<String> pin(Set<Integer> cpus) throws InterruptedException {
        return Scheduling.moveProcess(ProcessHandle.current().pid(), cpus)
                ? Optional.empty()
                : Optional.of("Fettle could not pin itself to CPU " + CpuList.text(cpus)
                        + ": taskset(1) of util-linux is missing or was refused");
    }
}
