package dev.fettle.config.tomcat;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Where the knobs of Tomcat go in its {@code server.xml}. */
final class TomcatPlaces {
    /** The knob that decides what runs the requests. */
    static final String VIRTUAL = "threads.virtual";

    private TomcatPlaces() {}

    /** The places of a knob; none if it is not the server's, or if {@code server.xml} can't express it. */
    static List<ServerXmlPlace> of(Knob knob) {
        NativeKnob on = knob.on(ServerKind.TOMCAT);
        return knob.part() == Knob.Part.SERVER && on.applies() ? ServerXmlPlace.of(on) : List.of();
    }

    /** Whether a place is an attribute of the Connector itself. */
    static boolean onConnector(ServerXmlPlace place) {
        return place.parent().isEmpty();
    }

    /** {@code block="false" highConcurrencyStatus="503"}. */
    static String words(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .map(e -> e.getKey() + "=\"" + e.getValue() + "\"")
                .collect(Collectors.joining(" "));
    }
}
