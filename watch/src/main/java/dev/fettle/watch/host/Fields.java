package dev.fettle.watch.host;

import java.util.HashMap;
import java.util.Map;

/** Parses the kernel's files of names and numbers. */
final class Fields {
    private Fields() {}

    /** Lines {@code name: number unit}; others are left out. */
    static Map<String, Long> colon(String text) {
        return read(text, ":");
    }

    /** Lines {@code name number}; others are left out. */
    static Map<String, Long> space(String text) {
        return read(text, " ");
    }

    private static Map<String, Long> read(String text, String separator) {
        var all = new HashMap<String, Long>();
        text.lines().forEach(line -> {
            int at = line.indexOf(separator);
            if (at > 0) {
                String value = line.substring(at + 1).trim().split("[ \t]+")[0];
                if (value.matches("[0-9]{1,18}")) {
                    all.put(line.substring(0, at), Long.valueOf(value));
                }
            }
        });
        return all;
    }
}
