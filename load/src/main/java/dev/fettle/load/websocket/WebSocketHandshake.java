package dev.fettle.load.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.http1.ResponseParser;
import dev.fettle.load.script.ResponseSink;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The opening of one WebSocket: its request, and whether the answer is right (RFC 6455, 4.1). */
public final class WebSocketHandshake implements ResponseSink {

    /** The server appends this to the key, which proves that it read it as a WebSocket's key (RFC 6455, 1.3). */
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int SWITCHING_PROTOCOLS = 101;

    private static final int MOST_JOINED = 1000;

    private final ResponseParser parser;
    private final byte[] request;
    private final List<String> offered;
    private final String accept;

    private boolean upgrade;
    private boolean connection;
    private @Nullable String accepted;
    private @Nullable String extensions;
    private @Nullable String subprotocol;

    /**
     * A handshake that has not begun.
     *
     * @param offered subprotocols
     * @param key of the request
     * @param budget for its answer
     */
    WebSocketHandshake(byte[] request, List<String> offered, String key, Budget budget) {
        this.parser = new ResponseParser(budget);
        this.request = request;
        this.offered = offered;
        this.accept = acceptOf(key);
        parser.beginUpgrade(this);
    }

    /** The value that the answer to a key must have. */
    public static String acceptOf(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder().encodeToString(sha1.digest((key + GUID).getBytes(ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** Releases what its answer needed. */
    void release() {
        parser.release();
    }

    /** The request as sent. */
    byte[] request() {
        return request;
    }

    /**
     * Reads received bytes.
     *
     * @return whether the answer is complete; bytes then left in the buffer are frames
     */
    boolean feed(ByteBuffer in) throws ProtocolError {
        int progress = parser.feed(in);
        if (progress == ResponseParser.BAD) {
            throw new ProtocolError(WebSocketCode.NONE, parser.problem());
        }
        // the rest of a refusal makes no difference
        return progress == ResponseParser.DONE || parser.status() >= 200;
    }

    /** Checks, when the answer is complete, that the server has agreed to the WebSocket; throws otherwise. */
    void check() throws ProtocolError {
        if (parser.status() != SWITCHING_PROTOCOLS) {
            throw new ProtocolError(
                    WebSocketCode.NONE,
                    ErrorKind.STATUS,
                    "status " + parser.status() + ", expected 101: the server opens no WebSocket there");
        }
        if (!upgrade) {
            throw wrong("no 'Upgrade: websocket'");
        }
        if (!connection) {
            throw wrong("no 'Connection: Upgrade'");
        }
        if (!accept.equals(accepted)) {
            throw wrong(
                    accepted == null
                            ? "no Sec-WebSocket-Accept"
                            : "a Sec-WebSocket-Accept which does not follow from the key: '" + accepted + "'");
        }
        if (extensions != null) {
            throw wrong("an extension which nobody offered: '" + extensions + "'");
        }
        if (subprotocol != null && !offered.contains(subprotocol)) {
            throw wrong("a subprotocol which nobody offered: '" + subprotocol + "'");
        }
    }

    private static ProtocolError wrong(String what) {
        return new ProtocolError(WebSocketCode.NONE, "a 101 with " + what);
    }

    /** Whether subprotocols were offered and the server selected none, which is allowed. */
    boolean lacksSubprotocol() {
        return subprotocol == null && !offered.isEmpty();
    }

    /** Status of the answer; 0 until it is there. */
    int status() {
        return parser.status();
    }

    /** How far the answer has come, for a message. */
    String progress() {
        return parser.progress();
    }

    @Override
    public void begin() {}

    @Override
    public boolean wantsHeaders() {
        return true;
    }

    @Override
    public void header(ByteBuffer b, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (parser.status() != SWITCHING_PROTOCOLS) {
            return;
        }
        if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "upgrade")) {
            upgrade |= Scan.equalsIgnoreCase(b, valueFrom, valueTo, "websocket");
        } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "connection")) {
            connection |= Arrays.stream(text(b, valueFrom, valueTo).split(","))
                    .anyMatch(token -> token.strip().equalsIgnoreCase("upgrade"));
        } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "sec-websocket-accept")) {
            accepted = joined(accepted, text(b, valueFrom, valueTo));
        } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "sec-websocket-extensions") && valueTo > valueFrom) {
            extensions = joined(extensions, text(b, valueFrom, valueTo));
        } else if (Scan.equalsIgnoreCase(b, nameFrom, nameTo, "sec-websocket-protocol")) {
            subprotocol = joined(subprotocol, text(b, valueFrom, valueTo));
        }
    }

    /** Joins repeated header values, so that neither counts alone. A few are enough for that. */
    private static String joined(@Nullable String first, String second) {
        if (first == null) {
            return second;
        }
        return first.length() > MOST_JOINED ? first : first + ", " + second;
    }

    private static String text(ByteBuffer b, int from, int to) {
        byte[] bytes = new byte[Math.min(to - from, 200)];
        b.get(from, bytes);
        return new String(bytes, ISO_8859_1);
    }

    @Override
    public void body(ByteBuffer b, int from, int to) {}
}
