package dev.fettle.bench.watch;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.bench.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The JDK's HTTP server on a fixed pool, its threads named {@code worker-N}: {@code port= threads=}. */
public final class PlainServer {
    private PlainServer() {}

    public static void main(String[] args) throws IOException {
        Options options = Options.parse(args, "port", "threads");
        byte[] body = "Hello World".getBytes(StandardCharsets.US_ASCII);
        var number = new AtomicInteger();
        var address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Math.toIntExact(options.number("port", 18080)));
        HttpServer server = HttpServer.create(address, 1024);
        server.setExecutor(Executors.newFixedThreadPool(
                Math.toIntExact(options.number("threads", 146)),
                r -> new Thread(r, "worker-" + number.incrementAndGet())));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }
}
