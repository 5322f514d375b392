package dev.fettle.servers.tomcat;

import dev.fettle.agent.Knob;
import dev.fettle.agent.Pool;
import dev.fettle.agent.TomcatReader;
import dev.fettle.servers.app.Content;
import dev.fettle.servers.app.CountedApp;
import dev.fettle.servers.app.War;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.launch.TlsKey;
import dev.fettle.servers.launch.VirtualThreads;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.filters.RateLimitFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.SemaphoreValve;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.IntrospectionUtils;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Embedded Tomcat with one NIO connector, and one servlet on {@code /*} or a WAR; without a WAR nothing is scanned. */
public final class TomcatServer implements EmbeddedServer {
    private final Tomcat tomcat = new Tomcat();
    private final Http11NioProtocol protocol = new Http11NioProtocol();
    private final Connector connector = new Connector(protocol);
    private final TomcatReader reader = new TomcatReader(connector);
    private final @Nullable Http2Protocol http2;
    private final Settings settings;
    private final Content content;
    private final Context context;

    public static EmbeddedServer start(Launch launch, Content content) throws Exception {
        if (launch.settings().isOn("threads.virtual")) {
            VirtualThreads.require();
        }
        TomcatServer server = new TomcatServer(launch, content);
        if (content instanceof War) {
            TomcatWar.start(server.tomcat, server.context);
        } else {
            server.tomcat.start();
        }
        return server;
    }

    private TomcatServer(Launch launch, Content content) throws IOException, LaunchFailure {
        this.content = content;
        this.settings = launch.settings();
        Path base = content instanceof War war ? war.scratch() : ownBase();
        tomcat.setBaseDir(base.toString());
        connector.setThrowOnFailure(true);
        connector.setPort(launch.port());
        connector.setProperty("address", launch.host());
        if (launch.key() != null) {
            secure(launch.key());
        }
        this.http2 = settings.isOn("http2") ? new Http2Protocol() : null;
        configure();
        tomcat.setConnector(connector);
        tomcat.getHost().setAutoDeploy(false);
        this.context = content instanceof CountedApp app ? sample(app, base) : TomcatWar.add(tomcat, (War) content);
        if (context instanceof StandardContext standard) {
            // leak checks for redeployment; this process just ends, and they warn about missing flags
            standard.setClearReferencesThreadLocals(false);
            standard.setClearReferencesRmiTargets(false);
        }
        if (settings.has("admission.max")) {
            context.getPipeline().addValve(admission());
        }
        if (settings.has("client.rate")) {
            limitClients();
        }
    }

    private void secure(TlsKey key) {
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(key.keystore().toString());
        certificate.setCertificateKeystorePassword(key.password());
        certificate.setCertificateKeystoreType("PKCS12");
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    private static Path ownBase() throws IOException {
        Path base = Files.createTempDirectory("fettle-tomcat");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(base), "fettle-delete"));
        return base;
    }

    private Context sample(CountedApp app, Path base) {
        Context sample = tomcat.addContext("", base.toString());
        Tomcat.addServlet(sample, "app", new TomcatApp(app));
        sample.addServletMappingDecoded("/*", "app");
        return sample;
    }

    private SemaphoreValve admission() {
        SemaphoreValve valve = new SemaphoreValve();
        valve.setConcurrency(settings.number("admission.max", 0));
        valve.setBlock(false);
        // unless it is given a status, a refused request is answered with an empty 200
        valve.setHighConcurrencyStatus(503);
        return valve;
    }

    private void limitClients() {
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
    }

    /** The connector accepts attributes under their server.xml names, and says whether it knows them. */
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
        return settings.knobs().live(settings);
    }

    @Override
    public Pool pool() {
        return reader.pool().orInFlight(content.inFlight());
    }

    @Override
    public void set(Knob knob, long value) throws LaunchFailure {
        ThreadPoolExecutor pool = executor();
        // the executor refuses a maximum below the core size, but only after the endpoint has changed
        if (knob.name().equals("threads.max") && pool != null && value < pool.getCorePoolSize()) {
            protocol.setMinSpareThreads((int) value);
        }
        if (knob.name().equals("threads.min") && pool != null && value > pool.getMaximumPoolSize()) {
            throw LaunchFailure.refused("threads.min=" + value + " is above threads.max=" + pool.getMaximumPoolSize());
        }
        attribute(knob.property(), Long.toString(value), knob.name());
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
            // a few empty directories stay in the temporary one
        }
    }
}
