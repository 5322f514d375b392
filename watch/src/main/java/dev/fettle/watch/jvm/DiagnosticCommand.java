package dev.fettle.watch.jvm;

import java.io.IOException;
import java.time.Duration;
import javax.management.JMException;
import javax.management.ObjectName;

/** Commands of {@code jcmd}, over the bean that has them. */
public final class DiagnosticCommand {
    private static final String BEAN = "com.sun.management:type=DiagnosticCommand";

    /** In a heap of tens of gigabytes it takes half a minute. */
    private static final Duration HISTOGRAM_BOUND = Duration.ofMinutes(2);

    private DiagnosticCommand() {}

    /**
     * What a command prints.
     *
     * @param what it prints, for the message if it does not
     * @throws IOException if the JVM does not answer in time, or has no such command
     */
    static String run(RunningJvm jvm, Duration bound, String what, String command, String... arguments)
            throws IOException {
        return CallTimeout.once(bound, "the JVM", () -> unbounded(jvm, what, command, arguments));
    }

    /**
     * The same for who bounds the time by itself.
     *
     * @throws IOException if the JVM has no such command
     */
    static String unbounded(RunningJvm jvm, String what, String command, String... arguments) throws IOException {
        try {
            return RunningJvm.text(
                    jvm.beans().invoke(new ObjectName(BEAN), command, new Object[] {arguments}, new String[] {
                        String[].class.getName()
                    }));
        } catch (JMException e) {
            throw new IOException("no " + what + ": " + e.getMessage(), e);
        }
    }

    /**
     * The classes of the heap with the number and size of their objects, as {@code jcmd PID GC.class_histogram} prints them. Of the objects
     * that are in use: the JVM collects all garbage first, while all its threads stand still.
     *
     * @throws IOException as {@link #run}
     */
    public static String classHistogram(RunningJvm jvm) throws IOException {
        return run(jvm, HISTOGRAM_BOUND, "histogram", "gcClassHistogram");
    }
}
