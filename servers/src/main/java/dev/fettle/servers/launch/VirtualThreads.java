package dev.fettle.servers.launch;

import dev.fettle.servers.settings.LaunchFailure;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads from a module that compiles for Java 17. */
public final class VirtualThreads {
    private VirtualThreads() {}

    public static void require() throws LaunchFailure {
        if (Runtime.version().feature() < 21) {
            throw LaunchFailure.refused("threads.virtual=true needs Java 21 or newer; this is Java "
                    + Runtime.version().feature());
        }
    }

    public static ExecutorService executor() throws LaunchFailure {
        require();
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw LaunchFailure.refused("this JVM has no virtual threads: " + LaunchFailure.words(e));
        }
    }
}
