package dev.fettle.config.undertow;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.Escapes;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A setting of Undertow for WildFly: commands of its management model, the commands that undo them, and JVM flags.
 * Resources and attributes come from the catalogue ({@link NativeKnob#standalone()}).
 */
public final class WildFly {
    private static final String FILTER = "/configuration=filter/";
    private static final String HOST = "/subsystem=undertow/server=default-server/host=default-host";

    private final List<String> before = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private final List<String> undo = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Map<String, String> without = new LinkedHashMap<>();
    private final Map<String, List<String>> filters = new LinkedHashMap<>();

    private WildFly() {}

    /**
     * The files for a setting.
     *
     * @param whole the setting with all that was held: a filter is added with all its attributes
     * @param flags the JVM's flags for it, those of the application's own knobs included
     */
    public static List<ConfigFile> files(Setting setting, Setting whole, List<String> flags) {
        var all = new ArrayList<ConfigFile>();
        var script = new WildFly();
        setting.values().forEach((name, value) -> {
            if (OwnKnobs.ofServer(name)) {
                Knobs.find(name).ifPresent(k -> script.knob(k, value));
            }
        });
        script.held(setting, whole);
        script.filters();
        if (!script.commands.isEmpty() || !script.remarks.isEmpty()) {
            all.add(new ConfigFile(Kind.JBOSS_CLI, "fettle.cli", script.text(setting), script.without));
        }
        if (!script.undo.isEmpty()) {
            all.add(new ConfigFile(Kind.JBOSS_CLI, "fettle-undo.cli", script.undoText()));
        }
        if (!flags.isEmpty()) {
            all.add(new ConfigFile(Kind.STANDALONE_CONF, "bin/standalone.conf", Escapes.appended("JAVA_OPTS", flags)));
        }
        return all;
    }

    private void knob(Knob knob, String value) {
        NativeKnob on = knob.on(ServerKind.UNDERTOW);
        if (!on.applies() || on.standalone().isEmpty()) {
            remarks.add(knob.name() + "=" + value + " has no place in WildFly's management model");
            without.put(knob.name(), value);
            return;
        }
        String[] place = on.standalone().split("@", 2);
        String own = OwnKnobs.value(ServerKind.UNDERTOW, knob.name(), value);
        if (place[0].contains(FILTER)) {
            if (place.length == 2) {
                filters.computeIfAbsent(place[0], r -> new ArrayList<>()).add(place[1] + "=" + word(own));
            } else if (value.equals("true")) {
                filters.computeIfAbsent(place[0], r -> new ArrayList<>());
            } else {
                without.put(knob.name(), value);
                remarks.add(knob.name() + "=false: nothing is added; take out a filter that you have for it");
            }
            return;
        }
        before.add(place[0] + ":read-attribute(name=" + place[1] + ")");
        String none = place[0] + ":undefine-attribute(name=" + place[1] + ")";
        boolean unlimited = OwnKnobs.isNoLimit(ServerKind.UNDERTOW, knob.name(), value);
        commands.add(unlimited ? none : place[0] + ":write-attribute(name=" + place[1] + ",value=" + word(own) + ")");
        undo.add(none);
    }

    /** Completes the filters: without its limit, the queue of one is refused, and with it the batch. */
    private void held(Setting setting, Setting whole) {
        whole.values()
                .forEach((name, value) -> Knobs.find(name)
                        .filter(k -> setting.get(name).isEmpty()
                                && k.on(ServerKind.UNDERTOW).applies())
                        .filter(k -> !OwnKnobs.isNoLimit(ServerKind.UNDERTOW, name, value))
                        .map(k -> k.on(ServerKind.UNDERTOW).standalone().split("@", 2))
                        .filter(place -> place.length == 2 && filters.containsKey(place[0]))
                        .ifPresent(place -> filters.computeIfAbsent(place[0], r -> new ArrayList<>())
                                .add(place[1] + "=" + word(OwnKnobs.value(ServerKind.UNDERTOW, name, value)))));
    }

    /** Adds the filters. A filter is a resource of its own, and has no effect until a host refers to it. */
    private void filters() {
        filters.forEach((resource, attributes) -> {
            String reference = HOST + "/filter-ref=" + resource.substring(resource.lastIndexOf('=') + 1);
            commands.add(resource + ":add(" + String.join(",", attributes) + ")");
            commands.add(reference + ":add()");
            undo.add(reference + ":remove()");
            undo.add(resource + ":remove()");
        });
    }

    private String text(Setting setting) {
        var out = new ArrayList<String>();
        out.add("# not verified: Fettle starts no WildFly. For a standalone server with the names that it ships with;");
        out.add("# bin/jboss-cli.sh --connect --file=fettle.cli; to go back: --file=fettle-undo.cli");
        remarks.forEach(r -> out.add("# " + Escapes.comment(r)));
        String others = others(setting);
        if (!others.isEmpty()) {
            out.add("# measured on Undertow by itself; WildFly has other defaults, which this leaves alone: " + others);
        }
        if (!commands.isEmpty()) {
            if (!before.isEmpty()) {
                out.add("# what there is now, to keep for the way back");
                out.addAll(before);
            }
            out.add("batch");
            out.addAll(commands);
            out.add("run-batch");
            out.add("reload");
        }
        return String.join("\n", out) + "\n";
    }

    private String undoText() {
        var out = new ArrayList<String>();
        out.add("# back to WildFly's own defaults; where fettle.cli showed another value, put in its place:"
                + " …:write-attribute(name=…,value=…)");
        out.add("batch");
        out.addAll(undo);
        out.add("run-batch");
        out.add("reload");
        return String.join("\n", out) + "\n";
    }

    /** Knobs not in the setting for which WildFly has a different default. */
    private static String others(Setting setting) {
        return Knobs.all().stream()
                .filter(k -> setting.get(k.name()).isEmpty())
                .filter(k -> k.on(ServerKind.UNDERTOW).defaults().containsKey("wildfly"))
                .map(k -> k.name() + " " + k.on(ServerKind.UNDERTOW).defaults().get("wildfly"))
                .collect(Collectors.joining(", "));
    }

    /** A value for the command line, in which some characters have a special meaning. */
    private static String word(String value) {
        String one = OneLine.of(value);
        return one.matches("[\\w.-]+") ? one : "\"" + one.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
