package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fettle.load.http2.Http2Frame;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that speaks HTTP/2 in the clear as a script says, frame by frame. */
final class FrameServer extends SocketServer {

    /** {@code :status: 200}. */
    static final byte[] STATUS_200 = {(byte) 0x88};

    static final byte[] HELLO = "hello".getBytes(ISO_8859_1);

    /** What to do with a request. */
    interface Script {
        /** @param number of the request over all connections, from 1 */
        void answer(int number, int stream, Peer peer) throws IOException;
    }

    private final byte[] greeting;
    private final Script script;
    private final AtomicInteger requests = new AtomicInteger();
    private final Set<Integer> goodbyes = ConcurrentHashMap.newKeySet();
    private final Set<Integer> resets = ConcurrentHashMap.newKeySet();
    private final Queue<String> objections = new ConcurrentLinkedQueue<>();

    FrameServer(Script script) throws IOException {
        this(frame(Http2Frame.SETTINGS, 0, 0), script);
    }

    /** @param greeting the first bytes on each connection */
    FrameServer(byte[] greeting, Script script) throws IOException {
        super(listener(100));
        this.greeting = greeting;
        this.script = script;
        start();
    }

    int requests() {
        return requests.get();
    }

    /** The codes with which clients ended connections. */
    Set<Integer> goodbyes() {
        return goodbyes;
    }

    /** The codes with which clients ended streams. */
    Set<Integer> resets() {
        return resets;
    }

    /** What a strict server would have ended connections for. */
    Queue<String> objections() {
        return objections;
    }

    @Override
    void serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(Http2Frame.PREFACE.length);
        Peer peer = new Peer(socket, in);
        peer.write(greeting);
        FrameOrder order = new FrameOrder();
        while (true) {
            int lengthAndType = in.readInt();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            order.objection(lengthAndType & 0xff, flags, stream).ifPresent(objections::add);
            switch (lengthAndType & 0xff) {
                case Http2Frame.HEADERS -> {
                    peer.block = payload;
                    script.answer(requests.incrementAndGet(), stream, peer);
                }
                case Http2Frame.GOAWAY -> goodbyes.add((int) payload[7]);
                case Http2Frame.RST_STREAM -> {
                    resets.add((int) payload[3]);
                    peer.cancelled.add(stream);
                }
                case Http2Frame.PING -> peer.pongs += flags & Http2Frame.ACK;
                default -> {}
            }
        }
    }

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int length = payload.length;
        out.writeBytes(
                new byte[] {(byte) (length >> 16), (byte) (length >> 8), (byte) length, (byte) type, (byte) flags});
        out.writeBytes(new byte[] {(byte) (stream >> 24), (byte) (stream >> 16), (byte) (stream >> 8), (byte) stream});
        out.writeBytes(payload);
        return out.toByteArray();
    }

    static byte[] setting(int which, int value) {
        return frame(
                Http2Frame.SETTINGS,
                0,
                0,
                (byte) 0,
                (byte) which,
                (byte) (value >> 24),
                (byte) (value >> 16),
                (byte) (value >> 8),
                (byte) value);
    }

    /** The server's side of one connection. */
    static final class Peer {
        private final Socket socket;
        private final OutputStream out;
        private final DataInputStream in;
        int pongs;
        /** The header block of the request under way. */
        byte[] block = {};
        /** The streams that the client has ended. */
        final Set<Integer> cancelled = new HashSet<>();

        private Peer(Socket socket, DataInputStream in) throws IOException {
            this.socket = socket;
            this.in = in;
            this.out = socket.getOutputStream();
        }

        void write(byte[] bytes) throws IOException {
            out.write(bytes);
        }

        void frame(int type, int flags, int stream, byte... payload) throws IOException {
            out.write(FrameServer.frame(type, flags, stream, payload));
        }

        void head(int stream) throws IOException {
            frame(Http2Frame.HEADERS, Http2Frame.END_HEADERS, stream, STATUS_200);
        }

        void ok(int stream) throws IOException {
            head(stream);
            frame(Http2Frame.DATA, Http2Frame.END_STREAM, stream, HELLO);
        }

        /** Whether the client has said something that was not yet read. */
        boolean hasMore() throws IOException {
            return in.available() > 0;
        }

        void close() throws IOException {
            socket.close();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
