package dev.fettle.agent;

import static dev.fettle.agent.Beans.call;
import static dev.fettle.agent.Beans.field;
import static dev.fettle.agent.Beans.get;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Reads Undertow through one of its HTTP listeners: in a Spring Boot application, or embedded. */
public final class UndertowReader implements ServerReader {
    static final String SERVER = "undertow";

    /** The worker's options that it takes while it runs. */
    private static final Map<String, String> OPTIONS = Map.of(
            "threads.max", "WORKER_TASK_MAX_THREADS",
            "threads.min", "WORKER_TASK_CORE_THREADS",
            "threads.idle", "WORKER_TASK_KEEPALIVE");

    private final Object listener;
    private final Object channel;
    private final @Nullable Object worker;
    private final @Nullable ClassLoader loader;

    /**
     * A reader for a listener.
     *
     * @param listener an {@code io.undertow.server.OpenListener}
     * @param channel the {@code org.xnio.channels.AcceptingChannel} that accepts for it
     */
    public UndertowReader(Object listener, Object channel) {
        this.listener = listener;
        this.channel = channel;
        this.worker = get(channel, "worker");
        this.loader = listener.getClass().getClassLoader();
    }

    @Override
    public String server() {
        return SERVER;
    }

    @Override
    public String version() {
        return "Undertow/" + Beans.callStatic(loader, "io.undertow.Version", "getVersionString");
    }

    @Override
    public int port() {
        Object address = get(channel, "localAddress");
        return Boolean.TRUE.equals(call(channel, "isOpen")) && address instanceof InetSocketAddress
                ? ((InetSocketAddress) address).getPort()
                : -1;
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Knob knob : KnobTable.of(SERVER).all()) {
            values.put(knob.name(), knob.unread() ? null : option(knob));
        }
        Object metrics = get(worker, "mXBean");
        values.put("threads.max", get(metrics, "maxWorkerPoolSize"));
        values.put("threads.min", get(metrics, "coreWorkerPoolSize"));
        values.put("threads.selectors", get(metrics, "ioThreadCount"));
        values.put("connections.max", highWater());
        values.put("queue.max", poolAttribute("MaximumQueueSize"));
        Object buffers = get(listener, "bufferPool");
        values.put("buffers.direct", get(buffers, "direct"));
        values.put("buffers.size", get(buffers, "bufferSize"));
        values.put("buffers.pool", field(buffers, "maximumPoolSize"));
        values.put("buffers.pool.local", field(buffers, "threadLocalCacheSize"));
        return values;
    }

    /** The value of an option in effect; null if it is not set, or the knob is not an option. */
    private @Nullable Object option(Knob knob) {
        switch (knob.holder()) {
            case "server":
                Object option = Beans.constant(loader, "io.undertow.UndertowOptions", knob.property());
                return option == null ? null : call(get(listener, "undertowOptions"), "get", option);
            case "socket":
                return xnio(channel, knob.property());
            case "worker":
                return xnio(worker, knob.property());
            default:
                return null;
        }
    }

    private @Nullable Object xnio(@Nullable Object configurable, String name) {
        Object option = Beans.constant(loader, "org.xnio.Options", name);
        return option == null ? null : call(configurable, "getOption", option);
    }

    /** The connection limit; -1 if it is the default, no limit. */
    private @Nullable Object highWater() {
        Object limit = xnio(channel, "CONNECTION_HIGH_WATER");
        boolean none = limit instanceof Integer && ((Integer) limit == Integer.MAX_VALUE || (Integer) limit <= 0);
        return none ? (Object) (-1) : limit;
    }

    private @Nullable Object poolAttribute(String attribute) {
        try {
            return ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(
                            new ObjectName("jboss.threads:name=\"" + get(worker, "name") + "\",type=thread-pool"),
                            attribute);
        } catch (JMException e) {
            return null;
        }
    }

    /**
     * The object that knows how many connections the listener has; the first one if none says that it belongs to this
     * listener.
     */
    private @Nullable Object acceptor() {
        Object acceptors = get(get(worker, "mXBean"), "serverMXBeans");
        Object first = null;
        if (acceptors instanceof Iterable) {
            for (Object acceptor : (Iterable<?>) acceptors) {
                first = first == null ? acceptor : first;
                if (String.valueOf(get(acceptor, "bindAddress")).endsWith(":" + port())) {
                    return acceptor;
                }
            }
        }
        return first;
    }

    @Override
    public Set<String> live() {
        return KnobTable.of(SERVER).live(k -> OPTIONS.containsKey(k.name()));
    }

    @Override
    public boolean set(Knob knob, long value) {
        Object option = Beans.constant(loader, "org.xnio.Options", OPTIONS.getOrDefault(knob.name(), ""));
        if (option == null || worker == null) {
            return false;
        }
        call(worker, "setOption", option, (int) Math.min(Integer.MAX_VALUE, value));
        return true;
    }

    @Override
    public Pool pool() {
        Object metrics = get(worker, "mXBean");
        return Pool.of(
                get(metrics, "busyWorkerThreadCount"),
                get(metrics, "workerPoolSize"),
                get(metrics, "workerQueueSize"),
                get(acceptor(), "connectionCount"));
    }
}
