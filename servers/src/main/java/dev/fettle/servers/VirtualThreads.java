package dev.fettle.servers;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads from a module that compiles for Java 17. */
final class VirtualThreads {
    private VirtualThreads() {}

    static void require() throws LaunchFailure {
        if (Runtime.version().feature() < 21) {
            throw LaunchFailure.refused("threads.virtual=true needs Java 21 or newer; this is Java "
                    + Runtime.version().feature());
        }
    }

    static ExecutorService executor() throws LaunchFailure {
        require();
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw LaunchFailure.refused("this JVM has no virtual threads: " + LaunchFailure.words(e));
        }
    }
}
