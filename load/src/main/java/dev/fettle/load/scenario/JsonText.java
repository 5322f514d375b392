package dev.fettle.load.scenario;

import dev.fettle.load.bytes.ByteText;

/**
 * Finds one value in a JSON text (RFC 8259). Reads only what lies before and around the value, so it does not validate
 * the whole text. Searching allocates nothing.
 */
final class JsonText {

    static final int FOUND = 0;
    /** No such member or element, or null. */
    static final int ABSENT = 1;
    /** The part that was read is not JSON. */
    static final int BROKEN = 2;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private byte[] json = {};
    private int end;
    private int at;
    /** A member's name with its escapes resolved. */
    private final ByteText name = new ByteText();

    /** Finds the value in the first bytes of an array and copies it: a string's characters, anything else as it is written. */
    int find(JsonPath path, byte[] bytes, int length, ByteText out) {
        json = bytes;
        end = length;
        at = 0;
        for (int part = 0; part < path.depth(); part++) {
            int found = path.index(part) < 0 ? member(path.member(part)) : element(path.index(part));
            if (found != FOUND) {
                return found;
            }
        }
        return copy(out);
    }

    /** Moves from before an object to before a member's value. */
    private int member(byte[] wanted) {
        if (blank() != '{') {
            return notHere();
        }
        at++;
        if (blank() == '}') {
            return ABSENT;
        }
        while (true) {
            if (blank() != '"' || !string(name) || blank() != ':') {
                return BROKEN;
            }
            at++;
            if (name.equalTo(wanted, 0, wanted.length)) {
                return FOUND;
            }
            if (!skip()) {
                return BROKEN;
            }
            int next = blank();
            at++;
            if (next != ',') {
                return next == '}' ? ABSENT : BROKEN;
            }
        }
    }

    /** Moves from before an array to before an element. */
    private int element(int index) {
        if (blank() != '[') {
            return notHere();
        }
        at++;
        if (blank() == ']') {
            return ABSENT;
        }
        for (int i = 0; i < index; i++) {
            if (!skip()) {
                return BROKEN;
            }
            int next = blank();
            at++;
            if (next != ',') {
                return next == ']' ? ABSENT : BROKEN;
            }
        }
        return FOUND;
    }

    /**
     * What a missing object or array means: a value of another type makes the target absent; no value at all is broken
     * JSON.
     */
    private int notHere() {
        return skip() ? ABSENT : BROKEN;
    }

    private int copy(ByteText out) {
        if (blank() == '"') {
            return string(out) ? FOUND : BROKEN;
        }
        int start = at;
        if (!skip()) {
            return BROKEN;
        }
        out.copy(json, start, at);
        return out.equalTo(NULL, 0, NULL.length) ? ABSENT : FOUND;
    }

    /** Skips a value. Brackets are counted, not matched by kind. */
    private boolean skip() {
        int depth = 0;
        do {
            int c = blank();
            switch (c) {
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                case ',', ':' -> {
                    if (depth == 0) {
                        return false;
                    }
                    at++;
                }
                case '"' -> {
                    if (!string(name)) {
                        return false;
                    }
                }
                default -> {
                    if (c < 0 || !literal()) {
                        return false;
                    }
                }
            }
        } while (depth > 0);
        return depth == 0;
    }

    /** Skips a number, true, false or null. */
    private boolean literal() {
        int start = at;
        while (at < end && "{}[],:\" \t\r\n".indexOf(json[at]) < 0) {
            at++;
        }
        int first = json[start];
        return first == '-'
                || first >= '0' && first <= '9'
                || isWord(start, "true")
                || isWord(start, "false")
                || isWord(start, "null");
    }

    private boolean isWord(int start, String word) {
        if (at - start != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (json[start + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Skips a string, and copies it without quotes and escapes. */
    private boolean string(ByteText out) {
        out.clear();
        int from = ++at;
        while (at < end) {
            byte b = json[at];
            if (b == '"') {
                out.append(json, from, at++);
                return true;
            }
            if (b == '\\') {
                out.append(json, from, at);
                if (!escape(out)) {
                    return false;
                }
                from = at;
            } else {
                at++;
            }
        }
        return false;
    }

    private boolean escape(ByteText out) {
        if (at + 1 >= end) {
            return false;
        }
        int c = json[at + 1];
        at += 2;
        int plain = "\"\\/bfnrt".indexOf(c);
        if (plain >= 0) {
            out.append("\"\\/\b\f\n\r\t".charAt(plain));
            return true;
        }
        if (c != 'u') {
            return false;
        }
        int unit = hex4();
        if (Character.isHighSurrogate((char) unit) && at + 1 < end && json[at] == '\\' && json[at + 1] == 'u') {
            at += 2;
            int low = hex4();
            if (low >= 0 && Character.isLowSurrogate((char) low)) {
                utf8(Character.toCodePoint((char) unit, (char) low), out);
                return true;
            }
            return false;
        }
        if (unit >= 0) {
            utf8(Character.isSurrogate((char) unit) ? 0xFFFD : unit, out);
        }
        return unit >= 0;
    }

    private int hex4() {
        if (at + 4 > end) {
            return -1;
        }
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(json[at++], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    private static void utf8(int c, ByteText out) {
        if (c < 0x80) {
            out.append(c);
        } else if (c < 0x800) {
            out.append(0xC0 | c >> 6);
            out.append(0x80 | c & 0x3F);
        } else if (c < 0x10000) {
            out.append(0xE0 | c >> 12);
            out.append(0x80 | c >> 6 & 0x3F);
            out.append(0x80 | c & 0x3F);
        } else {
            out.append(0xF0 | c >> 18);
            out.append(0x80 | c >> 12 & 0x3F);
            out.append(0x80 | c >> 6 & 0x3F);
            out.append(0x80 | c & 0x3F);
        }
    }

    /** Skips white space; returns the next byte, -1 at the end. */
    private int blank() {
        while (at < end && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
        return at < end ? json[at] & 0xFF : -1;
    }
}
