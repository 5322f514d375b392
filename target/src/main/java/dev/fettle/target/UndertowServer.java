package dev.fettle.target;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.Version;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.RequestLimit;
import io.undertow.server.handlers.RequestLimitingHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.xnio.Option;
import org.xnio.Options;
import org.xnio.XnioWorker;
import org.xnio.management.XnioServerMXBean;
import org.xnio.management.XnioWorkerMXBean;

/**
 * Embedded Undertow core with one HTTP listener. The application runs in a BlockingHandler, on a worker thread; with
 * {@code threads.virtual=true} each request is dispatched to a virtual thread of its own instead, without a bound.
 */
final class UndertowServer implements EmbeddedServer {
    private static final Map<Knob, String> ABSENT = Map.of(
            Knob.KEEPALIVE_REQUESTS, "it never closes a connection for its number of requests; leave it out",
            Knob.THREADS_ACCEPTORS, "it always has one accept thread; use threads.selectors for its I/O threads",
            Knob.THREADS_RESERVED, "use threads.min");
    private static final Map<Knob, String> ABSENT_WITH_VIRTUAL = Map.of(
            Knob.THREADS_MAX, "with threads.virtual=true the worker pool is not used; use admission.max",
            Knob.THREADS_MIN, "with threads.virtual=true the worker pool is not used; leave it out",
            Knob.QUEUE_MAX, "with threads.virtual=true there is no queue; use admission.max and admission.queue");
    /** What Undertow.start() sets; it keeps no copy that could be read. */
    private static final int DEFAULT_BACKLOG = 1000;

    private final Undertow undertow;
    private final CountedApp app;
    private final @Nullable RequestLimit admission;
    private final boolean virtual;
    private final int backlog;

    static EmbeddedServer start(Launch launch, CountedApp app) throws Exception {
        Settings settings = launch.settings();
        settings.refuse("Undertow", ABSENT);
        if (settings.isOn(Knob.THREADS_VIRTUAL)) {
            settings.refuse("Undertow", ABSENT_WITH_VIRTUAL);
        }
        if (settings.number(Knob.ADMISSION_QUEUE, 1) == 0) {
            throw LaunchFailure.badArgument(
                    "admission.queue=0: Undertow takes 0 for an unlimited queue and cannot reject at once; use 1 or more");
        }
        // without it the pool counts no active threads; read once, when the pool's class is loaded
        System.setProperty("jboss.threads.eqe.statistics.active-count", "true");
        UndertowServer server = new UndertowServer(launch, app);
        server.undertow.start();
        if (settings.has(Knob.QUEUE_MAX)) {
            server.setPoolAttribute("MaximumQueueSize", settings.number(Knob.QUEUE_MAX, 0));
        }
        return server;
    }

    private UndertowServer(Launch launch, CountedApp app) throws LaunchFailure {
        this.app = app;
        Settings settings = launch.settings();
        this.virtual = settings.isOn(Knob.THREADS_VIRTUAL);
        this.backlog = settings.number(Knob.BACKLOG, DEFAULT_BACKLOG);
        HttpHandler handler = new UndertowAdapter(app);
        handler = virtual ? dispatching(VirtualThreads.executor(), handler) : new BlockingHandler(handler);
        // outside the blocking handler, so that a request that waits for admission holds no worker
        this.admission = settings.has(Knob.ADMISSION_MAX) ? limit(settings) : null;
        if (admission != null) {
            handler = new RequestLimitingHandler(admission, handler);
        }
        Undertow.Builder builder =
                Undertow.builder().addHttpListener(launch.port(), launch.host()).setHandler(handler);
        configure(builder, settings);
        this.undertow = builder.build();
    }

    private static void configure(Undertow.Builder builder, Settings settings) {
        settings.ifNumber(Knob.THREADS_SELECTORS, builder::setIoThreads);
        settings.ifNumber(Knob.THREADS_MAX, builder::setWorkerThreads);
        settings.ifNumber(Knob.THREADS_MIN, n -> builder.setWorkerOption(Options.WORKER_TASK_CORE_THREADS, n));
        settings.ifNumber(Knob.BACKLOG, n -> builder.setSocketOption(Options.BACKLOG, n));
        settings.ifNumber(Knob.CONNECTIONS_MAX, n -> {
            if (n > 0) {
                builder.setSocketOption(Options.CONNECTION_HIGH_WATER, n);
                builder.setSocketOption(Options.CONNECTION_LOW_WATER, n);
            }
        });
        settings.ifNumber(Knob.KEEPALIVE_TIMEOUT, n -> builder.setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, n));
        settings.ifFlag(Knob.TCP_NODELAY, on -> builder.setSocketOption(Options.TCP_NODELAY, on));
        settings.ifFlag(Knob.BUFFERS_DIRECT, builder::setDirectBuffers);
    }

    private static RequestLimit limit(Settings settings) {
        int most = settings.number(Knob.ADMISSION_MAX, 0);
        return settings.has(Knob.ADMISSION_QUEUE)
                ? new RequestLimit(most, settings.number(Knob.ADMISSION_QUEUE, 0))
                : new RequestLimit(most);
    }

    private static HttpHandler dispatching(Executor executor, HttpHandler next) {
        HttpHandler blocking = exchange -> {
            exchange.startBlocking();
            next.handleRequest(exchange);
        };
        return exchange -> exchange.dispatch(executor, blocking);
    }

    private XnioWorkerMXBean worker() {
        return undertow.getWorker().getMXBean();
    }

    private Undertow.ListenerInfo listener() {
        return undertow.getListenerInfo().get(0);
    }

    private @Nullable XnioServerMXBean acceptor() {
        return worker().getServerMXBeans().stream().findFirst().orElse(null);
    }

    private ObjectName poolName() throws JMException {
        return new ObjectName("jboss.threads:name=\"" + undertow.getWorker().getName() + "\",type=thread-pool");
    }

    private void setPoolAttribute(String attribute, int value) throws LaunchFailure {
        try {
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            beans.setAttribute(poolName(), new Attribute(attribute, value));
        } catch (JMException e) {
            throw LaunchFailure.refused(
                    "Undertow's thread pool refused " + attribute + "=" + value + ": " + LaunchFailure.words(e));
        }
    }

    private @Nullable Object poolAttribute(String attribute) {
        try {
            return ManagementFactory.getPlatformMBeanServer().getAttribute(poolName(), attribute);
        } catch (JMException e) {
            return null;
        }
    }

    @Override
    public String version() {
        return "Undertow/" + Version.getVersionString();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener().getAddress()).getPort();
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        XnioWorkerMXBean worker = worker();
        UndertowInternals internals = new UndertowInternals(listener());
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(Knob.THREADS_MAX.commonName(), virtual ? null : worker.getMaxWorkerPoolSize());
        values.put(Knob.THREADS_MIN.commonName(), virtual ? null : worker.getCoreWorkerPoolSize());
        values.put(Knob.THREADS_SELECTORS.commonName(), worker.getIoThreadCount());
        values.put(Knob.THREADS_VIRTUAL.commonName(), virtual);
        values.put(Knob.BACKLOG.commonName(), backlog);
        values.put(Knob.CONNECTIONS_MAX.commonName(), highWater());
        values.put(Knob.KEEPALIVE_TIMEOUT.commonName(), internals.serverOption(UndertowOptions.NO_REQUEST_TIMEOUT));
        values.put(Knob.QUEUE_MAX.commonName(), virtual ? null : poolAttribute("MaximumQueueSize"));
        values.put(
                Knob.ADMISSION_MAX.commonName(), admission == null ? null : admission.getMaximumConcurrentRequests());
        values.put(Knob.ADMISSION_QUEUE.commonName(), admission == null ? null : UndertowInternals.queueOf(admission));
        values.put(Knob.TCP_NODELAY.commonName(), internals.socketOption(Options.TCP_NODELAY));
        values.put(Knob.BUFFERS_DIRECT.commonName(), internals.directBuffers());
        return values;
    }

    /** The connection limit, -1 when it is the default of no limit. */
    private @Nullable Integer highWater() {
        XnioServerMXBean acceptor = acceptor();
        if (acceptor == null) {
            return null;
        }
        int limit = acceptor.getConnectionLimitHighWater();
        return limit == Integer.MAX_VALUE || limit <= 0 ? -1 : limit;
    }

    @Override
    public Set<Knob> configuredOnly() {
        return EnumSet.of(Knob.BACKLOG, Knob.THREADS_VIRTUAL);
    }

    @Override
    public Set<Knob> live() {
        EnumSet<Knob> live = EnumSet.of(Knob.CONNECTIONS_MAX);
        if (!virtual) {
            live.add(Knob.THREADS_MAX);
            live.add(Knob.THREADS_MIN);
            live.add(Knob.QUEUE_MAX);
        }
        if (admission != null) {
            live.add(Knob.ADMISSION_MAX);
        }
        return live;
    }

    @Override
    public Pool pool() {
        XnioServerMXBean acceptor = acceptor();
        long connections = acceptor == null ? UNKNOWN : acceptor.getConnectionCount();
        if (virtual) {
            return new Pool(app.inFlight(), UNKNOWN, UNKNOWN, connections);
        }
        XnioWorkerMXBean worker = worker();
        int busy = worker.getBusyWorkerThreadCount();
        return new Pool(
                busy < 0 ? app.inFlight() : busy, worker.getWorkerPoolSize(), worker.getWorkerQueueSize(), connections);
    }

    @Override
    public void set(Knob knob, int value) throws LaunchFailure {
        try {
            switch (knob) {
                case THREADS_MAX -> resize(value);
                case THREADS_MIN -> core(value);
                case QUEUE_MAX -> setPoolAttribute("MaximumQueueSize", value);
                case ADMISSION_MAX -> {
                    if (admission != null) {
                        int before = admission.setMaximumConcurrentRequests(value);
                        assert before > 0;
                    }
                }
                default -> connections(value);
            }
        } catch (IOException e) {
            throw LaunchFailure.refused("Undertow refused: " + LaunchFailure.words(e));
        }
    }

    /** A pool of fixed size, which is the default, stays one; a smaller maximum takes the core size down with it. */
    private void resize(int value) throws IOException {
        boolean fixed = worker().getCoreWorkerPoolSize() == worker().getMaxWorkerPoolSize();
        workerOption(Options.WORKER_TASK_MAX_THREADS, value);
        if (fixed) {
            workerOption(Options.WORKER_TASK_CORE_THREADS, value);
        }
    }

    private void core(int value) throws IOException, LaunchFailure {
        int most = worker().getMaxWorkerPoolSize();
        if (value > most) {
            throw LaunchFailure.refused("threads.min=" + value + " is above threads.max=" + most);
        }
        workerOption(Options.WORKER_TASK_CORE_THREADS, value);
    }

    private void connections(int value) throws IOException {
        int limit = value < 0 ? Integer.MAX_VALUE : value;
        listener().setSocketOption(Options.CONNECTION_HIGH_WATER, limit);
        listener().setSocketOption(Options.CONNECTION_LOW_WATER, limit);
    }

    private void workerOption(Option<Integer> option, int value) throws IOException {
        XnioWorker worker = undertow.getWorker();
        worker.setOption(option, value);
    }

    @Override
    public void quiesce() {
        listener().suspend();
    }

    @Override
    public void stop() {
        undertow.stop();
    }
}
