package dev.fettle.load;

import dev.fettle.load.uring.Native;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes the just-in-time compiler's threads of this JVM give way to an open load's engine threads. In the first seconds both
 * want the generator's CPU, and what the compiler takes is send lag. A closed load takes all of the CPU that it gets, and would
 * be compiled late, so it should be left alone. For programs that do nothing but offer a load: it holds for all the JVM, and can't
 * be taken back without privilege.
 *
 * <p>A larger niceness needs no privilege on Linux; elsewhere nothing happens. Threads of the compiler that come later have it
 * from the one that starts them.
 */
public final class CompilerNice {

    /**
     * A third of the weight of a thread with niceness 0. With much more (19 was measured) an engine that is busy from the start is
     * not compiled at all, and falls behind its schedule.
     */
    static final long NICENESS = 5;

    private static final long ONE_THREAD = 0;
    private static final Path TASKS = Path.of("/proc/self/task");

    private CompilerNice() {}

    /** Asks for it; how many threads it was done for. */
    public static int raise() {
        Optional<MethodHandle> setPriority = Native.find("setpriority");
        if (setPriority.isEmpty() || !Files.isDirectory(TASKS)) {
            return 0;
        }
        int raised = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isCompiler(task) && raise(setPriority.get(), Long.parseLong(String.valueOf(task.getFileName())))) {
                    raised++;
                }
            }
        } catch (IOException e) {
            return raised; // without it all works, with a larger send lag at first
        }
        return raised;
    }

    private static boolean isCompiler(Path task) {
        try {
            String name = Files.readString(task.resolve("comm"));
            return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static boolean raise(MethodHandle setPriority, long thread) {
        MemorySegment errno = Native.state();
        try {
            return (int) (long) setPriority.invokeExact(errno, ONE_THREAD, thread, NICENESS, 0L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            return false;
        }
    }
}
