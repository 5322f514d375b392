package dev.fettle.config.jetty;

import dev.fettle.model.knob.NativeKnob;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A place in Jetty's {@code start.d}: {@code threadpool/jetty.threadPool.maxThreads}, or {@code http2c}, where the module
 * itself is the switch.
 *
 * @param module must be on for it
 * @param property takes the value; empty when the module is the switch
 */
public record JettyPlace(String module, String property) {
    /** Modules that every server has on. */
    private static final Set<String> ALWAYS_ON = Set.of("http", "server", "threadpool", "bytebufferpool");

    private static final String MOST_THREADS = "jetty.threadPool.maxThreads";
    private static final String IDLE_WHEN_LOW = "jetty.lowresources.idleTimeout";
    private static final String WATCHES_THREADS = "jetty.lowresources.monitorThreads";
    private static final String MOST_TASKS = "jetty.threadPool.maxConcurrentTasks";

    /** The places of a knob on Jetty; none if Jetty's files can't express it. */
    public static List<JettyPlace> of(NativeKnob jetty) {
        return Arrays.stream(jetty.standalone().split(" "))
                .filter(p -> jetty.applies() && !p.isEmpty())
                .map(p -> p.split("/", 2))
                .map(p -> new JettyPlace(p[0], p.length == 2 ? p[1] : ""))
                .toList();
    }

    /** Whether every server has the module on. */
    public boolean isAlwaysOn() {
        return ALWAYS_ON.contains(module);
    }

    /** Whether the module itself is the switch. */
    public boolean isSwitch() {
        return property.isEmpty();
    }

    /** Other properties, with their values, without which the one has no effect. */
    public Map<String, String> companions() {
        return property.equals(IDLE_WHEN_LOW) ? Map.of(WATCHES_THREADS, "true") : Map.of();
    }

    /**
     * The properties that take the value, the one that counts first. If virtual threads run the requests, their pool has another one
     * for its size since Jetty 12.1; 12.0 reads the usual one.
     */
    public List<String> properties(boolean virtualThreads) {
        return virtualThreads && property.equals(MOST_THREADS) ? List.of(MOST_TASKS, MOST_THREADS) : List.of(property);
    }
}
