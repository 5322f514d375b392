package dev.fettle.target;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The knobs of one server, from the table that is written from the catalogue. */
final class Knobs {
    private static final int WORDS = 8;
    private static final int WITHOUT = 9;
    private static final int UNREAD = 10;

    private final Map<String, Knob> known = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    private Knobs() {}

    /** Those of a server, by its name on the command line. */
    static Knobs of(String server) {
        Knobs knobs = new Knobs();
        try (InputStream in = Knobs.class.getResourceAsStream("knobs.tsv")) {
            if (in == null) {
                throw new IllegalStateException("knobs.tsv is missing from the class path");
            }
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .filter(cells -> cells[0].equals(server))
                    .forEach(knobs::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return knobs;
    }

    private void add(String... cells) {
        String name = cells[1];
        if (cells[2].equals("-")) {
            absent.put(name, cells[3]);
            return;
        }
        known.put(
                name,
                new Knob(
                        name,
                        Knob.Type.valueOf(cells[2]),
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4]),
                        Long.parseLong(cells[5]),
                        cells[6],
                        cells.length > 7 && cells[7].equals("live"),
                        pairs(cell(cells, WORDS)),
                        pairs(cell(cells, WITHOUT)),
                        !cell(cells, UNREAD).isEmpty()));
    }

    private static String cell(String[] cells, int index) {
        return index < cells.length ? cells[index] : "";
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return pairs;
    }

    Collection<Knob> all() {
        return known.values();
    }

    /** A knob that the server has; a {@link LaunchFailure} says what to do instead, or that there is no such knob. */
    Knob find(String name, String title) throws LaunchFailure {
        Knob knob = known.get(name);
        if (knob != null) {
            return knob;
        }
        String instead = absent.get(name);
        throw LaunchFailure.badArgument(
                instead == null
                        ? "unknown key '" + name
                                + "': server, app, host, port, stop.on.eof, app.<option> and these knobs"
                                + " are known: " + String.join(", ", known.keySet())
                        : name + " does not exist on " + title + ": " + instead);
    }

    /** The knobs without a reader. */
    Set<String> unread() {
        return known.values().stream().filter(Knob::unread).map(Knob::name).collect(Collectors.toSet());
    }

    /** The live ones that have an effect under what was set. */
    Set<String> live(Settings settings) {
        return known.values().stream()
                .filter(k -> k.live() && !settings.leavesWithoutEffect(k))
                .map(Knob::name)
                .collect(Collectors.toSet());
    }

    /** Sets what was given on the objects that are there; what is set by hand is not among them. */
    void apply(Settings settings, Map<String, Object> holders) throws LaunchFailure {
        for (Knob knob : known.values()) {
            Object holder = holders.get(knob.holder());
            Object value = settings.get(knob.name());
            if (holder != null && value != null) {
                Beans.set(holder, knob.property(), value, knob);
            }
        }
    }

    /**
     * Reads every knob of the objects that are there. All others are null: they exist, and are not in force.
     *
     * @param into knob name to value
     */
    void read(Map<String, Object> holders, Map<String, @Nullable Object> into) {
        for (Knob knob : known.values()) {
            Object holder = holders.get(knob.holder());
            Object own = holder == null ? null : Beans.get(holder, knob.property());
            into.put(knob.name(), own == null ? null : knob.common(own));
        }
    }
}
