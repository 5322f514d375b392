package dev.fettle.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one JSON text in linear time: maps, lists, strings, doubles, booleans and null. Nested at most 200 deep. */
final class Json {
    private static final int DEEPEST = 200;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /**
     * The object that a text holds.
     *
     * @throws IllegalArgumentException with the offset of what is wrong
     */
    static Map<String, @Nullable Object> object(String text) {
        var json = new Json(text);
        Object value = json.value();
        json.blank();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("not a JSON object");
        }
        return asObject(value);
    }

    /** A value as an object; without any member if it is none. */
    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> asObject(@Nullable Object value) {
        return value instanceof Map<?, ?> m ? (Map<String, @Nullable Object>) m : Map.of();
    }

    /** The objects in a value that is a list of them; none if it is no list. */
    static List<Map<String, @Nullable Object>> objects(@Nullable Object value) {
        var all = new ArrayList<Map<String, @Nullable Object>>();
        if (value instanceof List<?> l) {
            for (Object element : l) {
                if (element instanceof Map) {
                    all.add(asObject(element));
                }
            }
        }
        return all;
    }

    /** The texts in a value that is a list of them; none if it is no list. */
    static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> l
                ? l.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }

    /** A value as a text; empty if it is none. */
    static Optional<String> asText(@Nullable Object value) {
        return value instanceof String s ? Optional.of(s) : Optional.empty();
    }

    /** A value as a number; NaN if it is none. */
    static double number(@Nullable Object value) {
        return value instanceof Double d ? d : Double.NaN;
    }

    private @Nullable Object value() {
        blank();
        char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '{' -> nested('}');
            case '[' -> nested(']');
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Object nested(char end) {
        if (++depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels");
        }
        at++;
        var map = new LinkedHashMap<String, @Nullable Object>();
        var list = new ArrayList<@Nullable Object>();
        blank();
        if (!takes(end)) {
            do {
                if (end == '}') {
                    blank();
                    String key = string();
                    blank();
                    expect(':');
                    map.put(key, value());
                } else {
                    list.add(value());
                }
                blank();
            } while (takes(','));
            expect(end);
        }
        depth--;
        return end == '}' ? Collections.unmodifiableMap(map) : Collections.unmodifiableList(list);
    }

    private String string() {
        expect('"');
        var all = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return all.toString();
            }
            all.append(c == '\\' ? escaped() : c);
        }
        throw wrong("a closing quote");
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw wrong("an escape");
        };
    }

    private char unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
            if (digit < 0) {
                throw wrong("four hexadecimal digits");
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private Double number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return Double.valueOf(text.substring(begin, at));
        } catch (NumberFormatException e) {
            at = begin;
            throw wrong("a value");
        }
    }

    private void blank() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean takes(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) {
        if (!takes(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("not JSON: " + expected + " expected at offset " + at);
    }
}
