package dev.fettle.config.jetty;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.Escapes;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/** A setting as a file of Jetty's {@code start.d}. */
public final class StartIni {
    /** After the user's own: start.jar reads the files by name, and of two values the last one counts. */
    public static final String FILE = "start.d/zz-fettle.ini";

    /** The same for the JVM's flags. */
    public static final String JVM_FILE = "start.d/zz-fettle-jvm.ini";

    private StartIni() {}

    /**
     * @param configured what the server's own configuration sets
     * @param inForce all that is in force with the setting: on virtual threads its pool has other properties
     */
    public static ConfigFile of(Setting setting, Setting configured, Setting inForce) {
        var lines = new ArrayList<String>();
        var modules = new TreeSet<String>();
        var without = new LinkedHashMap<String, String>();
        boolean virtual = inForce.get("threads.virtual").filter("true"::equals).isPresent();
        OwnKnobs.of(ServerKind.JETTY, setting, configured).forEach((knob, value) -> {
            List<JettyPlace> places =
                    OwnKnobs.on(ServerKind.JETTY, knob).map(JettyPlace::of).orElse(List.of());
            if (places.isEmpty()) {
                lines.add("# " + Escapes.comment(knob + "=" + value) + " has no line in Jetty's ini files");
                without.put(knob, value);
            }
            boolean unlimited = OwnKnobs.isNoLimit(ServerKind.JETTY, knob, value);
            for (JettyPlace place : places) {
                boolean off = place.isSwitch() ? value.equals("false") : unlimited;
                if (off) {
                    lines.add("# " + knob + "=" + value + ": take out "
                            + (place.isAlwaysOn() ? place.property() : "--module=" + place.module()));
                    without.put(knob, value);
                    continue;
                }
                if (!place.isAlwaysOn()) {
                    modules.add(place.module());
                }
                if (!place.isSwitch()) {
                    String text = Escapes.property(OwnKnobs.value(ServerKind.JETTY, knob, value));
                    place.properties(virtual).forEach(p -> lines.add(p + "=" + text));
                    place.companions().forEach((p, companion) -> lines.add(p + "=" + companion));
                }
            }
        });
        var out = new StringBuilder();
        // after a file such as ee11-deploy.ini, which sorts first, properties would belong to that environment
        out.append("--modules=server\n");
        modules.forEach(m -> out.append("--module=").append(m).append('\n'));
        lines.forEach(l -> out.append(l).append('\n'));
        return new ConfigFile(ConfigFile.Kind.JETTY_INI, FILE, out.toString(), without);
    }
}
