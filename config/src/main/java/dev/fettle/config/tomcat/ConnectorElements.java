package dev.fettle.config.tomcat;

import dev.fettle.model.text.OneLine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The elements of a {@code server.xml} that a setting needs: the Connector, what goes into it, and what goes beside it. */
public final class ConnectorElements {
    private static final String CONNECTOR = "Connector";

    /** An element by parent, name and class. */
    private record Element(String parent, String name, String className) {}

    private final Map<Element, Map<String, String>> elements = new LinkedHashMap<>();
    private final Optional<String> executor;

    /** @param executor the name of the Executor that the Connector runs on, if it does */
    public ConnectorElements(Optional<String> executor) {
        this.executor = executor;
    }

    /** Puts a value where it belongs. */
    public void put(ServerXmlPlace place, String value) {
        if (place.attribute().isEmpty() && value.equals("false")) {
            return; // the element is the switch, and it is off
        }
        var attributes = elements.computeIfAbsent(
                new Element(place.parent(), place.element(), place.className()), e -> new LinkedHashMap<>());
        place.attribute().ifPresent(a -> attributes.put(a, value));
        attributes.putAll(place.fixed());
    }

    public String render() {
        var out = new StringBuilder();
        elements.forEach((e, attributes) -> {
            if (e.name().equals(ServerXmlPlace.EXECUTOR)) {
                attribute(out.append('<').append(e.name()), "name", executor.orElse(""));
                attributes.forEach((k, v) -> attribute(out, k, v));
                out.append(" />\n");
            }
        });
        boolean connector = elements.keySet().stream().anyMatch(e -> !e.name().equals(ServerXmlPlace.EXECUTOR));
        if (!connector && !elements.isEmpty()) {
            return out.toString();
        }
        out.append("<Connector port=\"8080\" protocol=\"HTTP/1.1\"");
        executor.ifPresent(e -> attribute(out, "executor", e));
        elements.forEach((e, attributes) -> {
            if (e.name().equals(CONNECTOR)) {
                attributes.forEach((k, v) -> attribute(out.append("\n          "), k, v));
            }
        });
        var children = new StringBuilder();
        var beside = new StringBuilder();
        elements.forEach((e, attributes) -> {
            if (e.parent().equals(CONNECTOR)) {
                element(children.append("  "), e, attributes);
            } else if (!e.parent().isEmpty()) {
                element(beside.append("<!-- inside ").append(e.parent()).append(" or Context -->\n"), e, attributes);
            }
        });
        out.append(children.isEmpty() ? " />\n" : ">\n" + children + "</Connector>\n");
        return out.append(beside).toString();
    }

    private static void element(StringBuilder out, Element e, Map<String, String> attributes) {
        out.append('<').append(e.name());
        attribute(out, "className", e.className());
        attributes.forEach((k, v) -> attribute(out, k, v));
        out.append(" />\n");
    }

    private static void attribute(StringBuilder out, String name, String value) {
        out.append(' ')
                .append(name)
                .append("=\"")
                .append(XmlText.escaped(OneLine.of(value), '"'))
                .append('"');
    }
}
