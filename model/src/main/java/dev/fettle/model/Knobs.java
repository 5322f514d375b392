package dev.fettle.model;

import dev.fettle.model.Knob.Native;
import dev.fettle.model.Knob.Scale;
import dev.fettle.model.Knob.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The catalogue of knobs. Native names and defaults: Tomcat 11.0, Jetty 12.1, Undertow 2.3. */
public final class Knobs {
    private static final long MS_PER_DAY = 86_400_000L;
    private static final long MIB = 1L << 20;

    private static final List<Knob> ALL = List.of(
            number(
                    "threads.max",
                    Scale.LOG,
                    1,
                    20_000,
                    true,
                    "most worker threads; on Jetty acceptors, selectors and reserved threads count too",
                    has("maxThreads", "200"),
                    has("QueuedThreadPool.maxThreads", "200"),
                    has("workerThreads", "8 x the default of threads.selectors, even if that is set")),
            number(
                    "threads.min",
                    Scale.LOG,
                    0,
                    20_000,
                    true,
                    "worker threads kept when idle",
                    has("minSpareThreads", "10, at most threads.max"),
                    has("QueuedThreadPool.minThreads", "8, at most threads.max"),
                    has("WORKER_TASK_CORE_THREADS", "threads.max")),
            number(
                    "threads.acceptors",
                    Scale.LINEAR,
                    0,
                    64,
                    false,
                    "threads that accept connections; Jetty only",
                    none("Tomcat always has 1; leave threads.acceptors out"),
                    has("ServerConnector.acceptors", "1"),
                    none("Undertow always has 1; leave threads.acceptors out")),
            number(
                    "threads.selectors",
                    Scale.LOG,
                    1,
                    256,
                    false,
                    "threads that wait for socket events (Undertow's I/O threads)",
                    none("Tomcat always has 1 poller; leave threads.selectors out"),
                    has("ServerConnector.selectors", "max(1, min(cpus/2, threads.max/16))"),
                    has("ioThreads", "max(2, cpus)")),
            number(
                    "threads.reserved",
                    Scale.LINEAR,
                    0,
                    1024,
                    false,
                    "Jetty threads set aside to take over from a selector that runs a request itself",
                    none("only Jetty has reserved threads; leave threads.reserved out"),
                    has(
                            "QueuedThreadPool.reservedThreads",
                            "max(1, min(cpus, threads.max/8) rounded up to a power of 2)"),
                    none("only Jetty has reserved threads; leave threads.reserved out")),
            number(
                    "backlog",
                    Scale.LOG,
                    1,
                    65_535,
                    false,
                    "connections that may wait for accept(); the kernel cuts it to net.core.somaxconn",
                    has("acceptCount", "100"),
                    has("ServerConnector.acceptQueueSize", "50, the JDK's"),
                    has("Options.BACKLOG", "1000")),
            number(
                    "connections.max",
                    Scale.LOG,
                    -1,
                    1_000_000,
                    true,
                    "most connections held open; -1 is no limit",
                    has("maxConnections", "8192"),
                    has("NetworkConnectionLimit.maxNetworkConnectionCount", "no limit"),
                    has("Options.CONNECTION_HIGH_WATER", "no limit")),
            new Knob(
                    "keepalive.timeout",
                    Type.DURATION,
                    Scale.LOG,
                    -1,
                    MS_PER_DAY,
                    List.of(),
                    false,
                    "how long an idle connection is kept; -1 is for ever. On Jetty it also bounds a request's idle time",
                    natives(
                            has("keepAliveTimeout", "60s, as connectionTimeout"),
                            has("ServerConnector.idleTimeout", "30s"),
                            has("UndertowOptions.NO_REQUEST_TIMEOUT", "60s"))),
            number(
                    "keepalive.requests",
                    Scale.LOG,
                    -1,
                    1_000_000_000,
                    false,
                    "requests after which Tomcat closes a connection; -1 is never, 1 turns keep-alive off",
                    has("maxKeepAliveRequests", "100"),
                    none("Jetty has no such limit; leave keepalive.requests out"),
                    none("Undertow has no such limit; leave keepalive.requests out")),
            number(
                    "queue.max",
                    Scale.LOG,
                    1,
                    Integer.MAX_VALUE,
                    false,
                    "requests that may wait for a worker; beyond it Tomcat closes the connection, Undertow answers 503",
                    has("maxQueueSize", "no limit"),
                    none(
                            "a bounded pool queue makes Jetty drop connections; use admission.max and admission.queue instead"),
                    has("EnhancedQueueExecutor.maximumQueueSize", "no limit")),
            number(
                    "admission.max",
                    Scale.LOG,
                    1,
                    1_000_000,
                    false,
                    "most requests handled at once; what exceeds it waits (admission.queue) or is answered 503",
                    has("SemaphoreValve.concurrency, block=false, status 503", "no limit"),
                    has("QoSHandler.maxRequestCount", "no limit"),
                    has("RequestLimitingHandler.maximumConcurrentRequests", "no limit")),
            number(
                    "admission.queue",
                    Scale.LOG,
                    0,
                    1_000_000,
                    false,
                    "requests that may wait for admission, at least 1 on Undertow; the next one is answered 503",
                    none("Tomcat's SemaphoreValve has no bounded queue; use queue.max instead"),
                    has("QoSHandler.maxSuspendedRequestCount", "1024"),
                    has("RequestLimitingHandler.queueSize", "no limit")),
            bool(
                    "threads.virtual",
                    "a virtual thread for each request; Tomcat and Undertow then have no worker pool",
                    has("useVirtualThreads", "false"),
                    has("VirtualThreadPool, of threads.max tasks", "false"),
                    has("dispatch to a virtual-thread executor", "false")),
            bool(
                    "tcp.nodelay",
                    "send small segments at once (Nagle's algorithm off)",
                    has("tcpNoDelay", "true"),
                    has("ServerConnector.acceptedTcpNoDelay", "true"),
                    has("Options.TCP_NODELAY", "true")),
            bool(
                    "buffers.direct",
                    "I/O buffers outside the heap",
                    has("socket.directBuffer", "false"),
                    has("HttpConfiguration.useInput/OutputDirectByteBuffers", "true"),
                    has("directBuffers", "true from 64 MiB of heap")),
            new Knob(
                    "jvm.heap",
                    Type.SIZE,
                    Scale.LOG,
                    16 * MIB,
                    512 * (MIB << 10),
                    List.of(),
                    false,
                    "heap size, fixed: -Xms and -Xmx",
                    jvm("-Xms and -Xmx", "a quarter of the memory at most")),
            new Knob(
                    "jvm.gc",
                    Type.ENUM,
                    Scale.LINEAR,
                    0,
                    0,
                    List.of("serial", "parallel", "g1", "z", "shenandoah"),
                    false,
                    "garbage collector",
                    jvm("-XX:+Use<Name>GC", "g1; serial below 2 CPUs or 1792 MiB of memory")),
            new Knob(
                    "jvm.flags",
                    Type.TEXT,
                    Scale.LINEAR,
                    0,
                    0,
                    List.of(),
                    false,
                    "extra JVM flags, separated by spaces",
                    jvm("on the command line", "none")));

    private static final List<String> NAMES = ALL.stream().map(Knob::name).toList();

    private Knobs() {}

    /** Every knob, in the order in which they are documented. */
    public static List<Knob> all() {
        return ALL;
    }

    /** The names of all knobs. */
    public static List<String> names() {
        return NAMES;
    }

    /** A knob by its exact name. */
    public static Optional<Knob> find(String name) {
        return ALL.stream().filter(k -> k.name().equals(name)).findFirst();
    }

    /** The knob that was probably meant; also finds native names such as {@code maxThreads}. */
    public static Optional<String> nearest(String name) {
        for (Knob knob : ALL) {
            for (Native n : knob.natives().values()) {
                String own = n.name().substring(n.name().lastIndexOf('.') + 1);
                if (n.applies() && own.equalsIgnoreCase(name)) {
                    return Optional.of(knob.name());
                }
            }
        }
        return Names.nearest(name, NAMES);
    }

    private static Knob number(
            String name,
            Scale scale,
            long min,
            long max,
            boolean live,
            String about,
            Native tomcat,
            Native jetty,
            Native undertow) {
        return new Knob(name, Type.INT, scale, min, max, List.of(), live, about, natives(tomcat, jetty, undertow));
    }

    private static Knob bool(String name, String about, Native tomcat, Native jetty, Native undertow) {
        return new Knob(
                name,
                Type.BOOL,
                Scale.LINEAR,
                0,
                0,
                List.of("false", "true"),
                false,
                about,
                natives(tomcat, jetty, undertow));
    }

    private static Native has(String name, String byDefault) {
        return new Native(true, name, byDefault);
    }

    private static Native none(String instead) {
        return new Native(false, instead, "");
    }

    private static Map<ServerKind, Native> natives(Native tomcat, Native jetty, Native undertow) {
        return Map.of(ServerKind.TOMCAT, tomcat, ServerKind.JETTY, jetty, ServerKind.UNDERTOW, undertow);
    }

    private static Map<ServerKind, Native> jvm(String name, String byDefault) {
        return natives(has(name, byDefault), has(name, byDefault), has(name, byDefault));
    }
}
