package dev.fettle.load.http2;

import java.util.List;

/** Why a stream or a connection ends; RFC 9113, 7. */
public final class Http2Code {

    public static final int NO_ERROR = 0;
    public static final int PROTOCOL_ERROR = 1;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int STREAM_CLOSED = 5;
    static final int FRAME_SIZE_ERROR = 6;
    static final int CANCEL = 8;
    static final int COMPRESSION_ERROR = 9;
    static final int ENHANCE_YOUR_CALM = 11;

    private static final List<String> NAMES = List.of("""
            NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR
            REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM INADEQUATE_SECURITY
            HTTP_1_1_REQUIRED""".split("\\s+"));

    private Http2Code() {}

    /** The name in the standard, or the number. */
    static String name(int code) {
        return code >= 0 && code < NAMES.size() ? NAMES.get(code) : "error " + Integer.toUnsignedString(code);
    }
}
