package dev.fettle.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server whose best number of threads is known: {@code PermitServer PORT PERMITS MILLIS [THREADS]}, 4 threads by default. An answer holds one of the
 * permits for some milliseconds and costs next to nothing, so throughput is min(threads, permits) / time, whatever the machine. With
 * more than 64 threads it ends at once. It has answered itself before it listens, so that it is as quick from the first answer on.
 */
public final class PermitServer {
    private static final byte[] BODY = "fine\n".getBytes(StandardCharsets.UTF_8);
    private static final int REHEARSED = 1_000;

    private PermitServer() {}

    public static void main(String[] args) throws Exception {
        int threads = args.length > 3 ? Integer.parseInt(args[3]) : 4;
        if (threads > 64) {
            throw new IllegalArgumentException("too many threads: " + threads);
        }
        rehearse();
        var number = new AtomicInteger();
        serve(
                Integer.parseInt(args[0]),
                Executors.newFixedThreadPool(threads, r -> new Thread(r, "worker-" + number.incrementAndGet())),
                new Semaphore(Integer.parseInt(args[1])),
                Integer.parseInt(args[2]));
        Thread.currentThread().join();
    }

    private static HttpServer serve(int port, ExecutorService workers, Semaphore permits, int millis)
            throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        server.setExecutor(workers);
        server.createContext("/", exchange -> {
            try {
                permits.acquire();
                try {
                    Thread.sleep(millis);
                } finally {
                    permits.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void rehearse() throws IOException {
        try (ExecutorService one = Executors.newSingleThreadExecutor()) {
            HttpServer server = serve(0, one, new Semaphore(1), 0);
            try {
                URI here = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
                for (int i = 0; i < REHEARSED; i++) {
                    try (InputStream answer = here.toURL().openStream()) {
                        answer.readAllBytes();
                    }
                }
            } finally {
                server.stop(0);
            }
        }
    }
}
