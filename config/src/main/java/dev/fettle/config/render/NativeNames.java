package dev.fettle.config.render;

import dev.fettle.config.jetty.JettyPlace;
import dev.fettle.config.tomcat.ServerXmlPlace;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import java.util.List;
import java.util.Optional;

/** What the common knobs and their values are called in configuration files; all of it comes from the catalogue. */
final class NativeNames {
    private NativeNames() {}

    /** Places in Tomcat's {@code server.xml}. */
    static List<ServerXmlPlace> tomcat(String knob) {
        return on(knob, ServerKind.TOMCAT).map(ServerXmlPlace::of).orElse(List.of());
    }

    /** Places in Jetty's ini files. */
    static List<JettyPlace> jetty(String knob) {
        return on(knob, ServerKind.JETTY).map(JettyPlace::of).orElse(List.of());
    }

    /** A line of Undertow's builder with {@code %s} for the value. */
    static Optional<String> undertow(String knob) {
        Optional<NativeKnob> on = on(knob, ServerKind.UNDERTOW);
        if (on.isEmpty()) {
            return Optional.empty();
        }
        String property = on.get().property();
        // options that count in longs want a literal of that type
        String value = Knobs.find(knob).orElseThrow().max() > Integer.MAX_VALUE ? "%sL" : "%s";
        return switch (on.get().holder()) {
            case "builder" ->
                Optional.of(".set" + Character.toUpperCase(property.charAt(0)) + property.substring(1) + "(%s)");
            case "server" -> Optional.of(".setServerOption(UndertowOptions." + property + ", " + value + ")");
            case "socket" -> Optional.of(".setSocketOption(Options." + property + ", " + value + ")");
            case "worker" -> Optional.of(".setWorkerOption(Options." + property + ", " + value + ")");
            default ->
                on.get().name().startsWith("Options.")
                        ? Optional.of(".setSocketOption(" + on.get().name() + ", %s)")
                        : Optional.empty();
        };
    }

    /** A value in the server's own words and units. */
    static String value(ServerKind server, String knob, String value) {
        try {
            return Knobs.find(knob).map(k -> k.written(server, value)).orElse(value);
        } catch (IllegalArgumentException e) {
            return value; // it is shown as it came
        }
    }

    private static String plain(String knob, String value) {
        try {
            return Knobs.find(knob).map(k -> k.plain(value)).orElse(value);
        } catch (IllegalArgumentException e) {
            return value; // it is shown as it came
        }
    }

    /** Whether a value is the server's own default, so that it need not be written. */
    static boolean isDefault(ServerKind server, String knob, String value) {
        return on(knob, server).filter(n -> n.byDefault().equals(value)).isPresent();
    }

    /** Whether a knob belongs to the JVM or the process, and not to the server. */
    static boolean ofServer(String knob) {
        return Knobs.find(knob).map(k -> k.part() == Knob.Part.SERVER).orElse(true);
    }

    private static Optional<NativeKnob> on(String knob, ServerKind server) {
        return Knobs.find(knob).map(k -> k.on(server)).filter(NativeKnob::applies);
    }
}
