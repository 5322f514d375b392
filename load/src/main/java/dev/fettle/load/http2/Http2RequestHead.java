package dev.fettle.load.http2;

import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Says a request which is there in HTTP/1.1 as a header block; RFC 9113, 8.3 and RFC 7541, 6.2.2. Fields are sent as literals
 * each time, without Huffman code; those which belong to an HTTP/1.1 connection are left out.
 */
final class Http2RequestHead {

    private static final byte[] AUTHORITY = {0x01};
    private static final byte[] METHOD = {0x02};
    private static final byte[] PATH = {0x04};
    private static final byte[] HTTP = {(byte) 0x86};
    private static final byte[] HTTPS = {(byte) 0x87};
    private static final List<String> OF_THE_CONNECTION =
            List.of("host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

    private final byte[] scheme;
    private ByteBuffer block = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    /** @param secure whether over TLS */
    Http2RequestHead(boolean secure) {
        scheme = secure ? HTTPS : HTTP;
    }

    /** The block of the request at the buffer's position, which moves to the request's body. Good until the next call. */
    ByteBuffer of(ByteBuffer request) {
        int from = request.position();
        int to = request.limit();
        // each line grows by 3 bytes of lengths at most twice, and loses its 4 bytes of colon, blank and line end
        if (block.capacity() < 2 * (to - from)) {
            block = ByteBuffer.allocate(2 * (to - from)).order(ByteOrder.LITTLE_ENDIAN);
        }
        block.clear();
        int methodTo = find(request, from, ' ');
        int pathTo = find(request, methodTo + 1, ' ');
        int lineTo = find(request, pathTo + 1, '\n') + 1;
        literal(METHOD, request, from, methodTo);
        block.put(scheme);
        host(request, lineTo);
        literal(PATH, request, methodTo + 1, pathTo);
        int body = fields(request, lineTo);
        request.position(body);
        return block.flip();
    }

    private void host(ByteBuffer request, int from) {
        for (int line = from; request.get(line) != '\r'; line = find(request, line, '\n') + 1) {
            int colon = find(request, line, ':');
            if (Scan.equalsIgnoreCase(request, line, colon, "host")) {
                int end = find(request, line, '\r');
                literal(AUTHORITY, request, Scan.skipBlanks(request, colon + 1, end), end);
                return;
            }
        }
    }

    /** The fields of the request's head; returns where that ends. */
    private int fields(ByteBuffer request, int from) {
        int line = from;
        while (request.get(line) != '\r') {
            int colon = find(request, line, ':');
            int end = find(request, line, '\r');
            if (!isOfTheConnection(request, line, colon)) {
                block.put((byte) 0);
                length(colon - line);
                for (int i = line; i < colon; i++) {
                    byte b = request.get(i);
                    block.put(b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b);
                }
                text(request, Scan.skipBlanks(request, colon + 1, end), end);
            }
            line = end + 2;
        }
        return line + 2;
    }

    private static boolean isOfTheConnection(ByteBuffer request, int from, int to) {
        for (int i = 0; i < OF_THE_CONNECTION.size(); i++) {
            if (Scan.equalsIgnoreCase(request, from, to, OF_THE_CONNECTION.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static int find(ByteBuffer request, int from, char wanted) {
        int at = from;
        while (request.get(at) != wanted) {
            at++;
        }
        return at;
    }

    private void literal(byte[] name, ByteBuffer request, int from, int to) {
        block.put(name);
        text(request, from, to);
    }

    private void text(ByteBuffer request, int from, int to) {
        length(to - from);
        block.put(block.position(), request, from, to - from).position(block.position() + to - from);
    }

    private void length(int length) {
        if (length < 0x7f) {
            block.put((byte) length);
            return;
        }
        block.put((byte) 0x7f);
        int rest = length - 0x7f;
        for (; rest >= 0x80; rest >>= 7) {
            block.put((byte) (rest | 0x80));
        }
        block.put((byte) rest);
    }
}
