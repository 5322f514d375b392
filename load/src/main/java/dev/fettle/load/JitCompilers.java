package dev.fettle.load;

import dev.fettle.load.os.Native;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The just-in-time compiler threads of this JVM. In the first seconds of a load they compile the engine's code. If they
 * share the generator's CPU, their work shows up as send lag in the open model and as missing requests in the closed
 * one.
 */
public final class JitCompilers {

    /**
     * How much nicer they become than this process: each then weighs a third of another thread. With a much higher niceness (19
     * was measured), an engine that is busy from the start is not compiled at all, and falls behind its schedule.
     */
    static final long NICENESS = 5;

    private static final long NICEST = 19;

    private static final long ONE_THREAD = 0;
    private static final Path TASKS = Path.of("/proc/self/task");
    /** Not every kernel has this file. */
    private static final Path SCHEDSTAT = Path.of("/proc/self/schedstat");

    private JitCompilers() {}

    /**
     * Lowers their priority below an open load's engine threads; returns for how many threads this worked. Don't use it
     * with a closed load, which takes all the CPU it gets and would be compiled late. For programs that only generate
     * load: it affects the whole JVM, and can't be undone without privilege.
     *
     * <p>A higher niceness needs no privilege on Linux; elsewhere nothing happens. Compiler threads started later
     * inherit it from the thread that starts them.
     */
    public static int giveWay() {
        Optional<MethodHandle> setPriority = Native.find("setpriority");
        if (setPriority.isEmpty()) {
            return 0;
        }
        long niceness = Math.min(NICEST, ownNiceness() + NICENESS);
        return (int) sum(
                task -> raise(setPriority.get(), Long.parseLong(String.valueOf(task.getFileName())), niceness) ? 1 : 0);
    }

    /** The nice value of the process: field 19 in proc_pid_stat(5), where field 2 is the name in parentheses. */
    private static long ownNiceness() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * How much they have worked so far, in nanoseconds: CPU time on Linux, elsewhere the time the JVM reports. It may
     * decrease when a compiler thread ends.
     */
    public static long workedNanos() {
        return Files.isReadable(SCHEDSTAT)
                ? sum(JitCompilers::cpuNanos)
                : ManagementFactory.getCompilationMXBean().getTotalCompilationTime() * 1_000_000;
    }

    private static long sum(ToLongFunction<Path> ofThread) {
        if (!Files.isDirectory(TASKS)) {
            return 0;
        }
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isCompiler(task)) {
                    sum += ofThread.applyAsLong(task);
                }
            }
        } catch (IOException e) {
            return sum;
        }
        return sum;
    }

    private static boolean isCompiler(Path task) {
        try {
            String name = Files.readString(task.resolve("comm"));
            return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /** The first field of {@code /proc/PID/task/TID/schedstat}: time on a CPU, in nanoseconds. */
    private static long cpuNanos(Path task) {
        try {
            String text = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException e) {
            return 0; // it has ended
        }
    }

    private static boolean raise(MethodHandle setPriority, long thread, long niceness) {
        MemorySegment errno = Native.state();
        try {
            return (int) (long) setPriority.invokeExact(errno, ONE_THREAD, thread, niceness, 0L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            return false;
        }
    }
}
