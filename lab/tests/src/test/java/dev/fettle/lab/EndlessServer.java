package dev.fettle.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Answers each request at once, with a body that never ends: a byte now, and no other. */
public final class EndlessServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch closed = new CountDownLatch(1);

    public EndlessServer() throws IOException {
        Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
        while (true) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> answer(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void answer(Socket socket) {
        try (Socket client = socket) {
            client.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx".getBytes(StandardCharsets.US_ASCII));
            closed.await();
        } catch (IOException | InterruptedException e) {
            return;
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
    }
}
