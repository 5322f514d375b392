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
import org.jspecify.annotations.Nullable;

/** Tomcat, whose connector has a pool of its own or runs on an Executor. */
final class WatchedTomcat implements WatchedServer {
    static final WatchedServer INSTANCE = new WatchedTomcat();

    private static final String POOL = "ThreadPool";
    private static final String EXECUTOR = "Executor";
    private static final String REQUESTS = "GlobalRequestProcessor";
    private static final double MILLIS = 1e3;

    /** An Executor that connectors may share: by default, and as in the comments of Tomcat's server.xml. */
    private static final Pattern SHARED = Pattern.compile("((?:tomcat|catalina)-exec-)\\d+");

    private WatchedTomcat() {}

    /** The connector's endpoint knows its port; on an Executor it reports -1 for its own threads. */
    @Override
    public Map<String, ObjectName> beans(BeanFinder finder) throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName endpoint : finder.query("*:type=ThreadPool,name=*")) {
            if (finder.is(endpoint, "localPort", finder.port())) {
                found.put(POOL, endpoint);
                finder.only(endpoint.getDomain() + ":type=" + REQUESTS + ",name=" + endpoint.getKeyProperty("name"))
                        .ifPresent(r -> found.put(REQUESTS, r));
                if (finder.is(endpoint, "maxThreads", -1)) {
                    executor(finder, endpoint.getDomain()).ifPresent(e -> found.put(EXECUTOR, e));
                }
            }
        }
        return found;
    }

    private static Optional<ObjectName> executor(BeanFinder finder, String domain)
            throws IOException, MalformedObjectNameException {
        List<ObjectName> all = List.copyOf(finder.query(domain + ":type=Executor,name=*"));
        if (all.size() == 1) {
            return Optional.of(all.getFirst());
        }
        for (ObjectName connector : finder.query(domain + ":type=Connector,port=" + finder.port() + ",*")) {
            for (ObjectName executor : all) {
                if (finder.is(connector, "executorName", executor.getKeyProperty("name"))) {
                    return Optional.of(executor);
                }
            }
        }
        return Optional.empty();
    }

    /** The pool's counts include the threads of an Executor. */
    @Override
    public Counts counts() {
        return new Counts(
                new MBeanPlace(POOL, "currentThreadsBusy"),
                new MBeanPlace(POOL, "currentThreadCount"),
                new MBeanPlace(EXECUTOR, "queueSize"));
    }

    /** A request counts when it ends, with its time in whole milliseconds. */
    @Override
    public Optional<Requests> requests() {
        return Optional.of(new Requests(REQUESTS, List.of("requestCount", "errorCount", "processingTime"), read -> {
            var figures = new HashMap<String, Double>();
            put(figures, Signals.REQUESTS_RATE, read.get("requestCount"), 1);
            put(figures, Signals.REQUESTS_ERRORS, read.get("errorCount"), 1);
            put(figures, Signals.REQUESTS_UNDER_WAY, read.get("processingTime"), MILLIS);
            return figures;
        }));
    }

    private static void put(Map<String, Double> to, String signal, @Nullable Double total, double unit) {
        if (total != null) {
            to.put(signal, total / unit);
        }
    }

    /** {@code http-nio-127.0.0.1-8080-exec-7}; {@code http-nio-auto-1-exec-7} if any port would do. */
    @Override
    public List<Pattern> workers(int port) {
        return List.of(Pattern.compile("(https?-\\w+-(?:.*-)?(?:" + port + "|auto-\\d+)-exec-)\\d+"), SHARED);
    }

    @Override
    public Optional<MBeanPlace> workerPrefix() {
        return Optional.of(new MBeanPlace(EXECUTOR, "namePrefix"));
    }

    @Override
    public Set<String> connectors() {
        return Set.of("NioEndpoint", "Acceptor");
    }

    @Override
    public List<String> clients() {
        return List.of("org.apache.tomcat.util.net.", "org.apache.coyote.http2.");
    }
}
