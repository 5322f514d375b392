package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.http2.Http2Frame;
import dev.fettle.load.websocket.WebSocketFrame;
import dev.fettle.load.websocket.WebSocketHandshake;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The server's side of a {@link Rehearsal}: answers each request of a load that repeats one, as the load expects it. */
interface Responder {

    /** Serves one connection to its end. */
    void serve(Socket socket) throws IOException;

    /** The responder for a load's requests. */
    static Responder of(LoadSpec spec) {
        Expectation expect = spec.expect();
        int status = expect.statuses().stream().min(Integer::compare).orElse(200);
        byte[] body = spec.request().isHead() || status == 204 || status == 304 ? new byte[0] : body(expect);
        return switch (spec.wire().protocol()) {
            case HTTP_1_1 -> {
                int length =
                        Wiring.scripts(spec).script(0, new Budget(0)).request().remaining();
                yield socket -> pages(socket, length, spec.keepAlive(), page(status, body));
            }
            case HTTP_2 -> socket -> frames(socket, status, body);
            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> {
                boolean own = !expect.echo()
                        && (expect.bodyContains().isPresent()
                                || expect.bodyLength().isPresent());
                yield socket -> messages(socket, own ? body : null);
            }
        };
    }

    private static byte[] body(Expectation expect) {
        byte[] text = expect.bodyContains().orElse("ok").getBytes(UTF_8);
        int length = (int) Math.min(expect.bodyLength().orElse(text.length), 1 << 20);
        byte[] body = Arrays.copyOf(text, length);
        if (length > text.length) {
            Arrays.fill(body, text.length, length, (byte) ' ');
        }
        return body;
    }

    private static byte[] page(int status, byte[] body) {
        String length = status == 204 || status == 304 ? "" : "Content-Length: " + body.length + "\r\n";
        var page = new ByteArrayOutputStream();
        page.writeBytes(
                ("HTTP/1.1 " + status + " OK\r\nContent-Type: text/plain\r\n" + length + "\r\n").getBytes(ISO_8859_1));
        page.writeBytes(body);
        return page.toByteArray();
    }

    /** All requests have the same length, so only the number of bytes read matters. */
    private static void pages(Socket socket, int requestLength, boolean keepAlive, byte[] page) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        byte[] bytes = new byte[16 * 1024];
        long missing = requestLength;
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
            int answers = 0;
            for (missing -= n; missing <= 0; missing += requestLength) {
                answers++;
            }
            if (answers > 0) {
                out.write(answers == 1 ? page : repeated(page, answers));
                if (!keepAlive) {
                    return;
                }
            }
        }
    }

    private static byte[] repeated(byte[] page, int times) {
        byte[] all = new byte[page.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(page, 0, all, i * page.length, page.length);
        }
        return all;
    }

    private static void frames(Socket socket, int status, byte[] body) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        var out = new FrameOutput();
        byte[] block = {
            0x08, 3, (byte) ('0' + status / 100), (byte) ('0' + status / 10 % 10), (byte) ('0' + status % 10)
        };
        in.skipNBytes(Http2Frame.PREFACE.length);
        out.frame(Http2Frame.SETTINGS, 0, 0);
        while (true) {
            if (in.available() == 0) {
                socket.getOutputStream().write(out.take());
            }
            int lengthAndType = in.readInt();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            int length = lengthAndType >>> 8;
            in.skipNBytes(length);
            int type = lengthAndType & 0xff;
            if (type == Http2Frame.DATA && length > 0) {
                byte[] widened = {(byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length};
                out.frame(Http2Frame.WINDOW_UPDATE, 0, 0, widened);
                out.frame(Http2Frame.WINDOW_UPDATE, 0, stream, widened);
            }
            boolean request = type == Http2Frame.HEADERS || type == Http2Frame.DATA;
            if (request && (flags & Http2Frame.END_STREAM) != 0) {
                int end = body.length == 0 ? Http2Frame.END_STREAM : 0;
                out.frame(Http2Frame.HEADERS, Http2Frame.END_HEADERS | end, stream, block);
                for (int from = 0; from < body.length; from += 16_384) {
                    int to = Math.min(body.length, from + 16_384);
                    int last = to == body.length ? Http2Frame.END_STREAM : 0;
                    out.frame(Http2Frame.DATA, last, stream, Arrays.copyOfRange(body, from, to));
                }
            }
        }
    }

    /** HTTP/2 frames that are sent together. */
    final class FrameOutput {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        void frame(int type, int flags, int stream, byte... payload) {
            int length = payload.length;
            out.writeBytes(new byte[] {
                (byte) (length >> 16),
                (byte) (length >> 8),
                (byte) length,
                (byte) type,
                (byte) flags,
                (byte) (stream >> 24),
                (byte) (stream >> 16),
                (byte) (stream >> 8),
                (byte) stream
            });
            out.writeBytes(payload);
        }

        byte[] take() {
            byte[] all = out.toByteArray();
            out.reset();
            return all;
        }
    }

    /** @param answer what every message is answered with; null: each is sent back */
    private static void messages(Socket socket, byte @Nullable [] answer) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        OutputStream out = socket.getOutputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        int key = head.indexOf("Sec-WebSocket-Key: ") + "Sec-WebSocket-Key: ".length();
        out.write(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                + WebSocketHandshake.acceptOf(head.substring(key, key + 24)) + "\r\n\r\n")
                        .getBytes(ISO_8859_1));
        while (true) {
            int opcode = in.readUnsignedByte() & 0x0f;
            int length = in.readUnsignedByte() & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = Math.toIntExact(in.readLong());
            }
            byte[] mask = in.readNBytes(4);
            byte[] payload = in.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= mask[i & 3];
            }
            if (opcode == WebSocketFrame.CLOSE) {
                return;
            }
            out.write(message(opcode, answer == null ? payload : answer));
        }
    }

    private static byte[] message(int opcode, byte[] payload) {
        int length = payload.length;
        var out = new ByteArrayOutputStream(length + 10);
        out.write(0x80 | opcode);
        if (length < 126) {
            out.write(length);
        } else if (length < 1 << 16) {
            out.writeBytes(new byte[] {126, (byte) (length >> 8), (byte) length});
        } else {
            out.writeBytes(new byte[] {
                127, 0, 0, 0, 0, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
            });
        }
        out.writeBytes(payload);
        return out.toByteArray();
    }
}
