package dev.fettle.load.http1;

import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;

/** Guesses for a message which protocol a server speaks instead of HTTP/1.x, from its first bytes, however few. */
final class ForeignProtocol {

    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int HTTP2_SETTINGS = 4;
    private static final int HTTP2_GOAWAY = 7;
    private static final int HTTP2_FRAME_HEAD = 9;

    private ForeignProtocol() {}

    /** The first bytes in quotes, followed by a guess in brackets if they look familiar. */
    static String describe(ByteBuffer bytes, int from, int to) {
        String guess = guess(bytes, from, to);
        return Scan.excerpt(bytes, from, to) + (guess.isEmpty() ? "" : " (" + guess + ")");
    }

    private static String guess(ByteBuffer bytes, int from, int to) {
        if (from == to) {
            return "an empty line";
        }
        int first = bytes.get(from);
        if (first == TLS_ALERT || first == TLS_HANDSHAKE) {
            return "TLS: does the port want https?";
        }
        if (isHttp2Frame(bytes, from, to)
                || starts(bytes, from, to, "pri * http/2")
                || starts(bytes, from, to, "http/2")) {
            return "HTTP/2, which the port seems to speak without being asked";
        }
        if (starts(bytes, from, to, "ssh-")) {
            return "an SSH server";
        }
        if (starts(bytes, from, to, "220 ") || starts(bytes, from, to, "220-")) {
            return "the greeting of an FTP or mail server";
        }
        if (starts(bytes, from, to, "icy ")) {
            return "a SHOUTcast stream";
        }
        return first == '<' ? "a body without a head, as in HTTP/0.9" : "";
    }

    private static boolean isHttp2Frame(ByteBuffer bytes, int from, int to) {
        if (to - from < HTTP2_FRAME_HEAD) {
            return false;
        }
        int type = bytes.get(from + 3);
        boolean onConnection = bytes.getInt(from + 5) == 0;
        return bytes.get(from) == 0 && onConnection && (type == HTTP2_SETTINGS || type == HTTP2_GOAWAY);
    }

    private static boolean starts(ByteBuffer bytes, int from, int to, String lower) {
        return to - from >= lower.length() && Scan.equalsIgnoreCase(bytes, from, from + lower.length(), lower);
    }
}
