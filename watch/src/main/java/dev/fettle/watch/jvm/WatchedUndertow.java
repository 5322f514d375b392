package dev.fettle.watch.jvm;

import dev.fettle.model.knob.MBeanPlace;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Undertow, whose threads are those of an XNIO worker. */
final class WatchedUndertow implements WatchedServer {
    static final WatchedServer INSTANCE = new WatchedUndertow();

    private static final String POOL = "thread-pool";
    /** XNIO's own names, and those of WildFly's worker. */
    private static final Pattern WORKER = Pattern.compile("((?:XNIO-\\d+|default) task-)\\d+");

    private WatchedUndertow() {}

    /** A worker has one MBean per address it serves, and its pool has the worker's name. */
    @Override
    public Map<String, ObjectName> beans(BeanFinder finder) throws IOException, MalformedObjectNameException {
        var found = new HashMap<String, ObjectName>();
        for (ObjectName listener : finder.query("org.xnio:type=Xnio,*")) {
            String address = listener.getKeyProperty("address");
            if (address != null && ObjectName.unquote(address).endsWith(":" + finder.port())) {
                found.put("Xnio", listener);
                finder.only("jboss.threads:type=thread-pool,name=" + listener.getKeyProperty("worker"))
                        .ifPresent(pool -> found.put(POOL, pool));
            }
        }
        return found;
    }

    @Override
    public Counts counts() {
        return new Counts(
                new MBeanPlace(POOL, "ActiveCount"),
                new MBeanPlace(POOL, "PoolSize"),
                new MBeanPlace(POOL, "QueueSize"));
    }

    @Override
    public List<Pattern> workers(int port) {
        return List.of(WORKER);
    }

    @Override
    public Map<String, Set<String>> fetches() {
        return Map.of("EnhancedQueueExecutor", Set.of("park"));
    }

    @Override
    public Set<String> connectors() {
        return Set.of("WorkerThread", "QueuedNioTcpServer");
    }

    @Override
    public List<String> clients() {
        return List.of("org.xnio.nio.");
    }
}
