package coaches;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Shows a coach's free seats, which the seat service knows. */
public final class CoachPlan {

    private final Bulkhead seatCalls;

    CoachPlan(Bulkhead seatCalls) {
        this.seatCalls = seatCalls;
    }

    void seats(HttpExchange exchange) throws IOException {
        int coach = ThreadLocalRandom.current().nextInt(300);
        int status = 200;
        String text;
        try {
            int free = seatCalls.executeSupplier(() -> SeatService.free(coach));
            text = "coach " + coach + ": " + free + " seats\n";
        } catch (BulkheadFullException e) {
            status = 503;
            text = "not now\n";
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Answers in about 30 ms, also to many at once. */
    static final class SeatService {
        static int free(int coach) {
            try {
                Thread.sleep(25 + ThreadLocalRandom.current().nextInt(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return (coach * 31 + 7) % 49;
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        BulkheadConfig config =
                fixed ? BulkheadConfig.custom().maxConcurrentCalls(80).build() : BulkheadConfig.ofDefaults();
        CoachPlan plan = new CoachPlan(Bulkhead.of("seats", config));
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), Integer.parseInt(args[0])), 200);
        server.createContext("/", plan::seats);
        server.setExecutor(Executors.newFixedThreadPool(
                80, Thread.ofPlatform().name("http-", 0).daemon().factory()));
        server.start();
        System.out.println("ready");
    }
}
