package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Profile;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The events in Fettle's own recordings. The JDK's settings can't reveal a convoy on a lock, as they leave out waits
 * shorter than 20 ms ({@code default}) or 10 ms ({@code profile}). A JVM ignores events that it does not know.
 */
final class RecordingSettings {
    /** Time between two samples of each running thread. */
    static final int SAMPLE_MILLIS = 10;

    /** The shortest wait that is recorded. */
    static final String SHORTEST_WAIT = "1 ms";

    private static final String ENABLED = "#enabled";

    /** Cheap events that are always recorded. */
    private static final List<String> ALWAYS =
            List.of("jdk.GarbageCollection", "jdk.GCHeapSummary", "jdk.ExceptionStatistics", "jdk.ExecuteVMOperation");

    /** What may hold passwords; no profile needs it. */
    private static final List<String> NEVER = List.of(
            "jdk.InitialSystemProperty",
            "jdk.InitialEnvironmentVariable",
            "jdk.InitialSecurityProperty",
            "jdk.JVMInformation",
            "jdk.SystemProcess");

    private static final List<String> WAITS = List.of("""
            jdk.ThreadPark jdk.ThreadSleep jdk.JavaMonitorWait jdk.SocketRead jdk.SocketWrite jdk.FileRead
            jdk.FileWrite jdk.FileForce""".split("\\s+"));

    private RecordingSettings() {}

    /**
     * The settings.
     *
     * @param kinds what to profile
     * @param java the JVM's feature version
     */
    static Map<String, String> of(Set<Profile.Kind> kinds, int java) {
        var s = new TreeMap<String, String>();
        ALWAYS.forEach(e -> s.put(e + ENABLED, "true"));
        NEVER.forEach(e -> s.put(e + ENABLED, "false"));
        s.put("jdk.ExecuteVMOperation#threshold", "0 ms");
        s.put("jdk.ExceptionStatistics#period", "1 s");
        wait(s, "jdk.JavaMonitorEnter");
        // socket reads name the peers; without a stack they are cheap
        wait(s, "jdk.SocketRead");
        // Java 21 and later
        wait(s, "jdk.VirtualThreadPinned");
        if (java >= 25) {
            // older versions would record every exception, however many
            s.put("jdk.JavaExceptionThrow#enabled", "true");
            s.put("jdk.JavaExceptionThrow#stackTrace", "true");
            s.put("jdk.JavaExceptionThrow#throttle", "100/s");
        }
        if (kinds.contains(Profile.Kind.CPU) || kinds.contains(Profile.Kind.WALL)) {
            s.put("jdk.ExecutionSample#enabled", "true");
            s.put("jdk.ExecutionSample#period", SAMPLE_MILLIS + " ms");
        }
        if (kinds.contains(Profile.Kind.WALL)) {
            WAITS.forEach(e -> wait(s, e));
        }
        if (kinds.contains(Profile.Kind.LOCK)) {
            wait(s, "jdk.ThreadPark");
        }
        if (kinds.contains(Profile.Kind.ALLOC)) {
            if (java >= 16) {
                s.put("jdk.ObjectAllocationSample#enabled", "true");
                s.put("jdk.ObjectAllocationSample#throttle", "300/s");
                s.put("jdk.ObjectAllocationSample#stackTrace", "true");
            } else {
                for (String e : List.of("jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB")) {
                    s.put(e + ENABLED, "true");
                    s.put(e + "#stackTrace", "true");
                }
            }
        }
        return s;
    }

    /** The events that settings turn on. */
    static Set<String> recorded(Map<String, String> settings) {
        return settings.entrySet().stream()
                .filter(s -> s.getKey().endsWith(ENABLED) && s.getValue().equals("true"))
                .map(s -> s.getKey().substring(0, s.getKey().length() - ENABLED.length()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void wait(Map<String, String> s, String event) {
        s.put(event + ENABLED, "true");
        s.put(event + "#threshold", SHORTEST_WAIT);
        s.put(event + "#stackTrace", "true");
        s.put(event + "#throttle", "off");
    }
}
