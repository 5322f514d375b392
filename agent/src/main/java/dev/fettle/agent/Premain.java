package dev.fettle.agent;

import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * Entry point for the JVM: {@code -javaagent:fettle-agent.jar=FILE}. FILE receives the control port and its token, see {@link Agent}.
 *
 * <p>A separate class loader loads the rest, so that packages opened for it are open to nothing else in the JVM. Any
 * problem is reported in one line on standard error, and the server starts as if there were no agent.
 */
public final class Premain {
    private Premain() {}

    /** Called by the JVM before the server's main class. */
    public static void premain(@Nullable String file, Instrumentation jvm) {
        start(file, jvm, true);
    }

    /** Called by the JVM when the agent is loaded into a server that is already running. */
    public static void agentmain(@Nullable String file, Instrumentation jvm) {
        start(file, jvm, false);
    }

    // the loader lives as long as the agent's port
    @SuppressWarnings("resource")
    private static void start(@Nullable String file, Instrumentation jvm, boolean launched) {
        try {
            URL jar = Premain.class.getProtectionDomain().getCodeSource().getLocation();
            ClassLoader own = new URLClassLoader("fettle-agent", new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            own.loadClass("dev.fettle.agent.Agent")
                    .getMethod("start", String.class, Instrumentation.class, boolean.class)
                    .invoke(null, file == null ? "" : file, jvm, launched);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            System.err.println("fettle-agent: could not start: " + cause);
        }
    }
}
