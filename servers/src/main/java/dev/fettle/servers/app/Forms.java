package dev.fettle.servers.app;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what browsers send: form fields, query parameters and cookies. */
public final class Forms {
    private Forms() {}

    /**
     * The fields of an application/x-www-form-urlencoded text; the last one of a repeated field. Bad escapes are
     * dropped.
     */
    public static Map<String, String> parse(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : text.split("&", 100)) {
            int equals = pair.indexOf('=');
            try {
                String name = URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), StandardCharsets.UTF_8);
                fields.put(
                        name, equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                continue;
            }
        }
        return fields;
    }

    /** The value of a named cookie in a Cookie header. */
    static @Nullable public String cookie(@Nullable String header, String name) {
        if (header == null) {
            return null;
        }
        for (String pair : header.split(";", 50)) {
            String cookie = pair.strip();
            if (cookie.startsWith(name) && cookie.startsWith("=", name.length())) {
                return cookie.substring(name.length() + 1);
            }
        }
        return null;
    }

    /** Escapes text for use in HTML. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
