package dev.fettle.servers;

import dev.fettle.agent.Knob;
import dev.fettle.agent.ProcessStats;
import dev.fettle.servers.app.Content;
import dev.fettle.servers.app.CountedApp;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.settings.KnobValues;
import dev.fettle.servers.settings.LaunchFailure;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A started server with its application and its control port. */
record Target(Launch launch, Content content, EmbeddedServer server) {
    private static final long DRAIN_MILLIS = 5_000;

    static Target start(Launch launch) throws LaunchFailure {
        Content content = launch.serving().content();
        Servers kind = Servers.of(launch);
        if (content instanceof CountedApp app && app.onIoThread() && !kind.runsOnIoThreads(launch)) {
            throw LaunchFailure.badArgument(
                    "app.fault=io-thread-blocked: only Undertow without threads.virtual runs requests on its I/O threads");
        }
        try {
            return new Target(launch, content, kind.start(launch, content));
        } catch (Exception e) {
            throw LaunchFailure.of(e, launch.server(), launch.host() + ":" + launch.port());
        }
    }

    /** The content of the READY line, except the control port, which the caller adds. */
    Map<String, @Nullable Object> ready() {
        Map<String, @Nullable Object> ready = new LinkedHashMap<>();
        ready.put("port", server.port());
        ready.put("pid", ProcessHandle.current().pid());
        ready.put("server", launch.server());
        ready.put("serverVersion", server.version());
        ready.put("javaVersion", Runtime.version().toString());
        ready.put("app", launch.serving().name());
        ready.put("appFacts", content.facts());
        ready.put("notes", content.notes());
        ready.put(
                "startupMs",
                System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime());
        ready.put("effective", effective());
        ready.put("configuredOnly", launch.settings().knobs().unread());
        ready.put("live", server.live());
        return ready;
    }

    Map<String, @Nullable Object> effective() {
        return server.effective();
    }

    Map<String, @Nullable Object> stats(boolean withThreads) {
        Map<String, @Nullable Object> stats = new LinkedHashMap<>();
        server.pool().addTo(stats);
        stats.put("inFlight", content.inFlight());
        stats.put("requestsTotal", content.finished());
        ProcessStats.addTo(stats);
        if (withThreads) {
            stats.put("threadStates", ThreadStates.now());
        }
        return stats;
    }

    /** Changes a live knob, given as {@code name=value}. */
    void set(String assignment) throws LaunchFailure {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            throw LaunchFailure.badArgument("set knob=value is wanted");
        }
        String name = assignment.substring(0, equals);
        Knob knob = launch.settings().knobs().find(name, launch.server());
        Object value = KnobValues.parse(knob, assignment.substring(equals + 1));
        if (!server.live().contains(name) || !(value instanceof Long number)) {
            throw LaunchFailure.refused(name + " cannot be changed while " + launch.server()
                    + " runs as started; live now: " + server.live());
        }
        try {
            server.set(knob, number);
        } catch (RuntimeException e) {
            throw LaunchFailure.of(e, launch.server(), "");
        }
    }

    /** Stops taking new connections, gives requests in flight a few seconds to finish, and stops the server. */
    void stop() throws Exception {
        server.quiesce();
        long deadline = System.nanoTime() + DRAIN_MILLIS * 1_000_000;
        while (content.inFlight() > 0 && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        server.stop();
    }
}
