package dev.fettle.lab;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Pins this very process, with all its threads, so that neither its compiler nor its collector runs on the target's CPUs. */
public final class SelfPin {
    private SelfPin() {}

    /** Pins to the given CPUs; threads started later inherit it. Gives a note if it did not work. */
    public static Optional<String> pin(Set<Integer> cpus) throws InterruptedException {
        try {
            Process taskset = new ProcessBuilder(
                            "taskset",
                            "-a",
                            "-p",
                            "-c",
                            CpuLayout.list(cpus),
                            Long.toString(ProcessHandle.current().pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            taskset.getOutputStream().close();
            if (taskset.waitFor(5, TimeUnit.SECONDS) && taskset.exitValue() == 0) {
                return Optional.empty();
            }
            taskset.destroyForcibly();
            return Optional.of("Fettle could not pin itself to CPU " + CpuLayout.list(cpus) + ": taskset failed");
        } catch (IOException e) {
            return Optional.of("Fettle could not pin itself: taskset(1) of util-linux is missing");
        }
    }
}
