package dev.fettle.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The knobs of one server, from the table generated from the catalogue. */
public final class KnobTable {
    private final Map<String, Knob> known = new LinkedHashMap<>();
    private final Map<String, String> absent = new LinkedHashMap<>();

    private KnobTable() {}

    /** The table of a server, such as {@code tomcat}. */
    public static KnobTable of(String server) {
        KnobTable table = new KnobTable();
        lines().stream().filter(cells -> cells[0].equals(server)).forEach(table::add);
        return table;
    }

    /** The servers that there are tables of: {@code tomcat}. */
    public static List<String> servers() {
        return lines().stream().map(cells -> cells[0]).distinct().collect(Collectors.toList());
    }

    /** Their titles in words: {@code Tomcat, Jetty or Undertow}. */
    static String titles() {
        List<String> all = servers().stream()
                .map(s -> Character.toUpperCase(s.charAt(0)) + s.substring(1))
                .collect(Collectors.toList());
        int end = all.size() - 1;
        return String.join(", ", all.subList(0, end)) + " or " + all.get(end);
    }

    private static List<String[]> lines() {
        try (InputStream in = KnobTable.class.getResourceAsStream("knobs.tsv")) {
            if (in == null) {
                throw new IllegalStateException("knobs.tsv is missing from the class path");
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String... cells) {
        if (cells[2].equals("-")) {
            absent.put(cells[1], cells[3]);
        } else {
            known.put(cells[1], new Knob(cells));
        }
    }

    /** The knobs that the server has, in the catalogue's order. */
    public Collection<Knob> all() {
        return Collections.unmodifiableCollection(known.values());
    }

    /** A knob that the server has. */
    public Optional<Knob> find(String name) {
        return Optional.ofNullable(known.get(name));
    }

    /** Names of those that take a new value while the server runs. */
    Set<String> live(Predicate<Knob> there) {
        return known.values().stream()
                .filter(k -> k.live() && there.test(k))
                .map(Knob::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What to do instead of a knob that the server does not have; empty for one that no server has. */
    public Optional<String> instead(String name) {
        return Optional.ofNullable(absent.get(name));
    }

    /**
     * Reads every knob of the objects that exist. All others are null: the server has them, but they are not in effect.
     *
     * @param holders the server's objects, by the catalogue's names
     */
    Map<String, @Nullable Object> read(Map<String, Object> holders) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Knob knob : known.values()) {
            Object own = Beans.get(holders.get(knob.holder()), knob.property());
            values.put(knob.name(), own == null ? null : knob.common(own));
        }
        return values;
    }
}
