package dev.fettle.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A tiny WebSocket server: sends each message back, after {@code prefix}; up to 125 bytes in all. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final String prefix;

    /** Messages received. */
    final AtomicInteger messages = new AtomicInteger();

    /** The head of the last opening. */
    volatile String head = "";

    /** What the last message was: 1 text, 2 binary, and what it said. */
    volatile String last = "";

    private final int pauseMillis;
    private volatile CountDownLatch missing = new CountDownLatch(0);

    EchoServer(String prefix) throws IOException {
        this(prefix, 0);
    }

    /** One that takes its time for each message, so that few of them cost a CPU. */
    EchoServer(String prefix, int pauseMillis) throws IOException {
        this.prefix = prefix;
        this.pauseMillis = pauseMillis;
        Thread.ofVirtual().start(this::accept);
    }

    /** From now on no message is answered until so many more WebSockets are open. */
    void answersOnceOpen(int more) {
        missing = new CountDownLatch(more);
    }

    String url() {
        return "ws://127.0.0.1:" + listener.getLocalPort() + "/echo";
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            var read = new StringBuilder();
            while (read.indexOf("\r\n\r\n") < 0) {
                read.append((char) in.readByte());
            }
            String mine = read.toString();
            head = mine; // another connection may write its own there at any moment
            int key = mine.indexOf("Sec-WebSocket-Key: ") + "Sec-WebSocket-Key: ".length();
            socket.getOutputStream().write(agree(mine.substring(key, key + 24)).getBytes(ISO_8859_1));
            missing.countDown();
            while (message(in, socket)) {}
        } catch (IOException | GeneralSecurityException gone) {
            // ordinary here
        } finally {
            sockets.remove(socket);
        }
    }

    private static String agree(String key) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-1")
                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
        return "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: "
                + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n";
    }

    private boolean message(DataInputStream in, Socket socket) throws IOException {
        int opcode = in.readUnsignedByte() & 0x0f;
        int length = in.readUnsignedByte() & 0x7f;
        byte[] mask = in.readNBytes(4);
        byte[] payload = in.readNBytes(length);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i & 3];
        }
        if (opcode == 8) {
            return false;
        }
        try {
            missing.await();
            Thread.sleep(pauseMillis);
        } catch (InterruptedException e) {
            return false;
        }
        messages.incrementAndGet();
        last = opcode + " " + new String(payload, UTF_8);
        var out = new ByteArrayOutputStream();
        out.write(0x80 | opcode);
        out.write(prefix.length() + length);
        out.writeBytes(prefix.getBytes(UTF_8));
        out.writeBytes(payload);
        socket.getOutputStream().write(out.toByteArray());
        return true;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
