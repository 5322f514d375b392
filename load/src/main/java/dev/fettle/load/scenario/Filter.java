package dev.fettle.load.scenario;

import dev.fettle.load.bytes.ByteText;

/** How a template writes a value. */
enum Filter {
    /** Unchanged. */
    RAW,
    /** Everything but the unreserved characters of RFC 3986 as {@code %XX}. */
    URL,
    /** As the inside of a JSON string (RFC 8259, section 7). */
    JSON,
    /** The part of a URL after the host: a path, with its query. */
    PATH;

    private static final String HEX = "0123456789ABCDEF";

    void write(byte[] value, int length, ByteText out) {
        switch (this) {
            case RAW -> out.append(value, 0, length);
            case PATH -> {
                int start = pathStart(value, length);
                if (start == length) {
                    out.append('/');
                } else {
                    out.append(value, start, pathEnd(value, length));
                }
            }
            case URL -> {
                for (int i = 0; i < length; i++) {
                    url(value[i], out);
                }
            }
            case JSON -> {
                for (int i = 0; i < length; i++) {
                    json(value[i], out);
                }
            }
        }
    }

    private static void url(byte b, ByteText out) {
        if (isUnreserved(b)) {
            out.append(b);
        } else {
            out.append('%');
            out.append(HEX.charAt(b >> 4 & 15));
            out.append(HEX.charAt(b & 15));
        }
    }

    private static boolean isUnreserved(byte b) {
        return b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b >= '0' && b <= '9'
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }

    private static void json(byte b, ByteText out) {
        switch (b) {
            case '"', '\\' -> {
                out.append('\\');
                out.append(b);
            }
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (b >= 0 && b < ' ') {
                    out.append("\\u00");
                    out.append(HEX.charAt(b >> 4));
                    out.append(HEX.charAt(b & 15));
                } else {
                    out.append(b);
                }
            }
        }
    }

    /** Where the path begins: after {@code scheme://host}, at the length if nothing follows that. */
    static int pathStart(byte[] value, int length) {
        for (int i = 0; i + 2 < length && value[i] != '/' && value[i] != '?' && value[i] != '#'; i++) {
            if (value[i] == ':' && value[i + 1] == '/' && value[i + 2] == '/') {
                int at = i + 3;
                while (at < length && value[at] != '/' && value[at] != '?' && value[at] != '#') {
                    at++;
                }
                return at < length && value[at] == '/' ? at : length;
            }
        }
        return 0;
    }

    private static int pathEnd(byte[] value, int length) {
        for (int i = 0; i < length; i++) {
            if (value[i] == '#') {
                return i;
            }
        }
        return length;
    }
}
