package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Merges elements into a {@code server.xml}, as the text tells its reader to: attributes and children of a Connector go to the
 * HTTP Connector, attributes of an Executor to the one that it runs on, everything else into the Host.
 */
final class ServerXmlFragment {
    /** Attributes that only say which Connector is meant. */
    private static final Set<String> POINTERS = Set.of("port", "protocol", "executor");

    private static final String ROOT = "fragment";

    private final String name;
    private String text;

    private ServerXmlFragment(String name, String text) {
        this.name = name;
        this.text = text;
    }

    static String merged(String name, String text, String fragment) throws ConfigException {
        XmlText piece = XmlText.parse("the fragment", "<" + ROOT + ">\n" + fragment + "</" + ROOT + ">");
        var merge = new ServerXmlFragment(name, text);
        for (XmlElement e : piece.children(piece.root())) {
            switch (e.name()) {
                case HttpService.CONNECTOR -> merge.connector(piece, e);
                case HttpService.EXECUTOR -> merge.executor(e);
                default -> merge.child("Host", piece, e);
            }
        }
        return merge.text;
    }

    private HttpService service() throws ConfigException {
        return HttpService.of(XmlText.parse(name, text));
    }

    private void connector(XmlText piece, XmlElement connector) throws ConfigException {
        for (XmlElement.Attribute a : connector.attributes()) {
            if (!POINTERS.contains(a.name())) {
                HttpService service = service();
                text = service.xml().with(service.connector(), a.name(), a.value());
            }
        }
        for (XmlElement child : piece.children(connector)) {
            child(HttpService.CONNECTOR, piece, child);
        }
    }

    private void executor(XmlElement executor) throws ConfigException {
        for (XmlElement.Attribute a : executor.attributes()) {
            HttpService service = service();
            XmlElement there = service.executor()
                    .orElseThrow(() -> new ConfigException(name + " has no Executor for the Connector to run on"));
            text = service.xml().with(there, a.name(), a.value());
        }
    }

    /** Adds a child in place of an element of the same class. */
    private void child(String parent, XmlText piece, XmlElement child) throws ConfigException {
        HttpService service = service();
        XmlElement in = service.parent(parent)
                .orElseThrow(
                        () -> new ConfigException("%s has no %s for the %s".formatted(name, parent, child.name())));
        Optional<XmlElement> there =
                service.child(in, child.name(), child.value("className").orElse(""));
        if (there.isPresent()) {
            for (XmlElement.Attribute a : List.copyOf(child.attributes())) {
                HttpService now = service();
                text = now.xml()
                        .with(
                                now.child(
                                                now.parent(parent).orElseThrow(),
                                                child.name(),
                                                child.value("className").orElse(""))
                                        .orElseThrow(),
                                a.name(),
                                a.value());
            }
        } else {
            text = service.xml().withChild(in, piece.text().substring(child.start(), child.end()));
        }
    }
}
