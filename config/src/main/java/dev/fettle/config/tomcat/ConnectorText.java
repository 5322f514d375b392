package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The elements of a {@code server.xml} that a setting needs: the Connector, what goes into it, and what goes next to it. */
public final class ConnectorText {
    private static final String CONNECTOR = "Connector";

    /** Only additions: a whole Connector would replace the user's, with its address, its executor and its TLS. */
    private static final String INTO =
            "Add to your Connector, and keep what else it says: port, address, executor, SSL";

    /** An element by parent, name and class. */
    private record Element(String parent, String name, String className) {}

    private final Map<Element, Map<String, String>> elements = new LinkedHashMap<>();
    private final Optional<String> executor;

    private ConnectorText(Optional<String> executor) {
        this.executor = executor;
    }

    /**
     * A setting as elements.
     *
     * @param configured what the server's own configuration sets
     * @param executor the Executor that the Connector runs on: values of the pool then go there
     */
    public static ConfigFile of(Setting setting, Setting configured, Optional<String> executor) {
        boolean virtual =
                setting.get(TomcatPlaces.VIRTUAL).filter("true"::equals).isPresent();
        Optional<String> pool = executor.filter(e -> !virtual);
        var xml = new ConnectorText(pool);
        var remarks = new ArrayList<String>();
        var without = new LinkedHashMap<String, String>();
        if (virtual && executor.isPresent()) {
            remarks.add("take executor=\"" + executor.get() + "\" off the Connector");
        }
        OwnKnobs.of(ServerKind.TOMCAT, setting, configured).forEach((knob, value) -> {
            List<ServerXmlPlace> places = OwnKnobs.on(ServerKind.TOMCAT, knob).stream()
                    .flatMap(k -> ServerXmlPlace.of(k).stream())
                    .flatMap(p -> pool.isPresent() ? p.onExecutor().stream() : Stream.of(p))
                    .toList();
            String own = OwnKnobs.value(ServerKind.TOMCAT, knob, value);
            places.forEach(p -> {
                xml.put(p, own);
                if (p.element().equals(ServerXmlPlace.EXECUTOR)) {
                    ServerXmlPlace.spare(setting, p.attribute().orElse(""), own, configured.get("threads.min"))
                            .ifPresent(spare -> xml.put(p.with(ServerXmlPlace.SPARE), spare));
                }
            });
            if (places.isEmpty()) {
                remarks.add(knob + "=" + value + " has no attribute of the Connector");
                without.put(knob, value);
            }
        });
        return new ConfigFile(
                ConfigFile.Kind.SERVER_XML,
                "conf/server.xml",
                ConfigFile.Kind.SERVER_XML.comment(remarks) + xml.render(),
                without);
    }

    /** Puts a value where it belongs. */
    private void put(ServerXmlPlace place, String value) {
        if (place.attribute().isEmpty() && value.equals("false")) {
            return; // the element itself is the switch, and it is off
        }
        var attributes = elements.computeIfAbsent(
                new Element(place.parent(), place.element(), place.className()), e -> new LinkedHashMap<>());
        place.attribute().ifPresent(a -> attributes.put(a, value));
        attributes.putAll(place.fixed());
    }

    private String render() {
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
        out.append("<!-- ").append(INTO).append(" -->\n<Connector");
        elements.forEach((e, attributes) -> {
            if (e.name().equals(CONNECTOR)) {
                String before = attributes.size() == 1 ? "" : "\n          ";
                attributes.forEach((k, v) -> attribute(out.append(before), k, v));
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
