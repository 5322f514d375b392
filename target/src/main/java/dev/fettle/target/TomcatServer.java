package dev.fettle.target;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.catalina.valves.SemaphoreValve;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Embedded Tomcat with one NIO connector and one servlet on {@code /*}; nothing is scanned. */
final class TomcatServer implements EmbeddedServer {
    private static final Map<Knob, String> ABSENT = Map.of(
            Knob.THREADS_SELECTORS, "it always has one poller; threads.max is its only pool size",
            Knob.THREADS_ACCEPTORS, "it always has one acceptor; use backlog and connections.max",
            Knob.THREADS_RESERVED, "use threads.min, which are started in advance",
            Knob.ADMISSION_QUEUE, "SemaphoreValve rejects at once; use admission.max alone, or queue.max");
    private static final Map<Knob, String> ABSENT_WITH_VIRTUAL = Map.of(
            Knob.THREADS_MAX, "with threads.virtual=true there is no pool; use admission.max or connections.max",
            Knob.THREADS_MIN, "with threads.virtual=true there is no pool; leave it out",
            Knob.QUEUE_MAX, "with threads.virtual=true there is no queue; use admission.max or connections.max");

    private final Tomcat tomcat = new Tomcat();
    private final Protocol protocol = new Protocol();
    private final Connector connector = new Connector(protocol);
    private final @Nullable SemaphoreValve admission;
    private final CountedApp app;

    /** Lets the endpoint be read: the protocol's own getters stop short of connections and socket properties. */
    private static final class Protocol extends Http11NioProtocol {
        AbstractEndpoint<NioChannel, ?> endpoint() {
            return getEndpoint();
        }
    }

    static EmbeddedServer start(Launch launch, CountedApp app) throws Exception {
        Settings settings = launch.settings();
        settings.refuse("Tomcat", ABSENT);
        if (settings.isOn(Knob.THREADS_VIRTUAL)) {
            settings.refuse("Tomcat", ABSENT_WITH_VIRTUAL);
            VirtualThreads.require();
        }
        TomcatServer server = new TomcatServer(launch, app);
        server.tomcat.start();
        return server;
    }

    private TomcatServer(Launch launch, CountedApp app) throws IOException {
        this.app = app;
        Path base = Files.createTempDirectory("fettle-tomcat");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base), "fettle-delete"));
        Settings settings = launch.settings();
        tomcat.setBaseDir(base.toString());
        connector.setThrowOnFailure(true);
        connector.setPort(launch.port());
        connector.setProperty("address", launch.host());
        configure(settings);
        tomcat.setConnector(connector);
        tomcat.getHost().setAutoDeploy(false);
        Context context = tomcat.addContext("", base.toString());
        Tomcat.addServlet(context, "app", new AppServlet(app));
        context.addServletMappingDecoded("/*", "app");
        if (context instanceof StandardContext standard) {
            // leak checks for redeployment; the process ends here, and they warn about flags it was not given
            standard.setClearReferencesThreadLocals(false);
            standard.setClearReferencesRmiTargets(false);
        }
        this.admission = settings.has(Knob.ADMISSION_MAX) ? new SemaphoreValve() : null;
        if (admission != null) {
            admission.setConcurrency(settings.number(Knob.ADMISSION_MAX, 0));
            admission.setBlock(false);
            // without a status of its own, a refused request is answered by an empty 200
            admission.setHighConcurrencyStatus(503);
            context.getPipeline().addValve(admission);
        }
    }

    private void configure(Settings settings) {
        settings.ifNumber(Knob.THREADS_MAX, protocol::setMaxThreads);
        settings.ifNumber(Knob.THREADS_MIN, protocol::setMinSpareThreads);
        settings.ifNumber(Knob.BACKLOG, protocol::setAcceptCount);
        settings.ifNumber(Knob.CONNECTIONS_MAX, protocol::setMaxConnections);
        settings.ifNumber(Knob.KEEPALIVE_TIMEOUT, protocol::setKeepAliveTimeout);
        settings.ifNumber(Knob.KEEPALIVE_REQUESTS, protocol::setMaxKeepAliveRequests);
        settings.ifNumber(Knob.QUEUE_MAX, protocol::setMaxQueueSize);
        settings.ifFlag(Knob.THREADS_VIRTUAL, protocol.endpoint()::setUseVirtualThreads);
        settings.ifFlag(Knob.TCP_NODELAY, protocol::setTcpNoDelay);
        settings.ifFlag(Knob.BUFFERS_DIRECT, protocol.endpoint().getSocketProperties()::setDirectBuffer);
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
        ThreadPoolExecutor pool = executor();
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(Knob.THREADS_MAX.commonName(), pool == null ? null : pool.getMaximumPoolSize());
        values.put(Knob.THREADS_MIN.commonName(), pool == null ? null : pool.getCorePoolSize());
        values.put(Knob.THREADS_VIRTUAL.commonName(), protocol.endpoint().getUseVirtualThreads());
        values.put(Knob.BACKLOG.commonName(), protocol.getAcceptCount());
        values.put(Knob.CONNECTIONS_MAX.commonName(), protocol.getMaxConnections());
        values.put(Knob.KEEPALIVE_TIMEOUT.commonName(), protocol.getKeepAliveTimeout());
        values.put(Knob.KEEPALIVE_REQUESTS.commonName(), protocol.getMaxKeepAliveRequests());
        values.put(Knob.QUEUE_MAX.commonName(), pool == null ? null : capacity(pool));
        values.put(Knob.ADMISSION_MAX.commonName(), admission == null ? null : admission.getConcurrency());
        values.put(Knob.TCP_NODELAY.commonName(), protocol.getTcpNoDelay());
        values.put(
                Knob.BUFFERS_DIRECT.commonName(),
                protocol.endpoint().getSocketProperties().getDirectBuffer());
        return values;
    }

    private static int capacity(ThreadPoolExecutor pool) {
        // size and room are read one after the other, so that a busy queue may be off by the tasks in between
        long capacity = (long) pool.getQueue().size() + pool.getQueue().remainingCapacity();
        return (int) Math.min(Integer.MAX_VALUE, capacity);
    }

    @Override
    public Set<Knob> live() {
        return executor() == null
                ? EnumSet.of(Knob.CONNECTIONS_MAX)
                : EnumSet.of(Knob.THREADS_MAX, Knob.THREADS_MIN, Knob.CONNECTIONS_MAX);
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
        if (knob == Knob.THREADS_MAX && pool != null) {
            // a maximum below the core size is refused by the executor after the endpoint has already changed
            if (value < pool.getCorePoolSize()) {
                protocol.setMinSpareThreads(value);
            }
            protocol.setMaxThreads(value);
        } else if (knob == Knob.THREADS_MIN && pool != null) {
            if (value > pool.getMaximumPoolSize()) {
                throw LaunchFailure.refused(
                        "threads.min=" + value + " is above threads.max=" + pool.getMaximumPoolSize());
            }
            protocol.setMinSpareThreads(value);
        } else {
            protocol.setMaxConnections(value);
        }
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

    private static final class AppServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient App app;

        AppServlet(App app) {
            this.app = app;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            App.Response answer = app.handle(new ServletView(request));
            response.setStatus(answer.status());
            response.setContentType(answer.contentType());
            response.setContentLength(answer.body().length);
            answer.headers().forEach(response::addHeader);
            response.getOutputStream().write(answer.body());
        }
    }

    private record ServletView(HttpServletRequest request) implements App.Request {
        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getRequestURI();
        }

        @Override
        public String query() {
            String query = request.getQueryString();
            return query == null ? "" : query;
        }

        @Override
        public @Nullable String header(String name) {
            return request.getHeader(name);
        }

        @Override
        public byte[] body() throws IOException {
            return request.getInputStream().readNBytes(App.MAX_BODY);
        }
    }
}
