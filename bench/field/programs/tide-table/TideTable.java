package tides;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** High and low water of a harbour, worked out from the gauge's last reading. */
public final class TideTable {

    private static final String[] HARBOURS = {"Cuxhaven", "Dover", "Brest", "Lisbon", "Bergen"};

    void table(HttpExchange exchange) throws IOException {
        try (exchange) {
            String harbour = HARBOURS[ThreadLocalRandom.current().nextInt(HARBOURS.length)];
            double level = gauge(harbour);
            StringBuilder text = new StringBuilder(harbour).append('\n');
            for (int tide = 0; tide < 4; tide++) {
                double minutes = (level * 60 + tide * 372.6) % 1440;
                text.append(tide % 2 == 0 ? "high " : "low  ");
                text.append((int) minutes / 60)
                        .append(':')
                        .append((int) minutes % 60 / 10)
                        .append((int) minutes % 10);
                text.append('\n');
            }
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Asks the gauge, over a slow line. */
    private static double gauge(String harbour) {
        try {
            Thread.sleep(12);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 2
                + Math.abs(harbour.hashCode() % 300) / 100.0
                + ThreadLocalRandom.current().nextDouble();
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", new TideTable()::table);
        if (fixed) {
            server.setExecutor(Executors.newFixedThreadPool(
                    32, Thread.ofPlatform().name("tides-", 0).factory()));
        }
        server.start();
        System.out.println("ready");
    }
}
