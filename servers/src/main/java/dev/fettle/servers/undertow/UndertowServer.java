package dev.fettle.servers.undertow;

import dev.fettle.agent.Beans;
import dev.fettle.agent.Knob;
import dev.fettle.agent.Pool;
import dev.fettle.agent.UndertowReader;
import dev.fettle.servers.app.Content;
import dev.fettle.servers.app.CountedApp;
import dev.fettle.servers.app.War;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.launch.TlsKey;
import dev.fettle.servers.launch.VirtualThreads;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Settings;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.RequestLimit;
import io.undertow.server.handlers.RequestLimitingHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.xnio.Option;
import org.xnio.Options;
import org.xnio.XnioWorker;
import org.xnio.management.XnioWorkerMXBean;

/**
 * Embedded Undertow with one HTTP listener. A sample application runs in a BlockingHandler of its core, on a worker
 * thread; with {@code threads.virtual=true} each request is dispatched to its own virtual thread instead, without a
 * limit. A WAR is a servlet deployment, which dispatches requests itself, to the same threads.
 */
public final class UndertowServer implements EmbeddedServer {
    /** The value that Undertow.start() sets; it keeps no readable copy. */
    private static final int DEFAULT_BACKLOG = 1000;

    private final Undertow undertow;
    private final Content content;
    private final @Nullable UndertowWar war;
    private final @Nullable RequestLimit admission;
    private final boolean virtual;
    private final Settings settings;

    public static EmbeddedServer start(Launch launch, Content content) throws Exception {
        Settings settings = launch.settings();
        if (settings.number("admission.queue", 1) == 0) {
            throw LaunchFailure.badArgument(
                    "admission.queue=0: Undertow takes 0 for an unlimited queue and cannot reject at once; use 1 or more");
        }
        // without it the pool does not count active threads; read once, when the pool's class is loaded
        System.setProperty("jboss.threads.eqe.statistics.active-count", "true");
        UndertowServer server = new UndertowServer(launch, content);
        server.undertow.start();
        if (settings.has("queue.max")) {
            server.setPoolAttribute("MaximumQueueSize", settings.number("queue.max", 0));
        }
        return server;
    }

    private UndertowServer(Launch launch, Content content) throws LaunchFailure {
        this.content = content;
        this.settings = launch.settings();
        this.virtual = settings.isOn("threads.virtual");
        this.war = content instanceof War given
                ? UndertowWar.deploy(given, virtual ? VirtualThreads.executor() : null)
                : null;
        boolean onIoThread = content instanceof CountedApp app && app.onIoThread();
        HttpHandler handler = war == null ? new UndertowAdapter((CountedApp) content, onIoThread) : war.handler();
        if (settings.isOn("compression")) {
            handler = UndertowOptionsByName.compressing(settings, handler);
        }
        if (war == null) {
            handler = virtual
                    ? dispatching(VirtualThreads.executor(), handler)
                    : onIoThread ? handler : new BlockingHandler(handler);
        }
        // outside the blocking handler, so that a request waiting for admission occupies no worker
        this.admission = settings.has("admission.max") ? limit(settings) : null;
        if (admission != null) {
            handler = new RequestLimitingHandler(admission, handler);
        }
        Undertow.Builder builder = Undertow.builder().setHandler(handler);
        TlsKey key = launch.key();
        if (key == null) {
            builder.addHttpListener(launch.port(), launch.host());
        } else {
            builder.addHttpsListener(launch.port(), launch.host(), key.context());
        }
        UndertowOptionsByName.configure(builder, settings);
        this.undertow = builder.build();
    }

    private static RequestLimit limit(Settings settings) {
        int most = settings.number("admission.max", 0);
        return settings.has("admission.queue")
                ? new RequestLimit(most, settings.number("admission.queue", 0))
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

    private UndertowReader reader() {
        // the listener exists once the server has started, and keeps these two private
        Object open = Beans.field(listener(), "openListener");
        Object channel = Beans.field(listener(), "channel");
        if (open == null || channel == null) {
            throw new IllegalStateException("this Undertow keeps its listeners elsewhere");
        }
        return new UndertowReader(open, channel);
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

    @Override
    public String version() {
        return reader().version();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener().getAddress()).getPort();
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        Map<String, @Nullable Object> values = reader().effective();
        for (String unread : settings.knobs().unread()) {
            values.put(unread, settings.get(unread));
        }
        if (virtual) {
            values.put("threads.max", null);
            values.put("threads.min", null);
            values.put("queue.max", null);
        }
        values.put("threads.virtual", virtual);
        values.put("backlog", settings.number("backlog", DEFAULT_BACKLOG));
        values.put("admission.max", admission == null ? null : admission.getMaximumConcurrentRequests());
        values.put("admission.queue", admission == null ? null : queueOf(admission));
        values.put("compression", settings.isOn("compression"));
        return values;
    }

    /** How many requests may wait at the limit. */
    private static @Nullable Integer queueOf(RequestLimit limit) {
        return Beans.field(limit, "queue") instanceof BlockingQueue<?> queue
                ? (Integer) (int) Math.min(Integer.MAX_VALUE, (long) queue.size() + queue.remainingCapacity())
                : null;
    }

    @Override
    public Set<String> live() {
        Set<String> live = new HashSet<>(settings.knobs().live(settings));
        if (admission == null) {
            live.remove("admission.max");
        }
        return live;
    }

    @Override
    public Pool pool() {
        Pool pool = reader().pool();
        return (virtual ? pool.withoutWorkers() : pool).orInFlight(content.inFlight());
    }

    @Override
    public void set(Knob knob, long wanted) throws LaunchFailure {
        int value = (int) Math.min(Integer.MAX_VALUE, wanted); // all of its live knobs are ints
        try {
            switch (knob.name()) {
                case "threads.max" -> resize(value);
                case "threads.min" -> core(value);
                case "threads.idle" -> workerOption(Options.WORKER_TASK_KEEPALIVE, value);
                case "queue.max" -> setPoolAttribute("MaximumQueueSize", value);
                case "admission.max" -> {
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

    /** A fixed-size pool, which is the default, stays fixed; a smaller maximum lowers the core size, too. */
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
    public void stop() throws Exception {
        undertow.stop();
        if (war != null) {
            war.undeploy();
        }
    }
}
