package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import dev.fettle.config.KeyStoreFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A {@code server.xml} for a private copy of the server: one HTTP Connector on a port of its own on 127.0.0.1, no other, no
 * shutdown port and no cluster.
 *
 * @param engine the Engine's name, a folder of {@code conf} with descriptors of web applications
 * @param host the default Host's name
 * @param appBase where that Host's web applications were: relative to CATALINA_BASE, or absolute; it is now {@code
 *     webapps}
 * @param notes what was removed, one line each
 */
public record PrivateServerXml(String text, String engine, String host, String appBase, List<String> notes) {
    public PrivateServerXml {
        notes = List.copyOf(notes);
    }

    static PrivateServerXml of(String name, String text, int port, boolean deploys, Optional<KeyStoreFile> key)
            throws ConfigException {
        return new Maker(name, text).make(port, deploys, key);
    }

    private static final class Maker {
        private final String name;
        private final List<String> notes = new ArrayList<>();
        private String text;

        Maker(String name, String text) {
            this.name = name;
            this.text = text;
        }

        PrivateServerXml make(int port, boolean deploys, Optional<KeyStoreFile> key) throws ConfigException {
            while (removeOne(deploys)) {
                continue;
            }
            root("port", "-1");
            if (xml().root().attribute("portOffset").isPresent()) {
                root("portOffset", "0");
            }
            connector("port", Integer.toString(port));
            connector("address", "127.0.0.1");
            for (String attribute : List.of("portOffset", "useInheritedChannel")) {
                HttpService service = service();
                text = service.xml().without(service.connector(), attribute);
            }
            HttpService now = service();
            Optional<XmlElement> host = now.host();
            if (host.isPresent()) {
                text = now.xml().with(host.get(), "appBase", HttpService.USUAL_APPS);
            }
            if (key.isPresent()) {
                secure(key.get());
            }
            return new PrivateServerXml(
                    text,
                    host.flatMap(XmlElement::parent)
                            .flatMap(e -> e.value("name"))
                            .orElse("Catalina"),
                    host.flatMap(h -> h.value("name")).orElse("localhost"),
                    now.appBase(),
                    notes);
        }

        private XmlText xml() throws ConfigException {
            return XmlText.parse(name, text);
        }

        private HttpService service() throws ConfigException {
            return HttpService.of(xml());
        }

        private void root(String attribute, String value) throws ConfigException {
            XmlText xml = xml();
            text = xml.with(xml.root(), attribute, value);
        }

        private void connector(String attribute, String value) throws ConfigException {
            HttpService service = service();
            text = service.xml().with(service.connector(), attribute, value);
        }

        /** Switches the one remaining Connector to TLS, with this key and no other. */
        private void secure(KeyStoreFile key) throws ConfigException {
            while (true) {
                HttpService service = service();
                List<XmlElement> own = service.xml().children(service.connector(), "SSLHostConfig");
                if (own.isEmpty()) {
                    break;
                }
                text = service.xml().without(own.getFirst());
            }
            HttpService service = service();
            text = service.xml()
                    .withChild(
                            service.connector(),
                            ("<SSLHostConfig><Certificate certificateKeystoreFile=\"%s\""
                                            + " certificateKeystorePassword=\"%s\" certificateKeystoreType=\"PKCS12\"/>"
                                            + "</SSLHostConfig>")
                                    .formatted(XmlText.escaped(key.path(), '"'), XmlText.escaped(key.password(), '"')));
            connector("scheme", "https");
            connector("secure", "true");
            connector("SSLEnabled", "true"); // last: after this it no longer answers plain HTTP
        }

        /** Removes one more thing; returns whether there was any. */
        private boolean removeOne(boolean deploys) throws ConfigException {
            HttpService service = service();
            for (XmlElement e : service.xml().elements()) {
                Optional<String> why = why(e, service, deploys);
                if (why.isPresent()) {
                    text = service.xml().without(e);
                    notes.add("left out of the private copy of %s: %s".formatted(name, why.get()));
                    return true;
                }
            }
            return false;
        }

        private static Optional<String> why(XmlElement e, HttpService service, boolean deploys) {
            return switch (e.name()) {
                case HttpService.CONNECTOR ->
                    e.start() == service.connector().start()
                            ? Optional.empty()
                            : Optional.of(
                                    "the Connector on port " + e.value("port").orElse("8080")
                                            + e.value("protocol")
                                                    .map(p -> " (" + p + ")")
                                                    .orElse(""));
                case "Cluster" -> Optional.of("the Cluster, which would talk to other servers");
                case "Context" ->
                    deploys && e.parent().filter(p -> p.name().equals("Host")).isPresent()
                            ? Optional.of("the Context " + e.value("path").orElse("")
                                    + e.value("docBase")
                                            .map(d -> " (" + d + ")")
                                            .orElse(""))
                            : Optional.empty();
                default -> Optional.empty();
            };
        }
    }
}
