package dev.fettle.servers.jetty;

import dev.fettle.agent.JettyReader;
import dev.fettle.agent.Knob;
import dev.fettle.agent.Pool;
import dev.fettle.servers.app.Content;
import dev.fettle.servers.app.CountedApp;
import dev.fettle.servers.app.War;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.launch.TlsKey;
import dev.fettle.servers.launch.VirtualThreads;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Setters;
import dev.fettle.servers.settings.Settings;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.jmx.MBeanContainer;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Embedded Jetty with one connector, and one blocking handler or a WAR.
 *
 * <p>{@code threads.virtual=true} uses the VirtualThreadPool for everything, as Spring Boot and the module {@code
 * threadpool-all-virtual} do. {@code threads.max} is then its number of concurrent tasks, by default 200, which also
 * covers acceptors and selectors.
 */
public final class JettyServer implements EmbeddedServer {
    private final Server server;
    private final ThreadPool threads;
    private final ServerConnector connector;
    private final JettyReader reader;
    private final HttpConfiguration http = new HttpConfiguration();
    private final JettyHandlers handlers;
    private final Settings settings;
    private final Content content;
    /** The server's objects under the catalogue's names; objects that were not requested are missing. */
    private final Map<String, Object> objects = new HashMap<>();

    public static EmbeddedServer start(Launch launch, Content content) throws Exception {
        if (launch.settings().isOn("threads.virtual")) {
            VirtualThreads.require();
        }
        JettyServer server = new JettyServer(launch, content);
        server.checkVirtualBudget();
        if (content instanceof War) {
            JettyWar.start(server.server);
        } else {
            server.server.start();
        }
        return server;
    }

    private JettyServer(Launch launch, Content content) throws LaunchFailure {
        this.content = content;
        this.settings = launch.settings();
        this.threads = settings.isOn("threads.virtual") ? virtualPool(settings) : new QueuedThreadPool();
        if (threads instanceof QueuedThreadPool pool) {
            // before the connector derives its size from it
            settings.knobs().apply(settings, Map.of("pool", pool));
            objects.put("pool", pool);
        }
        this.server = new Server(threads, null, buffers(settings));
        server.addBean(new MBeanContainer(ManagementFactory.getPlatformMBeanServer()));
        // the other two do not send their name in every answer
        http.setSendServerVersion(false);
        if (settings.get("buffers.direct") instanceof Boolean direct) {
            http.setUseInputDirectByteBuffers(direct);
            http.setUseOutputDirectByteBuffers(direct);
        }
        this.connector = new ServerConnector(
                server,
                settings.number("threads.acceptors", -1),
                settings.number("threads.selectors", -1),
                protocols(launch.key()));
        connector.setHost(launch.host());
        connector.setPort(launch.port());
        server.addConnector(connector);
        this.reader = new JettyReader(connector);
        objects.put("http", http);
        objects.put("connector", connector);
        this.handlers = new JettyHandlers(settings, server, objects);
        settings.knobs().apply(settings, objects);
        server.setHandler(handlers.around(
                content instanceof CountedApp app ? new JettyApp(app) : JettyWar.handler((War) content)));
    }

    /** In the clear, HTTP/2 shares the port by its first bytes; over TLS, ALPN decides. */
    private ConnectionFactory[] protocols(@Nullable TlsKey key) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        if (key != null) {
            http.addCustomizer(new SecureRequestCustomizer());
        }
        if (!settings.isOn("http2")) {
            return key == null
                    ? new ConnectionFactory[] {http1}
                    : new ConnectionFactory[] {ssl(key, http1.getProtocol()), http1};
        }
        AbstractHTTP2ServerConnectionFactory http2 =
                key == null ? new HTTP2CServerConnectionFactory(http) : new HTTP2ServerConnectionFactory(http);
        settings.ifNumber("http2.rate", n -> http2.setRateControlFactory(new WindowRateControl.Factory(n)));
        objects.put("http2", http2);
        if (key == null) {
            return new ConnectionFactory[] {http1, http2};
        }
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        return new ConnectionFactory[] {ssl(key, alpn.getProtocol()), alpn, http2, http1};
    }

    private static SslConnectionFactory ssl(TlsKey key, String next) {
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setKeyStorePath(key.keystore().toString());
        context.setKeyStorePassword(key.password());
        context.setKeyStoreType("PKCS12");
        return new SslConnectionFactory(context, next);
    }

    /** Jetty's own defaults for what is not given: a factor of 4 KiB, buffers up to 64 KiB, an eighth of the heap. */
    private static ArrayByteBufferPool buffers(Settings settings) {
        return new ArrayByteBufferPool(
                -1,
                -1,
                settings.number("buffers.pool.max", -1),
                Integer.MAX_VALUE,
                settings.get("buffers.pool.heap") instanceof Long heap ? heap : 0,
                settings.get("buffers.pool.direct") instanceof Long direct ? direct : 0);
    }

    private static VirtualThreadPool virtualPool(Settings settings) {
        VirtualThreadPool pool = new VirtualThreadPool();
        settings.ifNumber("threads.max", pool::setMaxConcurrentTasks);
        return pool;
    }

    /** This pool does not check what a QueuedThreadPool checks: with too few permits it would never serve. */
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
        return reader.version();
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public Map<String, @Nullable Object> effective() {
        return reader.effective();
    }

    @Override
    public Set<String> live() {
        Set<String> live = new HashSet<>(settings.knobs().live(settings));
        if (!(threads instanceof QueuedThreadPool)) {
            live.remove("threads.max");
        }
        live.removeAll(handlers.notThere());
        return live;
    }

    @Override
    public Pool pool() {
        return reader.pool().orInFlight(content.inFlight());
    }

    @Override
    public void set(Knob knob, long value) throws LaunchFailure {
        if (handlers.set(knob.name(), value)) {
            return;
        }
        if (knob.name().equals("threads.min")
                && threads instanceof QueuedThreadPool pool
                && value > pool.getMaxThreads()) {
            throw LaunchFailure.refused("threads.min=" + value + " is above threads.max=" + pool.getMaxThreads());
        }
        Object holder = objects.get(knob.holder());
        if (holder != null) {
            // the pool checks its thread budget before any change, and lowers minThreads with maxThreads
            Setters.set(holder, knob.property(), value, knob);
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
}
