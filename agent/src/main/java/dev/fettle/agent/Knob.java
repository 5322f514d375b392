package dev.fettle.agent;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A knob on one server: one line of the table generated from the catalogue. */
public final class Knob {
    /** How values are written; durations are whole milliseconds, sizes bytes or {@code 64k}, {@code 2m}. */
    public enum Type {
        INT,
        BOOL,
        DURATION,
        SIZE,
        ENUM,
        TEXT
    }

    private final String name;
    private final Type type;
    private final long min;
    private final long least;
    private final long max;
    private final String set;
    private final boolean live;
    private final Map<String, String> words;
    private final Map<String, String> without;
    private final boolean unread;

    Knob(String... cells) {
        this.name = cells[1];
        this.type = Type.valueOf(cells[2].toUpperCase(Locale.ROOT));
        this.min = Long.parseLong(cells[3]);
        this.least = Long.parseLong(cells[4]);
        this.max = Long.parseLong(cells[5]);
        this.set = cells[6];
        this.live = cell(7, cells).equals("live");
        this.words = pairs(cell(8, cells));
        this.without = pairs(cell(9, cells));
        this.unread = !cell(10, cells).isEmpty();
    }

    private static String cell(int index, String... cells) {
        return index < cells.length ? cells[index] : "";
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return Collections.unmodifiableMap(pairs);
    }

    /** Common name. */
    public String name() {
        return name;
    }

    /** How values are written. */
    public Type type() {
        return type;
    }

    /** Smallest number; -1 if that means no limit. */
    public long min() {
        return min;
    }

    /** Smallest amount, without the special value -1. */
    public long least() {
        return least;
    }

    /** Largest number. */
    public long max() {
        return max;
    }

    /** The object of the server's API that has the knob; {@code code} if code sets it. */
    public String holder() {
        return set.substring(0, set.indexOf('.'));
    }

    /** The object's property. */
    public String property() {
        return set.substring(set.indexOf('.') + 1);
    }

    /** Whether the server accepts a new value while it runs. */
    public boolean live() {
        return live;
    }

    /** Knobs that, at these values, leave this one without effect. */
    public Map<String, String> without() {
        return without;
    }

    /** Whether the server can't tell its value. */
    public boolean unread() {
        return unread;
    }

    /** The server's own name for a value. */
    public String own(Object value) {
        return words.getOrDefault(String.valueOf(value), String.valueOf(value));
    }

    /** The common value for the server's: a number, a boolean, a text. */
    public Object common(Object own) {
        if (own instanceof Number || own instanceof Boolean) {
            return own;
        }
        String text = String.valueOf(own);
        String common = words.entrySet().stream()
                .filter(e -> e.getValue().equals(text))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(text);
        return type == Type.BOOL ? (Object) Boolean.valueOf(common) : common;
    }
}
