package dev.fettle.target;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.jmx.MBeanContainer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Embedded Jetty with one connector and one blocking handler.
 *
 * <p>{@code threads.virtual=true} takes the VirtualThreadPool for everything, as Spring Boot and the module
 * {@code threadpool-all-virtual} do. {@code threads.max} is then its number of concurrent tasks, by default 200, from
 * which acceptors and selectors are taken as well.
 */
final class JettyServer implements EmbeddedServer {
    private static final Map<Knob, String> ABSENT = Map.of(
            Knob.KEEPALIVE_REQUESTS,
            "it never closes a connection for its number of requests; leave it out",
            Knob.QUEUE_MAX,
            "bounding the pool's queue drops connections without an answer; use admission.max and"
                    + " admission.queue");
    private static final Map<Knob, String> ABSENT_WITH_VIRTUAL = Map.of(
            Knob.THREADS_MIN, "with threads.virtual=true no threads are kept; leave it out",
            Knob.THREADS_RESERVED, "with threads.virtual=true no threads are reserved; leave it out");

    private final Server server;
    private final ThreadPool threads;
    private final ServerConnector connector;
    private final HttpConfiguration http = new HttpConfiguration();
    private final @Nullable NetworkConnectionLimit connectionLimit;
    private final @Nullable QoSHandler admission;
    private final CountedApp app;

    static EmbeddedServer start(Launch launch, CountedApp app) throws Exception {
        Settings settings = launch.settings();
        settings.refuse("Jetty", ABSENT);
        if (settings.isOn(Knob.THREADS_VIRTUAL)) {
            settings.refuse("Jetty", ABSENT_WITH_VIRTUAL);
            VirtualThreads.require();
        }
        JettyServer server = new JettyServer(launch, app);
        server.checkVirtualBudget();
        server.server.start();
        return server;
    }

    private JettyServer(Launch launch, CountedApp app) {
        this.app = app;
        Settings settings = launch.settings();
        this.threads = settings.isOn(Knob.THREADS_VIRTUAL) ? virtualPool(settings) : pool(settings);
        this.server = new Server(threads);
        server.addBean(new MBeanContainer(ManagementFactory.getPlatformMBeanServer()));
        // the other two do not name themselves in every answer
        http.setSendServerVersion(false);
        settings.ifFlag(Knob.BUFFERS_DIRECT, http::setUseInputDirectByteBuffers);
        settings.ifFlag(Knob.BUFFERS_DIRECT, http::setUseOutputDirectByteBuffers);
        this.connector = new ServerConnector(
                server,
                settings.number(Knob.THREADS_ACCEPTORS, -1),
                settings.number(Knob.THREADS_SELECTORS, -1),
                new HttpConnectionFactory(http));
        connector.setHost(launch.host());
        connector.setPort(launch.port());
        settings.ifNumber(Knob.BACKLOG, connector::setAcceptQueueSize);
        settings.ifNumber(Knob.KEEPALIVE_TIMEOUT, connector::setIdleTimeout);
        settings.ifFlag(Knob.TCP_NODELAY, connector::setAcceptedTcpNoDelay);
        server.addConnector(connector);
        int most = settings.number(Knob.CONNECTIONS_MAX, -1);
        this.connectionLimit = most < 0 ? null : new NetworkConnectionLimit(most, server);
        if (connectionLimit != null) {
            server.addBean(connectionLimit);
        }
        Handler handler = new AppHandler(app);
        this.admission = settings.has(Knob.ADMISSION_MAX) ? new QoSHandler(handler) : null;
        if (admission != null) {
            settings.ifNumber(Knob.ADMISSION_MAX, admission::setMaxRequestCount);
            settings.ifNumber(Knob.ADMISSION_QUEUE, admission::setMaxSuspendedRequestCount);
            handler = admission;
        }
        server.setHandler(handler);
    }

    private static QueuedThreadPool pool(Settings settings) {
        QueuedThreadPool pool = new QueuedThreadPool();
        settings.ifNumber(Knob.THREADS_MAX, pool::setMaxThreads);
        settings.ifNumber(Knob.THREADS_MIN, pool::setMinThreads);
        settings.ifNumber(Knob.THREADS_RESERVED, pool::setReservedThreads);
        return pool;
    }

    private static VirtualThreadPool virtualPool(Settings settings) {
        VirtualThreadPool pool = new VirtualThreadPool();
        settings.ifNumber(Knob.THREADS_MAX, pool::setMaxConcurrentTasks);
        return pool;
    }

    /** The pool does not check what a QueuedThreadPool does: too few permits, and it would never serve. */
    private void checkVirtualBudget() throws LaunchFailure {
        if (threads instanceof VirtualThreadPool pool && pool.getMaxConcurrentTasks() > 0) {
            int taken =
                    connector.getAcceptors() + connector.getSelectorManager().getSelectorCount();
            if (pool.getMaxConcurrentTasks() <= taken) {
                throw LaunchFailure.refused("threads.max=" + pool.getMaxConcurrentTasks()
                        + " leaves no thread for requests: " + taken + " of them are acceptors and selectors");
            }
        }
    }

    @Override
    public String version() {
        return "Jetty/" + Server.getVersion();
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        @Nullable QueuedThreadPool pool = threads instanceof QueuedThreadPool queued ? queued : null;
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(
                Knob.THREADS_MAX.commonName(),
                threads instanceof VirtualThreadPool virtual
                        ? virtual.getMaxConcurrentTasks()
                        : pool == null ? null : pool.getMaxThreads());
        values.put(Knob.THREADS_MIN.commonName(), pool == null ? null : pool.getMinThreads());
        values.put(Knob.THREADS_ACCEPTORS.commonName(), connector.getAcceptors());
        values.put(
                Knob.THREADS_SELECTORS.commonName(),
                connector.getSelectorManager().getSelectorCount());
        values.put(Knob.THREADS_RESERVED.commonName(), pool == null ? null : pool.getMaxReservedThreads());
        values.put(Knob.THREADS_VIRTUAL.commonName(), threads instanceof VirtualThreadPool);
        values.put(Knob.BACKLOG.commonName(), connector.getAcceptQueueSize());
        values.put(
                Knob.CONNECTIONS_MAX.commonName(),
                connectionLimit == null ? -1 : connectionLimit.getMaxNetworkConnectionCount());
        values.put(Knob.KEEPALIVE_TIMEOUT.commonName(), connector.getIdleTimeout());
        values.put(Knob.ADMISSION_MAX.commonName(), admission == null ? null : admission.getMaxRequestCount());
        values.put(
                Knob.ADMISSION_QUEUE.commonName(), admission == null ? null : admission.getMaxSuspendedRequestCount());
        values.put(Knob.TCP_NODELAY.commonName(), connector.getAcceptedTcpNoDelay());
        values.put(
                Knob.BUFFERS_DIRECT.commonName(),
                http.isUseInputDirectByteBuffers() && http.isUseOutputDirectByteBuffers());
        return values;
    }

    @Override
    public Set<Knob> configuredOnly() {
        return EnumSet.of(Knob.BACKLOG);
    }

    @Override
    public Set<Knob> live() {
        EnumSet<Knob> live = EnumSet.noneOf(Knob.class);
        if (threads instanceof QueuedThreadPool) {
            live.add(Knob.THREADS_MAX);
            live.add(Knob.THREADS_MIN);
        }
        if (connectionLimit != null) {
            live.add(Knob.CONNECTIONS_MAX);
        }
        return live;
    }

    @Override
    public Pool pool() {
        long connections = connector.getConnectedEndPoints().size();
        return threads instanceof QueuedThreadPool pool
                ? new Pool(pool.getUtilizedThreads(), pool.getThreads(), pool.getQueueSize(), connections)
                : new Pool(app.inFlight(), UNKNOWN, UNKNOWN, connections);
    }

    @Override
    public void set(Knob knob, int value) throws LaunchFailure {
        if (knob == Knob.CONNECTIONS_MAX && connectionLimit != null) {
            connectionLimit.setMaxNetworkConnectionCount(value);
        } else if (threads instanceof QueuedThreadPool pool) {
            if (knob == Knob.THREADS_MAX) {
                // checks the thread budget before it changes anything, and takes minThreads down with it
                pool.setMaxThreads(value);
            } else if (value > pool.getMaxThreads()) {
                throw LaunchFailure.refused("threads.min=" + value + " is above threads.max=" + pool.getMaxThreads());
            } else {
                pool.setMinThreads(value);
            }
        }
    }

    @Override
    public void quiesce() {
        connector.close();
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }

    private static final class AppHandler extends Handler.Abstract {
        private final App app;

        AppHandler(App app) {
            this.app = app;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            App.Response answer = app.handle(new JettyView(request));
            response.setStatus(answer.status());
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
            answer.headers().forEach(response.getHeaders()::add);
            response.write(true, ByteBuffer.wrap(answer.body()), callback);
            return true;
        }
    }

    private record JettyView(Request request) implements App.Request {
        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getHttpURI().getPath();
        }

        @Override
        public String query() {
            String query = request.getHttpURI().getQuery();
            return query == null ? "" : query;
        }

        @Override
        public @Nullable String header(String name) {
            return request.getHeaders().get(name);
        }

        @Override
        public byte[] body() throws IOException {
            try (InputStream in = Content.Source.asInputStream(request)) {
                return in.readNBytes(App.MAX_BODY);
            }
        }
    }
}
