package dev.fettle.load.websocket;

/** Why a WebSocket is closed (RFC 6455, 7.4, and what the IANA has registered since). */
public final class WebSocketCode {

    static final int NORMAL = 1000;
    static final int PROTOCOL_ERROR = 1002;
    /** Never in a frame: stands for a Close frame without a code. */
    static final int NONE = 1005;

    static final int INVALID_PAYLOAD = 1007;
    static final int POLICY = 1008;
    static final int TOO_BIG = 1009;

    private static final int GOING_AWAY = 1001;
    private static final int RESTART = 1012;

    private static final String[] NAMES = {
        "normal",
        "going away",
        "protocol error",
        "unsupported data",
        "",
        "no code",
        "",
        "invalid payload",
        "policy violation",
        "message too big",
        "extension missing",
        "internal error",
        "service restart",
        "try again later",
        "bad gateway"
    };

    private WebSocketCode() {}

    /** Whether a Close frame may carry this code. */
    static boolean isValid(int code) {
        boolean ofTheProtocol =
                code >= NORMAL && code < NORMAL + NAMES.length && !name(code).isEmpty() && code != NONE;
        return ofTheProtocol || code >= 3000 && code <= 4999;
    }

    /** Whether a server that closes with this code has nothing to complain about. */
    static boolean isOrderly(int code) {
        return code == NORMAL || code == GOING_AWAY || code == NONE || code == RESTART;
    }

    /** The code, followed by its meaning in brackets. */
    public static String describe(int code) {
        String name = name(code);
        if (code == NONE) {
            return name;
        }
        return code + (name.isEmpty() ? "" : " (" + name + ")");
    }

    private static String name(int code) {
        int index = code - NORMAL;
        return index >= 0 && index < NAMES.length ? NAMES[index] : "";
    }
}
