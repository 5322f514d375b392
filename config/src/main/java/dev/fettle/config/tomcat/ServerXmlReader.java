package dev.fettle.config.tomcat;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what a {@code server.xml} sets, and what in it has no effect. */
final class ServerXmlReader {
    private final HttpService service;
    private final XmlText xml;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, String> values = new LinkedHashMap<>();

    private ServerXmlReader(HttpService service) {
        this.service = service;
        this.xml = service.xml();
    }

    /** The result. */
    record Found(Setting setting, List<String> findings) {}

    static Found read(HttpService service) {
        var reader = new ServerXmlReader(service);
        reader.executors();
        reader.attributes();
        for (Knob knob : Knobs.all()) {
            List<ServerXmlPlace> places = TomcatPlaces.of(knob);
            if (!places.isEmpty()) {
                reader.knob(knob, places);
            }
        }
        return new Found(Setting.of(reader.values), List.copyOf(reader.findings));
    }

    private void say(XmlElement at, String words) {
        findings.add(xml.place(at) + ": " + words);
    }

    private void executors() {
        XmlElement connector = service.connector();
        Optional<String> name = connector.value("executor");
        if (name.isPresent() && service.executor().isEmpty()) {
            Optional<XmlElement> later = service.namedExecutor();
            say(
                    later.orElse(connector),
                    later.isPresent()
                            ? ("Executor '%s' stands behind the Connector that names it, so Tomcat ignores it without a word"
                                            + " and the Connector has a pool of its own: move it in front")
                                    .formatted(name.get())
                            : ("there is no Executor '%s', which the Connector names: Tomcat says nothing, and the Connector has"
                                            + " a pool of its own")
                                    .formatted(name.get()));
        }
        service.executor().ifPresent(e -> {
            for (XmlElement.Attribute a : connector.attributes()) {
                String there = HttpService.OF_THE_POOL.get(a.name());
                if (there != null) {
                    say(
                            connector,
                            "%s=\"%s\" of the Connector is ignored, because it runs on an Executor%s"
                                    .formatted(
                                            a.name(),
                                            a.value(),
                                            there.isEmpty() || service.pool() != HttpService.Pool.SHARED
                                                    ? ""
                                                    : ": there it is " + there));
                }
            }
        });
        if (service.pool() == HttpService.Pool.UNKNOWN) {
            say(
                    service.executor().orElseThrow(),
                    service.executorTitle()
                            + " is of a class that Fettle does not know; its pool is neither read nor set");
        }
    }

    private void attributes() {
        for (XmlElement.Attribute a : service.connector().attributes()) {
            if (!KnownAttributes.ofConnector(a.name())) {
                unknown(service.connector(), a.name(), true);
            }
        }
        if (service.pool() == HttpService.Pool.SHARED) {
            XmlElement executor = service.executor().orElseThrow();
            for (XmlElement.Attribute a : executor.attributes()) {
                if (!KnownAttributes.ofExecutor(a.name())) {
                    unknown(executor, a.name(), false);
                }
            }
        }
    }

    private void unknown(XmlElement e, String attribute, boolean connector) {
        say(
                e,
                "'%s' is no attribute of the %s%s; Tomcat ignores it"
                        .formatted(
                                attribute,
                                e.name(),
                                KnownAttributes.nearest(attribute, connector)
                                        .map(n -> " (did you mean " + n + "?)")
                                        .orElse("")));
    }

    /** Reads a knob that has several places, if all of them agree. */
    private void knob(Knob knob, List<ServerXmlPlace> places) {
        var found = new ArrayList<Optional<String>>();
        for (ServerXmlPlace place : places) {
            found.add(TomcatPlaces.onConnector(place) ? attribute(knob, place) : child(knob, place));
        }
        if (found.stream().distinct().count() == 1) {
            found.getFirst().ifPresent(v -> values.put(knob.name(), v));
        } else {
            say(
                    service.connector(),
                    knob.name() + " is not read: it stands for "
                            + String.join(
                                    " and ",
                                    places.stream()
                                            .map(p -> p.attribute().orElse(p.element()))
                                            .toList())
                            + ", which differ here");
        }
    }

    private Optional<String> attribute(Knob knob, ServerXmlPlace place) {
        String attribute = place.attribute().orElseThrow();
        HttpService.Pool pool = service.pool();
        if (knob.name().equals(TomcatPlaces.VIRTUAL) && service.executor().isPresent()) {
            return pool == HttpService.Pool.UNKNOWN
                    ? Optional.empty()
                    : Optional.of(Boolean.toString(pool == HttpService.Pool.VIRTUAL));
        }
        String ofPool = HttpService.OF_THE_POOL.get(attribute);
        if (ofPool != null && service.executor().isPresent()) {
            return ofPool.isEmpty() || pool != HttpService.Pool.SHARED
                    ? Optional.empty()
                    : value(knob, service.executor().orElseThrow(), ofPool);
        }
        XmlElement connector = service.connector();
        if (connector.attribute(attribute).isPresent() && !fixed(connector, place)) {
            say(connector, "%s has no effect without %s".formatted(attribute, TomcatPlaces.words(place.fixed())));
            return Optional.empty();
        }
        if (ofPool != null && pool == HttpService.Pool.VIRTUAL && !knob.name().equals(TomcatPlaces.VIRTUAL)) {
            if (connector.attribute(attribute).isPresent()) {
                say(connector, attribute + " has no effect with useVirtualThreads=\"true\"");
            }
            return Optional.empty();
        }
        return value(knob, connector, attribute);
    }

    private Optional<String> child(Knob knob, ServerXmlPlace place) {
        Optional<XmlElement> child =
                service.parent(place.parent()).flatMap(p -> service.child(p, place.element(), place.className()));
        if (child.isEmpty()) {
            return Optional.empty();
        }
        if (!fixed(child.get(), place)) {
            say(
                    child.get(),
                    "this %s is not read: %s would set it with %s"
                            .formatted(place.element(), knob.name(), TomcatPlaces.words(place.fixed())));
            return Optional.empty();
        }
        return place.attribute().isEmpty()
                ? Optional.of("true")
                : value(knob, child.get(), place.attribute().get());
    }

    private static boolean fixed(XmlElement e, ServerXmlPlace place) {
        return place.fixed().entrySet().stream().allMatch(f -> e.has(f.getKey(), f.getValue()));
    }

    private Optional<String> value(Knob knob, XmlElement e, String attribute) {
        Optional<String> own = e.value(attribute);
        if (own.isEmpty()) {
            return own;
        }
        if (own.get().contains("${")) {
            say(e, "%s=\"%s\" is filled in by Tomcat as it starts, and is not read".formatted(attribute, own.get()));
            return Optional.empty();
        }
        try {
            return Optional.of(knob.common(ServerKind.TOMCAT, own.get()));
        } catch (IllegalArgumentException problem) {
            say(e, "%s=\"%s\" is not read: %s".formatted(attribute, own.get(), problem.getMessage()));
            return Optional.empty();
        }
    }
}
