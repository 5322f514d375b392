package dev.fettle.watch.jvm;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** All threads of a JVM with their stacks, as {@code jcmd PID Thread.print} prints them. */
public final class ThreadDump {
    /** Time for a dump: with 10,000 threads it takes seconds. */
    private static final Duration BOUND = Duration.ofSeconds(15);

    private final RunningJvm jvm;

    public ThreadDump(RunningJvm jvm) {
        this.jvm = jvm;
    }

    /**
     * The dump, with the monitors that each thread holds.
     *
     * @param owners whether also with the locks of {@code java.util.concurrent} that each thread owns ({@code -l}): to find them the JVM
     *     walks its whole heap while all threads stand still, which takes seconds in a heap of tens of gigabytes; so only of a JVM that
     *     nobody depends on
     * @throws IOException if the JVM does not answer, or has no such command
     */
    public String take(boolean owners) throws IOException {
        return DiagnosticCommand.run(
                jvm, BOUND, "thread dump", "threadPrint", owners ? new String[] {"-l"} : new String[0]);
    }

    /**
     * The names of deadlocked threads.
     *
     * @return empty if there are none
     * @throws IOException if the JVM does not answer
     */
    public List<String> deadlocked() throws IOException {
        return CallTimeout.once(BOUND, "the JVM", () -> {
            long[] ids = jvm.threads().findDeadlockedThreads();
            return ids == null
                    ? List.<String>of()
                    : Arrays.stream(jvm.threads().getThreadInfo(ids))
                            .filter(Objects::nonNull)
                            .map(t -> t.getThreadName() + ": " + WorkerState.LOCKED.words() + " of class "
                                    + (t.getLockInfo() == null
                                            ? "?"
                                            : t.getLockInfo().getClassName()) + ", held by "
                                    + t.getLockOwnerName())
                            .sorted()
                            .toList();
        });
    }
}
