package rates;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Spot rates of currencies; a rate older than a second is not handed out. */
public final class SpotRates {

    record Rate(int milli, Instant at) {}

    private static final String[] CURRENCIES = {"CHF", "EUR", "GBP", "JPY", "NOK", "USD"};
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Map<String, Rate> rates = new ConcurrentHashMap<>();
    private final LongAdder handedOut = new LongAdder();

    void refresh() {
        for (String currency : CURRENCIES) {
            rates.put(currency, new Rate(500 + ThreadLocalRandom.current().nextInt(1000), Instant.now()));
        }
    }

    /** Sends the day's figures to the archive, which takes its time. */
    void archive() {
        try {
            long figures = handedOut.sumThenReset();
            for (int block = 0; block < 30; block++) {
                TimeUnit.MILLISECONDS.sleep(80 + figures % 3);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void rate(HttpExchange exchange) throws IOException {
        try (exchange) {
            String currency = CURRENCIES[ThreadLocalRandom.current().nextInt(CURRENCIES.length)];
            Rate rate = rates.get(currency);
            boolean fresh = rate != null && rate.at().plus(FRESH).isAfter(Instant.now());
            byte[] body = (fresh ? currency + " " + rate.milli() / 1000.0 : "no fresh rate of " + currency)
                    .getBytes(StandardCharsets.UTF_8);
            handedOut.increment();
            exchange.sendResponseHeaders(fresh ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        SpotRates spot = new SpotRates();
        spot.refresh();
        ScheduledExecutorService timers = Executors.newScheduledThreadPool(
                1, Thread.ofPlatform().name("timers-", 0).daemon().factory());
        ScheduledExecutorService slots = fixed
                ? Executors.newScheduledThreadPool(
                        1, Thread.ofPlatform().name("archive-", 0).daemon().factory())
                : timers;
        timers.scheduleAtFixedRate(spot::refresh, 0, 200, TimeUnit.MILLISECONDS);
        slots.scheduleWithFixedDelay(spot::archive, 500, 1200, TimeUnit.MILLISECONDS);

        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", spot::rate);
        server.setExecutor(Executors.newFixedThreadPool(
                8, Thread.ofPlatform().name("rates-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
