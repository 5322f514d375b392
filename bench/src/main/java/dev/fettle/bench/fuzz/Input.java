package dev.fettle.bench.fuzz;

import java.nio.charset.StandardCharsets;

/**
 * A stream to be parsed.
 *
 * @param head whether the responses answer HEAD requests
 */
record Input(byte[] bytes, boolean head) {

    /** As text, one character per byte. */
    String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** As the content of a Java string literal. */
    String escaped() {
        StringBuilder out = new StringBuilder(head ? "(to HEAD) \"" : "\"");
        for (char c : text().toCharArray()) {
            switch (c) {
                case '\r' -> out.append("\\r");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (c >= ' ' && c < 127) {
                        out.append(c);
                    } else {
                        out.append(String.format("\\u%04x", (int) c));
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
