package dev.fettle.agent;

import static dev.fettle.agent.Beans.call;
import static dev.fettle.agent.Beans.field;
import static dev.fettle.agent.Beans.get;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads Tomcat through one of its connectors: standalone, in a Spring Boot application, or embedded. */
public final class TomcatReader implements ServerReader {
    static final String SERVER = "tomcat";

    /** What {@code Executors.newVirtualThreadPerTaskExecutor()} makes. */
    private static final String PER_TASK = "java.util.concurrent.ThreadPerTaskExecutor";

    private final Object connector;
    private final @Nullable Object protocol;
    private final @Nullable Object endpoint;

    /** A reader for an {@code org.apache.catalina.connector.Connector}. */
    public TomcatReader(Object connector) {
        this.connector = connector;
        this.protocol = get(connector, "protocolHandler");
        // the protocol's own getters stop short of connections and socket properties
        this.endpoint = field(protocol, "endpoint");
    }

    @Override
    public String server() {
        return SERVER;
    }

    @Override
    public String version() {
        return String.valueOf(Beans.callStatic(
                connector.getClass().getClassLoader(), "org.apache.catalina.util.ServerInfo", "getServerInfo"));
    }

    @Override
    public int port() {
        Object port = get(connector, "localPort");
        return port instanceof Integer ? (Integer) port : -1;
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        KnobTable table = KnobTable.of(SERVER);
        Object http2 = http2();
        Map<String, @Nullable Object> values = table.read(http2 == null ? Map.of() : Map.of("http2", http2));
        for (Knob knob : table.all()) {
            if (knob.holder().equals("connector")) {
                Object own = read(knob.property());
                values.put(knob.name(), own == null ? null : knob.common(own));
            }
        }
        // values in effect, where the connector only tells what it was given, or has a shared executor
        Object pool = pool(executor());
        values.put("threads.max", get(pool, "maximumPoolSize"));
        values.put("threads.min", get(pool, "corePoolSize"));
        values.put("threads.idle", call(pool, "getKeepAliveTime", TimeUnit.MILLISECONDS));
        values.put("threads.virtual", isVirtual());
        values.put("queue.max", capacity(pool));
        values.put("admission.max", get(valve("org.apache.catalina.valves.SemaphoreValve"), "concurrency"));
        values.put("client.rate", field(filter("org.apache.catalina.filters.RateLimitFilter"), "bucketRequests"));
        values.put(
                "request.upload.timeout",
                Boolean.FALSE.equals(get(protocol, "disableUploadTimeout"))
                        ? get(protocol, "connectionUploadTimeout")
                        : null);
        Object tls = field(endpoint, "sslImplementation");
        if (tls != null) {
            values.put("tls.engine", tls.getClass().getName().contains(".openssl.") ? "openssl" : "jsse");
        }
        values.put("http2", http2 != null);
        values.put("http2.stream.timeout", get(http2, "streamReadTimeout"));
        return values;
    }

    /**
     * An attribute as held by the object that acts on it. The connector's own getProperty won't do: for most attributes
     * it returns the text it was given.
     */
    private @Nullable Object read(String attribute) {
        if (attribute.startsWith("socket.")) {
            return get(get(endpoint, "socketProperties"), attribute.substring("socket.".length()));
        }
        for (Object holder : new @Nullable Object[] {endpoint, protocol, connector}) {
            Object value = get(holder, attribute);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private @Nullable Object executor() {
        return get(protocol, "executor");
    }

    /**
     * The pool behind an executor: the connector's own, or the one wrapped by an Executor element; null if it has none.
     */
    private static @Nullable Object pool(@Nullable Object executor) {
        Object inner = field(executor, "executor");
        Object pool = get(inner, "maximumPoolSize") == null ? executor : inner;
        return get(pool, "maximumPoolSize") == null || queue(pool) == null ? null : pool;
    }

    private static @Nullable BlockingQueue<?> queue(@Nullable Object pool) {
        Object queue = get(pool, "queue");
        return queue instanceof BlockingQueue ? (BlockingQueue<?>) queue : null;
    }

    /**
     * Whether requests run on virtual threads. With an external executor, from an Executor element, Spring Boot or the JDK, the
     * connector's own flag stays false; null if that executor is none of those known.
     */
    private @Nullable Boolean isVirtual() {
        Object executor = executor();
        if (Boolean.TRUE.equals(get(endpoint, "useVirtualThreads"))) {
            return true;
        }
        if (executor == null) {
            return false;
        }
        Class<?> type = executor.getClass();
        if (type.getSimpleName().endsWith("VirtualThreadExecutor")
                || type.getName().equals(PER_TASK)) {
            return true;
        }
        return pool(executor) == null ? null : (Boolean) false;
    }

    private static @Nullable Integer capacity(@Nullable Object pool) {
        BlockingQueue<?> queue = queue(pool);
        // size and capacity are read one after the other, so a busy queue may be off by the tasks in between
        return queue == null
                ? null
                : (Integer) (int) Math.min(Integer.MAX_VALUE, (long) queue.size() + queue.remainingCapacity());
    }

    private @Nullable Object http2() {
        for (Object protocol : items(call(connector, "findUpgradeProtocols"))) {
            if (Beans.is(protocol, "org.apache.coyote.http2.Http2Protocol")) {
                return protocol;
            }
        }
        return null;
    }

    /** The engine, its hosts, and their web applications. */
    private List<Object> containers() {
        List<Object> all = new ArrayList<>();
        Object engine = get(get(connector, "service"), "container");
        if (engine != null) {
            all.add(engine);
            for (Object host : items(call(engine, "findChildren"))) {
                all.add(host);
                all.addAll(items(call(host, "findChildren")));
            }
        }
        return all;
    }

    private @Nullable Object valve(String type) {
        for (Object container : containers()) {
            for (Object valve : items(get(get(container, "pipeline"), "valves"))) {
                if (Beans.is(valve, type)) {
                    return valve;
                }
            }
        }
        return null;
    }

    private @Nullable Object filter(String type) {
        for (Object container : containers()) {
            for (Object definition : items(call(container, "findFilterDefs"))) {
                Object name = get(definition, "filterName");
                Object filter = name == null ? null : field(call(container, "findFilterConfig", name), "filter");
                if (Beans.is(filter, type)) {
                    return filter;
                }
            }
        }
        return null;
    }

    private static List<Object> items(@Nullable Object array) {
        return array instanceof Object[] ? List.of((Object[]) array) : List.of();
    }

    @Override
    public Set<String> live() {
        return KnobTable.of(SERVER).live(k -> k.holder().equals("connector") && (!isOfPool(k) || takes(k)));
    }

    private static boolean isOfPool(Knob knob) {
        return knob.without().containsKey("threads.virtual");
    }

    /** Whether a knob of the pool changes it: the connector's sets only a pool of its own, and not one that an application gave it. */
    private boolean takes(Knob knob) {
        Object executor = executor();
        Object pool = pool(executor);
        if (pool == null || !Boolean.FALSE.equals(isVirtual())) {
            return false;
        }
        return pool == executor
                ? !Boolean.FALSE.equals(field(endpoint, "internalExecutor"))
                : Beans.sets(executor, ofElement(knob));
    }

    /** The name that an Executor element has for a knob of the pool. */
    private static String ofElement(Knob knob) {
        return knob.property().equals("threadsMaxIdleTime") ? "maxIdleTime" : knob.property();
    }

    @Override
    public boolean set(Knob knob, long value) {
        Object executor = executor();
        if (isOfPool(knob) && executor != null && pool(executor) != executor) {
            return Beans.set(executor, ofElement(knob), value);
        }
        return Boolean.TRUE.equals(call(connector, "setProperty", knob.property(), Long.toString(value)));
    }

    @Override
    public Pool pool() {
        Object connections = field(endpoint, "connections");
        Object open = connections instanceof Map ? ((Map<?, ?>) connections).size() : null;
        Object pool = pool(executor());
        BlockingQueue<?> queue = queue(pool);
        return Pool.of(
                get(pool, "activeCount"), get(pool, "poolSize"), queue == null ? null : (Integer) queue.size(), open);
    }
}
