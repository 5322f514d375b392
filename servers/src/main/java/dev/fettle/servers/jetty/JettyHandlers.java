package dev.fettle.servers.jetty;

import dev.fettle.servers.settings.Settings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.gzip.GzipEncoderConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.server.AcceptRateLimit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.DoSHandler;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.server.handler.ThreadLimitHandler;
import org.jspecify.annotations.Nullable;

/** What Jetty adds to a server only on request: limits, admission, compression. */
final class JettyHandlers {
    private final @Nullable NetworkConnectionLimit connectionLimit;
    private final @Nullable LowResourceMonitor lowResources;
    private final boolean idleWhenLow;
    private final @Nullable QoSHandler admission;
    private final @Nullable ThreadLimitHandler clientThreads;
    private final DoSHandler.@Nullable LeakingBucketTrackerFactory clientRate;
    private final @Nullable GzipCompression gzip;

    /**
     * Creates what was requested.
     *
     * @param objects receives the objects with properties of their own, by the catalogue's names
     */
    JettyHandlers(Settings settings, Server server, Map<String, Object> objects) {
        int most = settings.number("connections.max", -1);
        this.connectionLimit = most < 0 ? null : new NetworkConnectionLimit(most, server);
        AcceptRateLimit acceptRate = settings.has("connections.rate")
                ? new AcceptRateLimit(settings.number("connections.rate", 0), 1, TimeUnit.SECONDS, server)
                : null;
        this.lowResources = settings.has("lowresources.idle") || settings.has("lowresources.memory")
                ? new LowResourceMonitor(server)
                : null;
        this.idleWhenLow = settings.has("lowresources.idle");
        if (lowResources != null && idleWhenLow) {
            lowResources.setMonitorThreads(true); // unless it is told what to look at, it looks at nothing
        }
        this.admission = settings.has("admission.max") ? new QoSHandler() : null;
        if (admission != null) {
            admission.setMaxRequestCount(settings.number("admission.max", 0));
        }
        this.clientThreads = settings.has("client.threads") ? new ThreadLimitHandler() : null;
        if (clientThreads != null) {
            clientThreads.setThreadLimit(settings.number("client.threads", 0));
        }
        this.clientRate = settings.has("client.rate")
                ? new DoSHandler.LeakingBucketTrackerFactory(settings.number("client.rate", 0))
                : null;
        this.gzip = settings.isOn("compression") ? new GzipCompression() : null;
        if (gzip != null) {
            GzipEncoderConfig encoder = new GzipEncoderConfig();
            gzip.setDefaultEncoderConfig(encoder);
            objects.put("encoder", encoder);
        }
        add(server, objects, "limit", connectionLimit);
        add(server, objects, "rate", acceptRate);
        add(server, objects, "low", lowResources);
        add(server, objects, "qos", admission);
        add(server, objects, "gzip", gzip);
    }

    private static void add(Server server, Map<String, Object> objects, String name, @Nullable Object part) {
        if (part != null) {
            objects.put(name, part);
            if (!(part instanceof Handler) && !(part instanceof GzipCompression)) {
                server.addBean(part);
            }
        }
    }

    /** The handlers around the application's: limits outside, compression inside. */
    Handler around(Handler app) {
        Handler handler = app;
        if (gzip != null) {
            CompressionHandler compressing = new CompressionHandler(handler);
            compressing.putCompression(gzip);
            handler = compressing;
        }
        if (clientThreads != null) {
            clientThreads.setHandler(handler);
            handler = clientThreads;
        }
        if (admission != null) {
            admission.setHandler(handler);
            handler = admission;
        }
        if (clientRate != null) {
            DoSHandler limiting = new DoSHandler(clientRate);
            limiting.setHandler(handler);
            handler = limiting;
        }
        return handler;
    }

    /** The live knobs of parts that were not requested. */
    Set<String> notThere() {
        Set<String> names = new HashSet<>();
        if (connectionLimit == null) {
            names.add("connections.max");
        }
        if (!idleWhenLow) {
            names.add("lowresources.idle"); // a monitor of memory alone does not look at threads
        }
        if (lowResources == null) {
            names.add("lowresources.memory");
        }
        if (clientThreads == null) {
            names.add("client.threads");
        }
        return names;
    }

    /** Changes a live knob of these parts; false if it is not one of them. */
    boolean set(String knob, long value) {
        if (knob.equals("connections.max") && connectionLimit != null) {
            connectionLimit.setMaxNetworkConnectionCount((int) value);
            return true;
        }
        if (knob.equals("client.threads") && clientThreads != null) {
            clientThreads.setThreadLimit((int) value);
            return true;
        }
        return false;
    }
}
