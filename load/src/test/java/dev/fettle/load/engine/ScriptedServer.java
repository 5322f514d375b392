package dev.fettle.load.engine;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that does to each request what a script says, byte for byte. */
final class ScriptedServer extends SocketServer {

    /** A well-behaved answer. */
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    /** What to do with a request. */
    interface Script {
        /** @param number of the request over all connections, from 1 */
        void answer(int number, Peer peer) throws IOException, InterruptedException;
    }

    private final Script script;
    private final String greeting;
    private final AtomicInteger requests = new AtomicInteger();

    ScriptedServer(Script script) throws IOException {
        this(script, "");
    }

    /** @param greeting sent on each new connection, before any request */
    ScriptedServer(Script script, String greeting) throws IOException {
        this(script, greeting, listener(1024));
    }

    /** @param listener which may secure its connections */
    ScriptedServer(Script script, String greeting, ServerSocket listener) {
        super(listener);
        this.script = script;
        this.greeting = greeting;
        start();
    }

    int requests() {
        return requests.get();
    }

    @Override
    void serve(Socket socket) throws IOException, InterruptedException {
        Peer peer = new Peer(socket);
        peer.write(greeting);
        while (!socket.isClosed() && peer.readRequest()) {
            script.answer(requests.incrementAndGet(), peer);
        }
    }

    /** The server's side of one connection. */
    final class Peer {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private String head = "";

        private Peer(Socket socket) throws IOException {
            this.socket = socket;
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        private boolean readRequest() throws IOException {
            StringBuilder read = new StringBuilder();
            while (read.length() < 4 || !read.substring(read.length() - 4).equals("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return false;
                }
                read.append((char) b);
            }
            head = read.toString();
            return true;
        }

        String head() {
            return head;
        }

        void readBody(int length) throws IOException {
            in.skipNBytes(length);
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Byte by byte, each in its own segment. */
        void drip(String text) throws IOException {
            for (char c : text.toCharArray()) {
                out.write(c);
            }
        }

        /** Byte by byte with a pause after each, until the client has had enough. */
        void dripSlowly(String text) throws IOException, InterruptedException {
            for (int i = 0; i < text.length() && closing.getCount() > 0; i++) {
                out.write(text.charAt(i));
                closing.await(100, TimeUnit.MILLISECONDS);
            }
        }

        /** Without end, until the client has had enough. */
        void repeat(String text) throws IOException, InterruptedException {
            while (!closing.await(1, TimeUnit.MILLISECONDS)) {
                write(text);
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
