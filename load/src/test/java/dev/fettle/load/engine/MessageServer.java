package dev.fettle.load.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A WebSocket server that says what a script says, byte for byte, and holds its clients against the rules for them. */
final class MessageServer extends SocketServer {

    /** What to do with a message. */
    interface Script {
        /** @param number of the message over all connections, from 1 */
        void answer(int number, byte[] message, Peer peer) throws IOException, InterruptedException;
    }

    /** Sends each message back. */
    static final Script ECHO = (number, message, peer) -> peer.write(frame(peer.opcode, message));

    private final UnaryOperator<String> opening;
    private final Script script;
    private final AtomicInteger messages = new AtomicInteger();
    private final Set<Integer> masks = ConcurrentHashMap.newKeySet();
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final Set<Integer> goodbyes = ConcurrentHashMap.newKeySet();
    private final List<String> pongs = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile String head = "";

    MessageServer(Script script) throws IOException {
        this(MessageServer::agree, script);
    }

    /** @param opening what is said to a key */
    MessageServer(UnaryOperator<String> opening, Script script) throws IOException {
        super(listener(100));
        this.opening = opening;
        this.script = script;
        start();
    }

    /** The answer that opens a WebSocket. */
    static String agree(String key) {
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + accept(key) + "\r\n\r\n";
    }

    static String accept(String key) {
        try {
            byte[] bytes = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] text(String message) {
        return frame(1, message.getBytes(UTF_8));
    }

    /** A whole message, or control frame. */
    static byte[] frame(int opcode, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(10 + payload.length).put((byte) (0x80 | opcode));
        if (payload.length < 126) {
            out.put((byte) payload.length);
        } else if (payload.length < 1 << 16) {
            out.put((byte) 126).putShort((short) payload.length);
        } else {
            out.put((byte) 127).putLong(payload.length);
        }
        byte[] bytes = new byte[out.put(payload).position()];
        out.get(0, bytes);
        return bytes;
    }

    int messages() {
        return messages.get();
    }

    /** Of the messages. */
    Set<Integer> masks() {
        return masks;
    }

    Set<String> keys() {
        return keys;
    }

    /** The head of the last opening. */
    String head() {
        return head;
    }

    /** The codes with which clients closed. */
    Set<Integer> goodbyes() {
        return goodbyes;
    }

    List<String> pongs() {
        return pongs;
    }

    /** What clients did that they may not. */
    List<String> faults() {
        return faults;
    }

    @Override
    void serve(Socket socket) throws IOException, InterruptedException {
        Peer peer = new Peer(socket);
        String key = peer.readKey();
        keys.add(key);
        peer.write(opening.apply(key).getBytes(ISO_8859_1));
        while (true) {
            peer.read();
        }
    }

    /** The server's side of one connection. */
    final class Peer {
        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;
        private int opcode;

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 * 1024));
            this.out = socket.getOutputStream();
        }

        private String readKey() throws IOException {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            while (!read.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                read.write(in.readByte());
            }
            String mine = read.toString(ISO_8859_1);
            head = mine; // another connection may write its own there at any moment
            return mine.lines()
                    .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                    .findFirst()
                    .orElseThrow()
                    .substring("Sec-WebSocket-Key: ".length());
        }

        private void read() throws IOException, InterruptedException {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            opcode = first & 0x0f;
            int length = second & 0x7f;
            if ((first & 0xf0) != 0x80 || second < 0x80) {
                faults.add("bytes " + first + ", " + second);
            }
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = Math.toIntExact(in.readLong());
            }
            int mask = in.readInt();
            byte[] payload = in.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= (byte) (mask >> 24 - i % 4 * 8);
            }
            switch (opcode) {
                case 1, 2 -> {
                    if (masks.size() < 1000) {
                        masks.add(mask);
                    }
                    script.answer(messages.incrementAndGet(), payload, this);
                }
                case 8 -> goodbyes.add(length < 2 ? 1005 : (payload[0] & 0xff) << 8 | payload[1] & 0xff);
                case 10 -> pongs.add(new String(payload, ISO_8859_1));
                default -> faults.add("opcode " + opcode);
            }
        }

        /** Of the message under way. */
        int opcode() {
            return opcode;
        }

        void write(byte... bytes) throws IOException {
            out.write(bytes);
        }

        /** Byte by byte, each in its own segment. */
        void drip(byte... bytes) throws IOException {
            for (byte b : bytes) {
                out.write(b);
            }
        }

        /** Says nothing more, and keeps the connection. */
        void hang() throws InterruptedException {
            closing.await();
        }

        void closeInOrder() throws IOException {
            socket.close();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
