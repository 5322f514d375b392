package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BackendTest {
    private static final byte[] GET = "GET /x HTTP/1.1\r\nHost: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Reads one answer and returns its body. */
    private static String read(DataInputStream in) throws Exception {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            head.append((char) in.readByte());
        }
        assertThat(head).startsWith("HTTP/1.1 200 OK\r\n");
        int length = Integer.parseInt(head.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
        byte[] body = new byte[length];
        in.readFully(body);
        return new String(body, StandardCharsets.US_ASCII);
    }

    /** A round trip's time in nanoseconds. */
    private static long roundTrip(Socket socket) throws Exception {
        long sent = System.nanoTime();
        socket.getOutputStream().write(GET);
        assertThat(read(new DataInputStream(new BufferedInputStream(socket.getInputStream()))))
                .hasSize(300);
        return System.nanoTime() - sent;
    }

    @Test
    void twoHundredConnectionsWaitAtTheSameTimeAndNoneIsEarly() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Child backend = Child.start(Backend.class, "wait=100ms", "bytes=300")) {
            List<Future<Long>> shortest = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                shortest.add(threads.submit(() -> {
                    try (Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
                        return Math.min(roundTrip(socket), Math.min(roundTrip(socket), roundTrip(socket)));
                    }
                }));
            }
            for (Future<Long> nanos : shortest) {
                assertThat(nanos.get()).isGreaterThanOrEqualTo(100_000_000L);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aConnectionHasOneRequestInHandAtATime() throws Exception {
        try (Child backend = Child.start(Backend.class, "wait=50ms");
                Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
            long sent = System.nanoTime();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.setTcpNoDelay(true);
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write(GET);
                // apart, so that each is likely to be a read of its own
                Thread.sleep(10);
            }
            for (int i = 1; i <= 3; i++) {
                assertThat(read(in)).hasSize(200);
                assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(i * 50_000_000L);
            }
        }
    }

    @Test
    void aRequestInPiecesIsAnswered() throws Exception {
        try (Child backend = Child.start(Backend.class, "wait=1ms", "jitter=3ms");
                Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
            socket.setTcpNoDelay(true);
            for (byte b : GET) {
                socket.getOutputStream().write(b);
            }
            assertThat(read(new DataInputStream(socket.getInputStream()))).startsWith("{\"status\":\"ok\"");
        }
    }

    @Test
    void morePipelinedThanTheBufferHoldsIsAnsweredInFull() throws Exception {
        int requests = 600;
        assertThat(GET.length * requests).isGreaterThan(2 * 8192);
        try (Child backend = Child.start(Backend.class, "wait=0");
                Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
            for (int i = 0; i < requests; i++) {
                socket.getOutputStream().write(GET);
            }
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            for (int i = 0; i < requests; i++) {
                assertThat(read(in)).hasSize(200);
            }
        }
    }

    @Test
    void anythingButGetClosesTheConnection() throws Exception {
        try (Child backend = Child.start(Backend.class, "wait=0");
                Socket socket = new Socket("127.0.0.1", backend.number("port"))) {
            socket.getOutputStream().write("POST / HTTP/1.1\r\nHost: b\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aBadArgumentIsTold() throws Exception {
        try (Child backend = Child.start(Backend.class, "wait=soon")) {
            assertThat(backend.firstLine).startsWith("FETTLE-FAILED {").contains("wait=soon");
            assertThat(backend.exitCode()).isEqualTo(2);
        }
    }
}
