package dev.fettle.config;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The knobs of a setting that are the server's, and their values in its own terms, all from the catalogue. */
public final class OwnKnobs {
    private OwnKnobs() {}

    /**
     * The knobs of the server that differ from its defaults; those of the JVM and the process are left out.
     *
     * @param configured what the server's own configuration sets; such a knob is written even at the server's default
     */
    public static Map<String, String> of(ServerKind server, Setting setting, Setting configured) {
        var own = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            boolean needless = isDefault(server, k, v) && configured.get(k).isEmpty();
            if (ofServer(k) && !needless) {
                own.put(k, v);
            }
        });
        return own;
    }

    /** The server's name for a knob; empty if it has no such knob. */
    public static Optional<NativeKnob> on(ServerKind server, String knob) {
        return Knobs.find(knob).map(k -> k.on(server)).filter(NativeKnob::applies);
    }

    /** A value in the server's own words and units. */
    public static String value(ServerKind server, String knob, String value) {
        try {
            return Knobs.find(knob).map(k -> k.written(server, value)).orElse(value);
        } catch (IllegalArgumentException e) {
            return value; // shown unchanged
        }
    }

    /** Whether a value is the server's own default, so that nothing has to be written. */
    public static boolean isDefault(ServerKind server, String knob, String value) {
        return isNoLimit(server, knob, value)
                || on(server, knob).filter(n -> n.byDefault().equals(value)).isPresent();
    }

    /**
     * Whether a value is that there is no limit, and the server has none unless one is given. That is no value to write: a limit
     * that is there has to be taken out, and -1 connections are none at all to some servers.
     */
    public static boolean isNoLimit(ServerKind server, String knob, String value) {
        return value.equals("-1")
                && Knobs.find(knob).filter(Knob::hasNoLimit).isPresent()
                && on(server, knob)
                        .filter(n -> n.byDefault().startsWith("no limit"))
                        .isPresent();
    }

    /** Whether a knob belongs to the server, and not to the JVM or the process. */
    public static boolean ofServer(String knob) {
        return Knobs.find(knob).map(k -> k.part() == Knob.Part.SERVER).orElse(!OwnKnob.is(knob));
    }
}
