package dev.fettle.agent;

import static dev.fettle.agent.Beans.field;
import static dev.fettle.agent.Beans.get;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads Jetty through one of its connectors: standalone, in a Spring Boot application, or embedded. */
public final class JettyReader implements ServerReader {
    static final String SERVER = "jetty";

    private static final String VIRTUAL_POOL = "org.eclipse.jetty.util.thread.VirtualThreadPool";

    private final Object connector;
    private final @Nullable Object jetty;
    private final @Nullable Object threads;

    /** A reader for an {@code org.eclipse.jetty.server.ServerConnector}. */
    public JettyReader(Object connector) {
        this.connector = connector;
        this.jetty = get(connector, "server");
        this.threads = get(jetty, "threadPool");
    }

    @Override
    public String server() {
        return SERVER;
    }

    @Override
    public String version() {
        return "Jetty/" + get(jetty, "version");
    }

    @Override
    public int port() {
        // Jetty binds before it deploys, and until it has started, its pool does not have all its threads
        Object port = Boolean.TRUE.equals(get(connector, "started")) ? get(connector, "localPort") : null;
        return port instanceof Integer ? (Integer) port : -1;
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        Object selectors = get(get(connector, "selectorManager"), "selectorCount");
        Object http2 = factory("AbstractHTTP2ServerConnectionFactory");
        Map<String, Object> objects = objects(http2);
        Object http = objects.get("http");
        Map<String, @Nullable Object> values = KnobTable.of(SERVER).read(objects);
        if (Beans.is(threads, VIRTUAL_POOL)) {
            Object most = get(threads, "maxConcurrentTasks");
            values.put("threads.max", most == null ? get(threads, "maxThreads") : most); // the latter in Jetty 12.0
        } else {
            values.put("threads.reserved", get(threads, "maxReservedThreads"));
        }
        values.put("threads.virtual", isVirtual());
        values.put("threads.acceptors", get(connector, "acceptors"));
        values.put("threads.selectors", selectors);
        values.put(
                "buffers.direct",
                Boolean.TRUE.equals(get(http, "useInputDirectByteBuffers"))
                        && Boolean.TRUE.equals(get(http, "useOutputDirectByteBuffers")));
        Object buffers = get(connector, "byteBufferPool");
        values.put("buffers.pool.max", get(buffers, "maxCapacity"));
        values.put("buffers.pool.heap", field(buffers, "_maxHeapMemory"));
        values.put("buffers.pool.direct", field(buffers, "_maxDirectMemory"));
        values.put("http2", http2 != null);
        values.put("http2.rate", field(get(http2, "rateControlFactory"), "maxEventRate"));
        limits(objects, values);
        return values;
    }

    private static void limits(Map<String, Object> objects, Map<String, @Nullable Object> values) {
        Object limit = objects.get("limit");
        Object most = get(limit, "maxNetworkConnectionCount");
        values.put(
                "connections.max", limit == null ? (Object) (-1) : most == null ? get(limit, "maxConnections") : most);
        values.put("connections.rate", get(objects.get("rate"), "acceptRateLimit"));
        values.put("admission.max", get(objects.get("qos"), "maxRequestCount"));
        if (Long.valueOf(0).equals(values.get("admission.wait"))) {
            values.put("admission.wait", null);
        }
        values.put("client.threads", get(objects.get("clientThreads"), "threadLimit"));
        values.put("client.rate", field(field(objects.get("dos"), "_trackerFactory"), "_maxRequestsPerSecond"));
        if (watchesNothing(objects.get("low"))) {
            values.put("lowresources.idle", null); // it is never low
        }
        if (Long.valueOf(0).equals(values.get("lowresources.memory"))) {
            values.put("lowresources.memory", null);
        }
        Object old = objects.get("gzipHandler");
        values.put("compression", objects.containsKey("gzip") || old != null);
        if (old != null) {
            values.put("compression.min", get(old, "minGzipSize"));
        }
    }

    /** Whether a monitor looks neither at threads nor at memory: as the module makes it where nothing is said. */
    private static boolean watchesNothing(@Nullable Object monitor) {
        Object checks = get(monitor, "lowResourceChecks");
        return checks instanceof Collection && ((Collection<?>) checks).isEmpty();
    }

    /** The server's objects under the catalogue's names; objects that were not configured are missing. */
    private Map<String, Object> objects(@Nullable Object http2) {
        Map<String, Object> objects = new HashMap<>();
        add(objects, "connector", connector);
        add(objects, "pool", Beans.is(threads, VIRTUAL_POOL) ? null : threads);
        add(objects, "http", http());
        add(objects, "http2", http2);
        Collection<?> beans = items(get(jetty, "beans"));
        Object limit = one(beans, "NetworkConnectionLimit");
        add(objects, "limit", limit == null ? one(beans, "ConnectionLimit") : limit);
        add(objects, "rate", one(beans, "AcceptRateLimit"));
        add(objects, "low", one(beans, "LowResourceMonitor"));
        Collection<?> handlers = items(get(jetty, "descendants"));
        add(objects, "qos", one(handlers, "QoSHandler"));
        add(objects, "dos", one(handlers, "DoSHandler"));
        add(objects, "clientThreads", one(handlers, "ThreadLimitHandler"));
        add(objects, "gzipHandler", one(handlers, "GzipHandler"));
        Object gzip = one(items(get(one(handlers, "CompressionHandler"), "beans")), "GzipCompression");
        add(objects, "gzip", gzip);
        add(objects, "encoder", get(gzip, "defaultEncoderConfig"));
        return objects;
    }

    private static void add(Map<String, Object> objects, String name, @Nullable Object object) {
        if (object != null) {
            objects.put(name, object);
        }
    }

    private @Nullable Object http() {
        for (Object factory : items(get(connector, "connectionFactories"))) {
            Object http = get(factory, "httpConfiguration");
            if (http != null) {
                return http;
            }
        }
        return null;
    }

    private @Nullable Object factory(String simpleName) {
        return one(items(get(connector, "connectionFactories")), simpleName);
    }

    /** The object whose class, or a superclass, has this name in one of Jetty's packages. */
    private static @Nullable Object one(Collection<?> objects, String simpleName) {
        for (Object object : objects) {
            for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getSimpleName().equals(simpleName) && type.getName().startsWith("org.eclipse.jetty.")) {
                    return object;
                }
            }
        }
        return null;
    }

    private static Collection<?> items(@Nullable Object collection) {
        if (collection instanceof Collection) {
            List<Object> items = new ArrayList<>((Collection<?>) collection);
            items.removeIf(item -> item == null);
            return items;
        }
        return List.of();
    }

    /** A pool of platform threads may use virtual ones for the requests. */
    private boolean isVirtual() {
        return Beans.is(threads, VIRTUAL_POOL) || get(threads, "virtualThreadsExecutor") != null;
    }

    @Override
    public Set<String> live() {
        Map<String, Object> objects = objects(factory("AbstractHTTP2ServerConnectionFactory"));
        boolean neverLow = watchesNothing(objects.get("low"));
        return KnobTable.of(SERVER)
                .live(k -> objects.containsKey(k.holder())
                        && !(neverLow && k.name().equals("lowresources.idle")));
    }

    @Override
    public boolean set(Knob knob, long value) {
        Object holder = objects(null).get(knob.holder());
        return Beans.set(holder, knob.property(), value);
    }

    @Override
    public Pool pool() {
        Object open = get(connector, "connectedEndPoints");
        Pool pool = Pool.of(
                get(threads, "utilizedThreads"),
                get(threads, "threads"),
                get(threads, "queueSize"),
                open instanceof Collection ? (Integer) ((Collection<?>) open).size() : null);
        return isVirtual() ? pool.withoutWorkers() : pool;
    }
}
