package dev.fettle.load.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.List;

/** Writes HTTP/2 frames; RFC 9113, 4 and 6. */
public final class Http2Frame {

    static final int HEADER = 9;
    /** The longest payload either side may send unless the other allows more; we never allow more. */
    static final int MAX_PAYLOAD = 16_384;

    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int PRIORITY = 2;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PUSH_PROMISE = 5;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;
    public static final int CONTINUATION = 9;

    public static final int ACK = 0x1;
    public static final int END_STREAM = 0x1;
    public static final int END_HEADERS = 0x4;
    public static final int PADDED = 0x8;
    public static final int PRIORITISED = 0x20;

    public static final int ENABLE_PUSH = 2;
    public static final int MAX_CONCURRENT_STREAMS = 3;
    public static final int INITIAL_WINDOW_SIZE = 4;
    public static final int MAX_FRAME_SIZE = 5;

    public static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

    private static final List<String> NAMES = List.of("""
            DATA HEADERS PRIORITY RST_STREAM SETTINGS PUSH_PROMISE PING GOAWAY WINDOW_UPDATE CONTINUATION""".split("\\s+"));

    private Http2Frame() {}

    /** The name of a frame type. */
    static String name(int type) {
        return type < NAMES.size() ? NAMES.get(type) : "type " + type;
    }

    /** Writes a frame's header. */
    static void header(ByteBuffer out, int length, int type, int flags, int stream) {
        out.put((byte) (length >> 16)).put((byte) (length >> 8)).put((byte) length);
        out.put((byte) type).put((byte) flags);
        putNumber(out, stream);
    }

    /** Writes four bytes in network order, whatever the buffer's order. */
    static void putNumber(ByteBuffer out, int number) {
        out.put((byte) (number >> 24))
                .put((byte) (number >> 16))
                .put((byte) (number >> 8))
                .put((byte) number);
    }

    /** Reads four bytes in network order. */
    static int number(ByteBuffer in, int at) {
        return in.get(at) << 24 | (in.get(at + 1) & 0xff) << 16 | (in.get(at + 2) & 0xff) << 8 | in.get(at + 3) & 0xff;
    }

    static void setting(ByteBuffer out, int which, int value) {
        out.put((byte) 0).put((byte) which);
        putNumber(out, value);
    }
}
