package dev.fettle.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.filters.RateLimitFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.catalina.valves.SemaphoreValve;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.IntrospectionUtils;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Embedded Tomcat with one NIO connector and one servlet on {@code /*}; nothing is scanned. */
final class TomcatServer implements EmbeddedServer {
    private final Tomcat tomcat = new Tomcat();
    private final Protocol protocol = new Protocol();
    private final Connector connector = new Connector(protocol);
    private final @Nullable SemaphoreValve admission;
    private final @Nullable RateLimitFilter clientRate;
    private final @Nullable Http2Protocol http2;
    private final Settings settings;
    private final CountedApp app;

    /** Lets the endpoint be read: the protocol's own getters stop short of connections and socket properties. */
    private static final class Protocol extends Http11NioProtocol {
        AbstractEndpoint<NioChannel, ?> endpoint() {
            return getEndpoint();
        }
    }

    static EmbeddedServer start(Launch launch, CountedApp app) throws Exception {
        if (launch.settings().isOn("threads.virtual")) {
            VirtualThreads.require();
        }
        TomcatServer server = new TomcatServer(launch, app);
        server.tomcat.start();
        return server;
    }

    private TomcatServer(Launch launch, CountedApp app) throws IOException, LaunchFailure {
        this.app = app;
        this.settings = launch.settings();
        Path base = Files.createTempDirectory("fettle-tomcat");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base), "fettle-delete"));
        tomcat.setBaseDir(base.toString());
        connector.setThrowOnFailure(true);
        connector.setPort(launch.port());
        connector.setProperty("address", launch.host());
        this.http2 = settings.isOn("http2") ? new Http2Protocol() : null;
        configure();
        tomcat.setConnector(connector);
        tomcat.getHost().setAutoDeploy(false);
        Context context = tomcat.addContext("", base.toString());
        Tomcat.addServlet(context, "app", new TomcatApp(app));
        context.addServletMappingDecoded("/*", "app");
        if (context instanceof StandardContext standard) {
            // leak checks for redeployment; the process ends here, and they warn about flags it was not given
            standard.setClearReferencesThreadLocals(false);
            standard.setClearReferencesRmiTargets(false);
        }
        this.admission = settings.has("admission.max") ? admission(context) : null;
        this.clientRate = settings.has("client.rate") ? clientRate(context) : null;
    }

    private SemaphoreValve admission(Context context) {
        SemaphoreValve valve = new SemaphoreValve();
        valve.setConcurrency(settings.number("admission.max", 0));
        valve.setBlock(false);
        // without a status of its own, a refused request is answered by an empty 200
        valve.setHighConcurrencyStatus(503);
        context.getPipeline().addValve(valve);
        return valve;
    }

    private RateLimitFilter clientRate(Context context) {
        RateLimitFilter filter = new RateLimitFilter();
        filter.setBucketDuration(1);
        filter.setBucketRequests(settings.number("client.rate", 0));
        FilterDef definition = new FilterDef();
        definition.setFilterName("client-rate");
        definition.setFilter(filter);
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("client-rate");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        return filter;
    }

    /** The connector takes attributes by the names that server.xml has, and says whether it knows them. */
    private void configure() throws LaunchFailure {
        for (Knob knob : settings.knobs().all()) {
            Object value = settings.get(knob.name());
            if (value != null && knob.holder().equals("connector")) {
                attribute(knob.property(), knob.own(value), knob.name());
            }
        }
        if (settings.has("request.upload.timeout")) {
            protocol.setDisableUploadTimeout(false);
            protocol.setConnectionUploadTimeout(settings.number("request.upload.timeout", 0));
        }
        if (http2 != null) {
            settings.knobs().apply(settings, Map.of("http2", http2));
            settings.ifNumber("http2.stream.timeout", http2::setStreamReadTimeout);
            settings.ifNumber("http2.stream.timeout", http2::setStreamWriteTimeout);
            connector.addUpgradeProtocol(http2);
        }
    }

    private void attribute(String name, String value, String knob) throws LaunchFailure {
        boolean known = IntrospectionUtils.setProperty(connector, name, value);
        if (!known) {
            throw LaunchFailure.refused("Tomcat's connector has no attribute " + name + " for " + knob);
        }
    }

    private @Nullable ThreadPoolExecutor executor() {
        return protocol.getExecutor() instanceof ThreadPoolExecutor pool ? pool : null;
    }

    @Override
    public String version() {
        return ServerInfo.getServerInfo();
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        settings.knobs().read(http2 == null ? Map.of() : Map.of("http2", http2), values);
        for (Knob knob : settings.knobs().all()) {
            if (knob.holder().equals("connector")) {
                Object own = read(knob.property());
                values.put(knob.name(), own == null ? null : knob.common(own));
            }
        }
        // what is in force, where the connector only tells what it was given
        ThreadPoolExecutor pool = executor();
        values.put("threads.max", pool == null ? null : pool.getMaximumPoolSize());
        values.put("threads.min", pool == null ? null : pool.getCorePoolSize());
        values.put("threads.idle", pool == null ? null : pool.getKeepAliveTime(TimeUnit.MILLISECONDS));
        values.put("queue.max", pool == null ? null : capacity(pool));
        values.put("admission.max", admission == null ? null : admission.getConcurrency());
        values.put("client.rate", Beans.field(clientRate, "bucketRequests"));
        values.put(
                "request.upload.timeout",
                protocol.getDisableUploadTimeout() ? null : protocol.getConnectionUploadTimeout());
        values.put("http2", http2 != null);
        values.put("http2.stream.timeout", http2 == null ? null : http2.getStreamReadTimeout());
        return values;
    }

    /**
     * An attribute as the object that acts on it has it. The connector's own getProperty will not do: for most it hands back
     * the text that it was given.
     */
    private @Nullable Object read(String attribute) {
        AbstractEndpoint<NioChannel, ?> endpoint = protocol.endpoint();
        if (attribute.startsWith("socket.")) {
            return Beans.get(endpoint.getSocketProperties(), attribute.substring("socket.".length()));
        }
        for (Object holder : new Object[] {endpoint, protocol, connector}) {
            Object value = Beans.get(holder, attribute);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private static int capacity(ThreadPoolExecutor pool) {
        // size and room are read one after the other, so that a busy queue may be off by the tasks in between
        long capacity = (long) pool.getQueue().size() + pool.getQueue().remainingCapacity();
        return (int) Math.min(Integer.MAX_VALUE, capacity);
    }

    @Override
    public Set<String> live() {
        return settings.knobs().live(settings);
    }

    @Override
    public Pool pool() {
        ThreadPoolExecutor pool = executor();
        long connections = protocol.endpoint().getConnections().size();
        return pool == null
                ? new Pool(app.inFlight(), UNKNOWN, UNKNOWN, connections)
                : new Pool(
                        pool.getActiveCount(),
                        pool.getPoolSize(),
                        pool.getQueue().size(),
                        connections);
    }

    @Override
    public void set(Knob knob, int value) throws LaunchFailure {
        ThreadPoolExecutor pool = executor();
        // a maximum below the core size is refused by the executor after the endpoint has already changed
        if (knob.name().equals("threads.max") && pool != null && value < pool.getCorePoolSize()) {
            protocol.setMinSpareThreads(value);
        }
        if (knob.name().equals("threads.min") && pool != null && value > pool.getMaximumPoolSize()) {
            throw LaunchFailure.refused("threads.min=" + value + " is above threads.max=" + pool.getMaximumPoolSize());
        }
        attribute(knob.property(), Integer.toString(value), knob.name());
    }

    @Override
    public void quiesce() {
        connector.pause();
    }

    @Override
    public void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // a few empty directories are left in the temporary one
        }
    }
}
