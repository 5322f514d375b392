package export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Hands out an extract of a log as JSON. */
public final class LogExport {

    private static final byte[] OPEN = "{\"at\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TEXT = ",\"text\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "\"},\n".getBytes(StandardCharsets.US_ASCII);

    private final Map<Integer, byte[]> messages = new HashMap<>();
    private final boolean piecewise;

    LogExport(boolean piecewise) {
        this.piecewise = piecewise;
        for (int i = 0; i < 200; i++) {
            messages.put(i, ("event " + i + " " + "worker finished its share of the batch; ".repeat(1 + i % 5))
                    .getBytes(StandardCharsets.US_ASCII));
        }
    }

    void extract(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            int from = ThreadLocalRandom.current().nextInt(200);
            if (piecewise) {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 32 * 1024)) {
                    write(out, from);
                }
            } else {
                byte[] body = marshal(from);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private byte[] marshal(int from) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, from);
        return out.toByteArray();
    }

    private void write(OutputStream out, int from) throws IOException {
        out.write('[');
        for (int i = 0; i < 9000; i++) {
            out.write(OPEN);
            out.write(Integer.toString(1_700_000 + i).getBytes(StandardCharsets.US_ASCII));
            out.write(TEXT);
            out.write(messages.get((from + i) % 200));
            out.write(CLOSE);
        }
        out.write(']');
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        LogExport export = new LogExport(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", export::extract);
        server.setExecutor(Executors.newFixedThreadPool(16, Thread.ofPlatform().name("export-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
