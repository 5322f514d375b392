package dev.fettle.cli;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server whose best number of threads is known: {@code PermitServer PORT PERMITS MILLIS [THREADS]}, 4 threads by default. An answer holds one of the
 * permits for some milliseconds and costs next to nothing, so throughput is min(threads, permits) / time, whatever the machine. With
 * more than 64 threads it ends at once.
 */
public final class PermitServer {
    private PermitServer() {}

    public static void main(String[] args) throws Exception {
        int threads = args.length > 3 ? Integer.parseInt(args[3]) : 4;
        if (threads > 64) {
            throw new IllegalArgumentException("too many threads: " + threads);
        }
        var permits = new Semaphore(Integer.parseInt(args[1]));
        int millis = Integer.parseInt(args[2]);
        byte[] body = "fine\n".getBytes(StandardCharsets.UTF_8);
        var number = new AtomicInteger();
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 100);
        server.setExecutor(
                Executors.newFixedThreadPool(threads, r -> new Thread(r, "worker-" + number.incrementAndGet())));
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
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Thread.currentThread().join();
    }
}
