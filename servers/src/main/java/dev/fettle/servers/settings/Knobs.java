package dev.fettle.servers.settings;

import dev.fettle.agent.Knob;
import dev.fettle.agent.KnobTable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The knobs of one server, and how to set them on a server started here. */
public final class Knobs {
    private final KnobTable table;

    private Knobs(KnobTable table) {
        this.table = table;
    }

    /** The knobs of a server, by its name on the command line. */
    public static Knobs of(String server) {
        return new Knobs(KnobTable.of(server));
    }

    /** The servers that have knobs, by their names on the command line. */
    public static List<String> servers() {
        return KnobTable.servers();
    }

    public Collection<Knob> all() {
        return table.all();
    }

    /** A knob of the server; a {@link LaunchFailure} says what to use instead, or that there is no such knob. */
    public Knob find(String name, String title) throws LaunchFailure {
        return table.find(name)
                .orElseThrow(() -> LaunchFailure.badArgument(table.instead(name)
                        .map(instead -> name + " does not exist on " + title + ": " + instead)
                        .orElseGet(() -> "unknown key '" + name
                                + "': server, app, war, context, scratch, host, port, stop.on.eof, tls.keystore, app.<option> and these knobs"
                                + " are known: "
                                + all().stream().map(Knob::name).collect(Collectors.joining(", ")))));
    }

    /** The knobs without a reader. */
    public Set<String> unread() {
        return all().stream().filter(Knob::unread).map(Knob::name).collect(Collectors.toSet());
    }

    /** The live knobs that have an effect with these settings. */
    public Set<String> live(Settings settings) {
        return all().stream()
                .filter(k -> k.live() && !settings.leavesWithoutEffect(k))
                .map(Knob::name)
                .collect(Collectors.toSet());
    }

    /** Sets the given knobs on the objects that exist; knobs set by code are skipped. */
    public void apply(Settings settings, Map<String, Object> holders) throws LaunchFailure {
        for (Knob knob : all()) {
            Object holder = holders.get(knob.holder());
            Object value = settings.get(knob.name());
            if (holder != null && value != null) {
                Setters.set(holder, knob.property(), value, knob);
            }
        }
    }
}
