package dev.fettle.report;

import dev.fettle.model.Knob;
import dev.fettle.model.Knobs;
import dev.fettle.model.ServerKind;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the common knobs are called in configuration files. The catalogue {@link Knobs} has the names of the servers'
 * APIs; for Tomcat these are its file's too, for the others this adds Jetty's ini names, Undertow's builder lines and Spring
 * Boot's properties. Jetty 12.1, Undertow 2.3, Spring Boot 4 (Undertow: 3.5).
 */
final class NativeNames {
    /** An attribute's name, not a remark on what to do instead. */
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-zA-Z]+(\\.[a-zA-Z]+)?");

    private static final Map<String, String> JETTY = Map.ofEntries(
            Map.entry("threads.max", "jetty.threadPool.maxThreads"),
            Map.entry("threads.min", "jetty.threadPool.minThreads"),
            Map.entry("threads.reserved", "jetty.threadPool.reservedThreads"),
            Map.entry("threads.acceptors", "jetty.http.acceptors"),
            Map.entry("threads.selectors", "jetty.http.selectors"),
            Map.entry("backlog", "jetty.http.acceptQueueSize"),
            Map.entry("connections.max", "jetty.networkConnectionLimit.maxNetworkConnectionCount"),
            Map.entry("keepalive.timeout", "jetty.http.idleTimeout"),
            Map.entry("admission.max", "jetty.qos.maxRequestCount"),
            Map.entry("admission.queue", "jetty.qos.maxSuspendedRequestCount"),
            Map.entry("tcp.nodelay", "jetty.http.acceptedTcpNoDelay"));

    /** Jetty modules that must be on for an ini line to have an effect. */
    private static final Map<String, String> JETTY_MODULES = Map.of(
            "connections.max", "network-connection-limit",
            "admission.max", "qos",
            "admission.queue", "qos");

    /** Builder lines; {@code %s} is the value. */
    private static final Map<String, String> UNDERTOW = Map.ofEntries(
            Map.entry("threads.max", ".setWorkerThreads(%s)"),
            Map.entry("threads.min", ".setWorkerOption(Options.WORKER_TASK_CORE_THREADS, %s)"),
            Map.entry("threads.selectors", ".setIoThreads(%s)"),
            Map.entry("backlog", ".setSocketOption(Options.BACKLOG, %s)"),
            Map.entry("connections.max", ".setSocketOption(Options.CONNECTION_HIGH_WATER, %s)"),
            Map.entry("keepalive.timeout", ".setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, %s)"),
            Map.entry("tcp.nodelay", ".setSocketOption(Options.TCP_NODELAY, %s)"),
            Map.entry("buffers.direct", ".setDirectBuffers(%s)"));

    private static final Map<String, String> BOOT_TOMCAT = Map.ofEntries(
            Map.entry("threads.max", "server.tomcat.threads.max"),
            Map.entry("threads.min", "server.tomcat.threads.min-spare"),
            Map.entry("threads.virtual", "spring.threads.virtual.enabled"),
            Map.entry("backlog", "server.tomcat.accept-count"),
            Map.entry("connections.max", "server.tomcat.max-connections"),
            Map.entry("keepalive.timeout", "server.tomcat.keep-alive-timeout"),
            Map.entry("keepalive.requests", "server.tomcat.max-keep-alive-requests"),
            Map.entry("queue.max", "server.tomcat.threads.max-queue-capacity"));

    private static final Map<String, String> BOOT_JETTY = Map.ofEntries(
            Map.entry("threads.max", "server.jetty.threads.max"),
            Map.entry("threads.min", "server.jetty.threads.min"),
            Map.entry("threads.acceptors", "server.jetty.threads.acceptors"),
            Map.entry("threads.selectors", "server.jetty.threads.selectors"),
            Map.entry("threads.virtual", "spring.threads.virtual.enabled"),
            Map.entry("connections.max", "server.jetty.max-connections"),
            Map.entry("keepalive.timeout", "server.jetty.connection-idle-timeout"),
            Map.entry("queue.max", "server.jetty.threads.max-queue-capacity"));

    private static final Map<String, String> BOOT_UNDERTOW = Map.ofEntries(
            Map.entry("threads.max", "server.undertow.threads.worker"),
            Map.entry("threads.selectors", "server.undertow.threads.io"),
            Map.entry("threads.virtual", "spring.threads.virtual.enabled"),
            Map.entry("backlog", "server.undertow.options.socket.BACKLOG"),
            Map.entry("connections.max", "server.undertow.options.socket.CONNECTION_HIGH_WATER"),
            Map.entry("keepalive.timeout", "server.undertow.no-request-timeout"),
            Map.entry("tcp.nodelay", "server.undertow.options.socket.TCP_NODELAY"),
            Map.entry("buffers.direct", "server.undertow.direct-buffers"));

    private NativeNames() {}

    /** Attribute of Tomcat's Connector element. */
    static Optional<String> tomcat(String knob) {
        return Knobs.find(knob)
                .map(k -> k.on(ServerKind.TOMCAT))
                .filter(Knob.Native::applies)
                .map(Knob.Native::name)
                .filter(name -> ATTRIBUTE.matcher(name).matches());
    }

    /** Name in Jetty's ini files. */
    static Optional<String> jetty(String knob) {
        return Optional.ofNullable(JETTY.get(knob));
    }

    /** The module that a Jetty knob needs, if it needs one. */
    static Optional<String> jettyModule(String knob) {
        return Optional.ofNullable(JETTY_MODULES.get(knob));
    }

    /** A line of Undertow's builder with {@code %s} for the value. */
    static Optional<String> undertow(String knob) {
        return Optional.ofNullable(UNDERTOW.get(knob));
    }

    /** Spring Boot's property on Tomcat. */
    static Optional<String> bootTomcat(String knob) {
        return Optional.ofNullable(BOOT_TOMCAT.get(knob));
    }

    /** Spring Boot's property on Jetty. */
    static Optional<String> bootJetty(String knob) {
        return Optional.ofNullable(BOOT_JETTY.get(knob));
    }

    /** Spring Boot's property on Undertow, which Boot 4 no longer has. */
    static Optional<String> bootUndertow(String knob) {
        return Optional.ofNullable(BOOT_UNDERTOW.get(knob));
    }

    /** Whether a value is the server's own default, so that it need not be written. */
    static boolean isDefault(ServerKind server, String knob, String value) {
        return Knobs.find(knob)
                .map(k -> k.on(server))
                .filter(n -> n.applies() && n.byDefault().equals(value))
                .isPresent();
    }

    /** Whether a knob belongs to the JVM and not to the server. */
    static boolean jvm(String knob) {
        return knob.startsWith("jvm.");
    }
}
