package dev.fettle.agent;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, iterables, strings, numbers, booleans and null as JSON on one line. */
public final class Json {
    private Json() {}

    /** The value on one line. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder(256);
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map) {
            out.append('{');
            Iterator<? extends Map.Entry<?, ?>> entries =
                    ((Map<?, ?>) value).entrySet().iterator();
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                quote(out, String.valueOf(entry.getKey()));
                out.append(':');
                append(out, entry.getValue());
                out.append(entries.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (value instanceof Iterable) {
            out.append('[');
            Iterator<?> items = ((Iterable<?>) value).iterator();
            while (items.hasNext()) {
                append(out, items.next());
                out.append(items.hasNext() ? "," : "");
            }
            out.append(']');
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            out.append(value);
        } else {
            quote(out, String.valueOf(value));
        }
    }

    private static boolean isFinite(Object value) {
        return value instanceof Number && Double.isFinite(((Number) value).doubleValue());
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
