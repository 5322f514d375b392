package dev.fettle.watch.jvm;

import dev.fettle.model.knob.MBeanPlace;
import dev.fettle.model.trial.Signals;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Jetty, whose connectors share the server's pool. */
final class WatchedJetty implements WatchedServer {
    static final WatchedServer INSTANCE = new WatchedJetty();

    private static final String POOL = "queuedthreadpool";
    private static final String STATISTICS = "statisticshandler";
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;
    private static final Pattern WORKER = Pattern.compile("(qtp\\d+-)\\d+.*");

    private WatchedJetty() {}

    /** Jetty's MBeans do not say which pool belongs to which server, so with several, none is used. */
    @Override
    public Map<String, ObjectName> beans(BeanFinder finder) throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName connector : finder.query("org.eclipse.jetty.server:type=serverconnector,*")) {
            if (finder.is(connector, "localPort", finder.port())) {
                found.put("serverconnector", connector);
            }
        }
        if (!found.isEmpty()) {
            finder.only("org.eclipse.jetty.util.thread:type=queuedthreadpool,*")
                    .ifPresent(pool -> found.put(POOL, pool));
            finder.only("org.eclipse.jetty.server.handler:type=" + STATISTICS + ",*")
                    .ifPresent(s -> found.put(STATISTICS, s));
            finder.only("org.eclipse.jetty.server:type=networkconnectionlimit,*")
                    .ifPresent(limit -> found.put("networkconnectionlimit", limit));
        }
        return found;
    }

    @Override
    public Counts counts() {
        return new Counts(
                new MBeanPlace(POOL, "utilizedThreads"),
                new MBeanPlace(POOL, "threads"),
                new MBeanPlace(POOL, "queueSize"));
    }

    /** Only with a StatisticsHandler. Its times are milliseconds before Jetty 12, which counts failures, and nanoseconds since. */
    @Override
    public Optional<Requests> requests() {
        return Optional.of(new Requests(
                STATISTICS,
                List.of("requests", "requestTimeTotal", "responses4xx", "responses5xx", "failures"),
                read -> {
                    var figures = new HashMap<String, Double>();
                    Optional.ofNullable(read.get("requests")).ifPresent(n -> figures.put(Signals.REQUESTS_RATE, n));
                    Optional.ofNullable(read.get("requestTimeTotal"))
                            .ifPresent(t -> figures.put(
                                    Signals.REQUESTS_UNDER_WAY, t / (read.containsKey("failures") ? NANOS : MILLIS)));
                    Optional.ofNullable(read.get("responses5xx")).ifPresent(failed -> {
                        figures.put(Signals.REQUESTS_FAILED, failed);
                        Optional.ofNullable(read.get("responses4xx"))
                                .ifPresent(n -> figures.put(Signals.REQUESTS_ERRORS, n + failed));
                    });
                    return figures;
                }));
    }

    @Override
    public List<Pattern> workers(int port) {
        return List.of(WORKER);
    }

    @Override
    public Map<String, Set<String>> fetches() {
        return Map.of(
                "QueuedThreadPool", Set.of("idleJobPoll"),
                "ReservedThreadExecutor", Set.of("waitForTask", "reservedWait"));
    }

    @Override
    public Set<String> connectors() {
        return Set.of("ManagedSelector", "ServerConnector");
    }

    @Override
    public List<String> clients() {
        return List.of(
                "org.eclipse.jetty.io.",
                "org.eclipse.jetty.util.Blocker$",
                "org.eclipse.jetty.util.SharedBlockingCallback",
                "org.eclipse.jetty.server.HttpInput",
                "org.eclipse.jetty.ee");
    }
}
