package dev.fettle.servers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the threads of this JVM are doing. */
final class ThreadStates {
    /** Deep enough to find a selector's frame below the JDK's. */
    private static final int FRAMES = 24;

    private ThreadStates() {}

    /** Counts platform threads by activity and by state. Walks the stacks, so not for a tight loop. */
    static Map<String, Map<String, Integer>> now() {
        Map<String, EnumMap<Thread.State, Integer>> groups = new TreeMap<>();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (@Nullable ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds(), FRAMES)) {
            if (info != null) {
                groups.computeIfAbsent(group(info), g -> new EnumMap<>(Thread.State.class))
                        .merge(info.getThreadState(), 1, Integer::sum);
            }
        }
        Map<String, Map<String, Integer>> named = new LinkedHashMap<>();
        for (String group : new String[] {"acceptor", "selector-io", "worker", "other"}) {
            Map<String, Integer> states = new LinkedHashMap<>();
            groups.getOrDefault(group, new EnumMap<>(Thread.State.class)).forEach((s, n) -> states.put(s.name(), n));
            named.put(group, states);
        }
        return named;
    }

    private static String group(ThreadInfo info) {
        String name = info.getThreadName();
        if (name.endsWith("-Acceptor") || name.contains("-acceptor-") || name.endsWith(" Accept")) {
            return "acceptor";
        }
        if (name.endsWith("-Poller") || name.contains(" I/O-") || name.startsWith("qtp") && selects(info)) {
            return "selector-io";
        }
        boolean worker = name.startsWith("qtp")
                || name.contains("-exec-")
                || name.startsWith("XNIO-") && name.contains(" task-");
        return worker ? "worker" : "other";
    }

    /** Jetty's selectors run on the pool's threads; only their stack tells them from workers. */
    private static boolean selects(ThreadInfo info) {
        for (StackTraceElement frame : info.getStackTrace()) {
            if (frame.getMethodName().equals("select") && frame.getClassName().contains("ManagedSelector")) {
                return true;
            }
        }
        return false;
    }
}
