package dev.fettle.watch.jvm;

import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.management.jfr.FlightRecorderMXBean;
import jdk.management.jfr.RecordingInfo;

/**
 * Names Fettle's recordings in other JVMs after the Fettle that makes them, {@code fettle PID START NAMESPACE}, so that one whose Fettle
 * is gone can be told from others, and closed. Recordings of anybody else, and of a Fettle in another namespace of process ids, are
 * left alone.
 */
public final class OwnRecordings {
    private static final Pattern NAME = Pattern.compile("fettle ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,18})");

    private OwnRecordings() {}

    /** The name of this process's recordings. */
    public static String name() {
        long pid = ProcessHandle.current().pid();
        return "fettle " + pid + " " + new Proc().startTicks(pid).orElse(0) + " " + namespace();
    }

    /** The number of the namespace in which this process's id means this process; 0 if the kernel does not tell. */
    private static String namespace() {
        try {
            String digits = Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("[^0-9]", "");
            return digits.isEmpty() ? "0" : digits;
        } catch (IOException e) {
            return "0";
        }
    }

    /** Whether a recording of this name is a Fettle's that is gone. */
    static boolean isLeft(String name, Proc proc, String namespace) {
        Matcher owner = NAME.matcher(name);
        return owner.matches()
                && owner.group(3).equals(namespace)
                && !namespace.equals("0")
                && !proc.runs(Long.parseLong(owner.group(1)), Long.parseLong(owner.group(2)));
    }

    /**
     * Whether recordings of a Fettle that is gone are there.
     *
     * @throws IOException if the JVM does not answer
     */
    public static boolean areLeft(RunningJvm jvm) throws IOException {
        return !left(jvm).isEmpty();
    }

    /**
     * Closes recordings of Fettles that are gone; in a JVM that never recorded anything, nothing is begun by asking.
     *
     * @return how many
     */
    static int closeLeft(RunningJvm jvm) {
        int closed = 0;
        try {
            for (RecordingInfo each : left(jvm)) {
                jvm.recorder().closeRecording(each.getId());
                closed++;
            }
        } catch (IOException | RuntimeException e) {
            return closed; // it has none, or another was quicker
        }
        return closed;
    }

    private static List<RecordingInfo> left(RunningJvm jvm) throws IOException {
        if (!jvm.hasRecorder()) {
            return List.of();
        }
        var proc = new Proc();
        String namespace = namespace();
        FlightRecorderMXBean recorder = jvm.recorder();
        try {
            return recorder.getRecordings().stream()
                    .filter(r -> isLeft(r.getName(), proc, namespace))
                    .toList();
        } catch (RuntimeException e) {
            throw new IOException("its flight recorder does not answer: " + e.getMessage(), e);
        }
    }
}
