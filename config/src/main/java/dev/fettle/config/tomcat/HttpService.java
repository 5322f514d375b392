package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a {@code server.xml} that answers plain HTTP: the first such Connector, the Executor it runs on, and the
 * Host that gets requests.
 *
 * @param executor the one that the Connector names and that Tomcat resolves; empty: it has a pool of its own
 * @param host the Engine's default Host
 */
record HttpService(XmlText xml, XmlElement connector, Optional<XmlElement> executor, Optional<XmlElement> host) {
    static final String CONNECTOR = "Connector";
    static final String EXECUTOR = ServerXmlPlace.EXECUTOR;
    static final String USUAL_APPS = "webapps";

    /** See {@link ServerXmlPlace#OF_THE_POOL}. */
    static final Map<String, String> OF_THE_POOL = ServerXmlPlace.OF_THE_POOL;

    private static final String STANDARD = "org.apache.catalina.core.StandardThreadExecutor";
    private static final String VIRTUAL = "org.apache.catalina.core.StandardVirtualThreadExecutor";
    private static final Set<String> HTTP = Set.of("", "http/1.1");

    /** The pool that runs requests. */
    enum Pool {
        /** A pool of the Connector's own. */
        OWN,
        /** An Executor of platform threads. */
        SHARED,
        /** One virtual thread per request, from the Connector or from an Executor. */
        VIRTUAL,
        /** An Executor of an unknown class. */
        UNKNOWN
    }

    /** @throws ConfigException if there is none */
    static HttpService of(XmlText xml) throws ConfigException {
        if (!xml.root().name().equals("Server")) {
            throw new ConfigException("%s: is no server.xml of Tomcat: its root is <%s> and not <Server>"
                    .formatted(xml.place(xml.root()), xml.root().name()));
        }
        for (XmlElement service : xml.children(xml.root(), "Service")) {
            for (XmlElement connector : xml.children(service, CONNECTOR)) {
                if (isPlainHttp(connector)) {
                    return new HttpService(xml, connector, executor(xml, service, connector), host(xml, service));
                }
            }
        }
        throw new ConfigException(xml.name() + ": has no HTTP Connector without TLS, which is what Fettle loads:"
                + " add <Connector port=\"8080\" protocol=\"HTTP/1.1\"/>");
    }

    private static boolean isPlainHttp(XmlElement connector) {
        String protocol = connector.value("protocol").orElse("").toLowerCase(Locale.ROOT);
        boolean tls =
                connector.value("SSLEnabled").filter("true"::equalsIgnoreCase).isPresent();
        boolean socketFile = connector.attribute("unixDomainSocketPath").isPresent();
        return !tls && !socketFile && (HTTP.contains(protocol) || protocol.contains(".http11."));
    }

    /** Tomcat looks up the name among the Executors that it has read before it reaches the Connector. */
    private static Optional<XmlElement> executor(XmlText xml, XmlElement service, XmlElement connector) {
        return connector
                .value("executor")
                .flatMap(name -> named(xml, service, name))
                .filter(e -> e.start() < connector.start());
    }

    private static Optional<XmlElement> named(XmlText xml, XmlElement service, String name) {
        return xml.children(service, EXECUTOR).stream()
                .filter(e -> e.has("name", name))
                .findFirst();
    }

    /** Where the Host's web applications are: relative to CATALINA_BASE, or absolute. */
    String appBase() {
        return host.flatMap(h -> h.value("appBase")).orElse(USUAL_APPS);
    }

    /** The Executor that the Connector names, anywhere in the Service. */
    Optional<XmlElement> namedExecutor() {
        return connector
                .value("executor")
                .flatMap(name -> named(xml, connector.parent().orElseThrow(), name));
    }

    private static Optional<XmlElement> host(XmlText xml, XmlElement service) {
        List<XmlElement> engines = xml.children(service, "Engine");
        if (engines.isEmpty()) {
            return Optional.empty();
        }
        List<XmlElement> hosts = xml.children(engines.getFirst(), "Host");
        Optional<String> usual = engines.getFirst().value("defaultHost");
        return hosts.stream()
                .filter(h -> usual.isEmpty() || usual.equals(h.value("name")))
                .findFirst()
                .or(() -> hosts.stream().findFirst());
    }

    Pool pool() {
        if (executor.isEmpty()) {
            return connector
                            .value("useVirtualThreads")
                            .filter("true"::equalsIgnoreCase)
                            .isPresent()
                    ? Pool.VIRTUAL
                    : Pool.OWN;
        }
        return switch (executor.get().value("className").orElse(STANDARD)) {
            case STANDARD -> Pool.SHARED;
            case VIRTUAL -> Pool.VIRTUAL;
            default -> Pool.UNKNOWN;
        };
    }

    /** "the Connector's Executor 'pool'". */
    String executorTitle() {
        return "the Connector's Executor '"
                + executor.flatMap(e -> e.value("name")).orElse("") + "'";
    }

    /** The element that a place's parent stands for: the Connector or the Host. */
    Optional<XmlElement> parent(String named) {
        return switch (named) {
            case CONNECTOR -> Optional.of(connector);
            case "Host" -> host;
            default -> Optional.empty();
        };
    }

    /** A child element of a given class. */
    Optional<XmlElement> child(XmlElement of, String element, String className) {
        return xml.children(of, element).stream()
                .filter(e -> e.has("className", className))
                .findFirst();
    }
}
