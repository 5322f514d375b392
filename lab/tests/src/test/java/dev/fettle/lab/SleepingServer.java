package dev.fettle.lab;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/**
 * A target whose limit is known by construction, for tests: {@code SleepingServer THREADS MILLIS PORT}. A request holds one of
 * so many threads for so long, and costs next to nothing else: no more than threads / time are answered a second, on any machine.
 */
public final class SleepingServer {
    private SleepingServer() {}

    public static void main(String[] args) throws Exception {
        start(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        new CountDownLatch(1).await();
    }

    private static void start(int threads, int millis, int port) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // else an answer waits for the client's delayed ACK
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
        server.setExecutor(Executors.newFixedThreadPool(threads));
        server.createContext("/", exchange -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = "fine\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
