package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.List;
import java.util.Optional;

/** Puts a setting on top of a {@code server.xml}, one value after the other; everything else stays byte for byte. */
final class ServerXmlWriter {
    private final String name;
    private final Setting setting;
    private String text;

    private ServerXmlWriter(String name, String text, Setting setting) {
        this.name = name;
        this.text = text;
        this.setting = setting;
    }

    /** @throws ConfigException if a value has no place, or would have no effect there */
    static String write(String name, String text, Setting setting) throws ConfigException {
        var writer = new ServerXmlWriter(name, text, setting);
        Optional<String> virtual = setting.get(TomcatPlaces.VIRTUAL);
        if (virtual.isPresent()) { // first, since it decides which pool the other values are for
            writer.virtual(virtual.get().equals("true"));
        }
        for (Knob knob : Knobs.all()) {
            Optional<String> value = setting.get(knob.name());
            if (value.isPresent()
                    && knob.part() == Knob.Part.SERVER
                    && !knob.name().equals(TomcatPlaces.VIRTUAL)) {
                writer.knob(knob, value.get());
            }
        }
        return writer.text;
    }

    private HttpService service() throws ConfigException {
        return HttpService.of(XmlText.parse(name, text));
    }

    /** Switches virtual threads; a Connector that runs on an Executor of the other kind is detached from it. */
    private void virtual(boolean wanted) throws ConfigException {
        HttpService service = service();
        if (service.executor().isPresent()) {
            if (service.pool() == (wanted ? HttpService.Pool.VIRTUAL : HttpService.Pool.SHARED)) {
                return;
            }
            text = service.xml().without(service.connector(), "executor");
        }
        HttpService now = service();
        text = now.xml().with(now.connector(), "useVirtualThreads", Boolean.toString(wanted));
    }

    private void knob(Knob knob, String value) throws ConfigException {
        List<ServerXmlPlace> places = TomcatPlaces.of(knob);
        if (places.isEmpty()) {
            throw new ConfigException(
                    "%s is not tunable here: it has no place in Tomcat's server.xml".formatted(knob.name()));
        }
        String own = knob.written(ServerKind.TOMCAT, value);
        for (ServerXmlPlace place : places) {
            if (TomcatPlaces.onConnector(place)) {
                attribute(knob, place, own);
            } else {
                child(place, own);
            }
        }
    }

    private void attribute(Knob knob, ServerXmlPlace place, String own) throws ConfigException {
        String attribute = place.attribute().orElseThrow();
        HttpService service = service();
        String ofPool = HttpService.OF_THE_POOL.get(attribute);
        if (ofPool != null && service.pool() != HttpService.Pool.OWN) {
            if (service.pool() != HttpService.Pool.SHARED || ofPool.isEmpty()) {
                throw new ConfigException("%s: %s has no effect: %s"
                        .formatted(service.xml().place(service.connector()), knob.name(), why(service)));
            }
            XmlElement executor = service.executor().orElseThrow();
            text = service.xml().with(executor, ofPool, own);
            Optional<String> spare = ServerXmlPlace.spare(setting, ofPool, own, executor.value(ServerXmlPlace.SPARE));
            if (spare.isPresent()) {
                HttpService now = service();
                text = now.xml().with(now.executor().orElseThrow(), ServerXmlPlace.SPARE, spare.get());
            }
            return;
        }
        text = service.xml().with(service.connector(), attribute, own);
        for (var fixed : place.fixed().entrySet()) {
            HttpService now = service();
            text = now.xml().with(now.connector(), fixed.getKey(), fixed.getValue());
        }
    }

    private static String why(HttpService service) {
        return switch (service.pool()) {
            case VIRTUAL ->
                (service.executor().isPresent() ? service.executorTitle() : "useVirtualThreads")
                        + " gives each request a virtual thread; set threads.virtual to false with it";
            case UNKNOWN -> service.executorTitle() + " is of a class that Fettle does not know";
            case OWN, SHARED -> service.executorTitle() + " has no such attribute";
        };
    }

    private void child(ServerXmlPlace place, String own) throws ConfigException {
        HttpService service = service();
        XmlElement parent = service.parent(place.parent())
                .orElseThrow(() -> new ConfigException("%s: there is no %s to put a %s into"
                        .formatted(service.xml().place(service.connector()), place.parent(), place.element())));
        Optional<XmlElement> there = service.child(parent, place.element(), place.className());
        if (place.attribute().isEmpty() && own.equals("false")) {
            if (there.isPresent()) {
                text = service.xml().without(there.get());
            }
            return;
        }
        if (there.isEmpty()) {
            text = service.xml()
                    .withChild(parent, "<%s className=\"%s\"/>".formatted(place.element(), place.className()));
        }
        for (var fixed : place.fixed().entrySet()) {
            put(place, fixed.getKey(), fixed.getValue());
        }
        if (place.attribute().isPresent()) {
            put(place, place.attribute().get(), own);
        }
    }

    private void put(ServerXmlPlace place, String attribute, String value) throws ConfigException {
        HttpService service = service();
        XmlElement child = service.parent(place.parent())
                .flatMap(p -> service.child(p, place.element(), place.className()))
                .orElseThrow();
        text = service.xml().with(child, attribute, value);
    }
}
