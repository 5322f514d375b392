package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.websocket.WebSocketCode;
import dev.fettle.load.websocket.WebSocketReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A way in which a server's frames are wrong, told as bytes.
 *
 * @param kind what a message that is answered so fails by
 * @param code what the server is told
 * @param says part of what the user is told
 */
record FrameFault(String name, ErrorKind kind, int code, String says, byte[] bytes) {

    private static final String HELLO = "68656c6c6f";

    /** All of them. */
    static Stream<FrameFault> all() {
        return Stream.of(frames(), lengths(), texts(), closes()).flatMap(some -> some);
    }

    private static Stream<FrameFault> frames() {
        return Stream.of(
                bad("masked", "a masked payload", "8185" + "00000000" + HELLO),
                bad("compressed", "reserved bits set (0xc1)", "c105" + HELLO),
                bad("second reserved bit", "reserved bits set (0xa1)", "a105" + HELLO),
                bad("third reserved bit", "reserved bits set (0x91)", "9105" + HELLO),
                bad("opcode 3", "the unknown opcode 3", "8305" + HELLO),
                bad("opcode 11", "the unknown opcode 11", "8b00"),
                bad("opcode 15", "the unknown opcode 15", "8f00"),
                bad("nothing continued", "a continuation of no message", "8005" + HELLO),
                bad(
                        "a message in a message",
                        "a new message within a fragmented one",
                        "0102" + "6865" + "8103" + "6c6c6f"),
                bad("a fragment of a Ping", "a fragment of opcode 9", "0900"),
                bad("a fragment of a Close", "a fragment of opcode 8", "0802" + "03e8"),
                bad("HTTP", "reserved bits set (0x48)", HexFormat.of().formatHex("HTTP/1.1 400".getBytes(ISO_8859_1))));
    }

    private static Stream<FrameFault> lengths() {
        return Stream.of(
                bad("a long Ping", "more than 125 bytes in opcode 9", "897e007e" + "00".repeat(126)),
                bad("a long Close", "more than 125 bytes in opcode 8", "887e007e" + "00".repeat(126)),
                bad("5 in 16 bits", "a length of 5 in more bytes", "817e0005" + HELLO),
                bad("125 in 16 bits", "a length of 125 in more bytes", "817e007d"),
                bad("5 in 64 bits", "a length of 5 in more bytes", "817f" + "0000000000000005" + HELLO),
                bad("65535 in 64 bits", "a length of 65535 in more bytes", "817f" + "000000000000ffff"),
                bad("64 bits", "a length beyond 63 bits", "827f" + "8000000000000000"),
                new FrameFault(
                        "more than a gibibyte",
                        ErrorKind.MALFORMED,
                        1009,
                        "a message of 0 and 1073741825 more bytes",
                        hex("827f" + "0000000040000001")),
                new FrameFault(
                        "more than a gibibyte in all",
                        ErrorKind.MALFORMED,
                        1009,
                        "a message of 5 and 1073741820 more bytes",
                        hex("0205" + HELLO + "807f" + "000000003ffffffc")));
    }

    private static Stream<FrameFault> texts() {
        return Stream.of(
                noText("no UTF-8", "a text message that is not UTF-8", "8101ff"),
                noText("overlong", "a text message that is not UTF-8", "8102c080"),
                noText("a surrogate", "a text message that is not UTF-8", "8103eda080"),
                noText("beyond Unicode", "a text message that is not UTF-8", "8104f4908080"),
                noText("wrong in a fragment", "a text message that is not UTF-8", "0101c3" + "800128"),
                noText("half a character", "ends within a character", "8101c3"),
                noText("half a character in fragments", "ends within a character", "0101e2" + "800182"));
    }

    private static Stream<FrameFault> closes() {
        return Stream.of(
                bad("half a code", "half a code", "880103"),
                bad("code 0", "the code 0 to close with", "88020000"),
                bad("code 999", "the code 999 to close with", "880203e7"),
                bad("code 1004", "the code 1004 to close with", "880203ec"),
                bad("code 1005", "the code 1005 to close with", "880203ed"),
                bad("code 1006", "the code 1006 to close with", "880203ee"),
                bad("code 1015", "the code 1015 to close with", "880203f7"),
                bad("code 2999", "the code 2999 to close with", "88020bb7"),
                bad("code 5000", "the code 5000 to close with", "88021388"),
                noText("a reason that is no text", "the reason to close that is not UTF-8", "880303e8ff"),
                closed("without a code", 1005, "the server closed the WebSocket: no code", "8800"),
                closed("in order", 1000, "the server closed the WebSocket: 1000 (normal)", "880203e8"),
                closed("going away", 1001, "1001 (going away), 'bye'", "880503e9" + "627965"),
                closed("too big", 1009, "1009 (message too big)", "880203f1"),
                closed("in an answer", 1011, "1011 (internal error)", "0102" + "6865" + "880203f3"),
                closed("by the app", 4999, "the server closed the WebSocket: 4999", "88021387"));
    }

    private static FrameFault bad(String name, String says, String hex) {
        return new FrameFault(name, ErrorKind.MALFORMED, 1002, says, hex(hex));
    }

    private static FrameFault noText(String name, String says, String hex) {
        return new FrameFault(name, ErrorKind.MALFORMED, 1007, says, hex(hex));
    }

    private static FrameFault closed(String name, int code, String says, String hex) {
        return new FrameFault("closed " + name, ErrorKind.CLOSED_EARLY, code, says, hex(hex));
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    @Override
    public String toString() {
        return name;
    }

    /** What a reader says to some bytes. */
    static final class Heard implements WebSocketReader.Sink {
        private final WebSocketReader reader = new WebSocketReader(this);
        private final StringBuilder message = new StringBuilder();
        final List<String> all = new ArrayList<>();

        /** Reads the bytes in pieces of this size. */
        List<String> read(byte[] bytes, int size) throws ProtocolError {
            for (int from = 0; from < bytes.length; from += size) {
                int length = Math.min(size, bytes.length - from);
                reader.read(ByteBuffer.allocateDirect(length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(bytes, from, length)
                        .flip());
            }
            return all;
        }

        WebSocketReader reader() {
            return reader;
        }

        @Override
        public void begins() {
            message.setLength(0);
        }

        @Override
        public void data(ByteBuffer b, int from, int to) {
            byte[] bytes = new byte[to - from];
            b.get(from, bytes);
            message.append(new String(bytes, ISO_8859_1));
        }

        @Override
        public void complete() {
            all.add("message " + message);
        }

        @Override
        public void ping(ByteBuffer payload) {
            all.add("ping " + ISO_8859_1.decode(payload));
        }

        @Override
        public void closes(int code, String reason) throws ProtocolError {
            throw new ProtocolError(
                    code,
                    ErrorKind.CLOSED_EARLY,
                    "the server closed the WebSocket: " + WebSocketCode.describe(code)
                            + (reason.isEmpty() ? "" : ", '" + reason + "'"));
        }
    }
}
