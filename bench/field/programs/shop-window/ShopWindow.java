package window;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/** The front page of a shop: offers of one of four departments, kept for a short while. */
public final class ShopWindow {

    private final Cache<Integer, String> pages = Caffeine.newBuilder()
            .maximumSize(1000)
            .expireAfterWrite(Duration.ofMillis(250))
            .build();
    private final OfferRepository offers = new OfferRepository();
    private final boolean together;

    ShopWindow(boolean together) {
        this.together = together;
    }

    void page(HttpExchange exchange) throws IOException {
        try (exchange) {
            int department = ThreadLocalRandom.current().nextInt(4);
            byte[] body = page(department).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String page(int department) {
        if (together) {
            return pages.get(department, this::render);
        }
        String page = pages.getIfPresent(department);
        if (page == null) {
            page = render(department);
            pages.put(department, page);
        }
        return page;
    }

    private String render(int department) {
        StringBuilder html = new StringBuilder("<ul>");
        for (String offer : offers.of(department)) {
            html.append("<li>").append(offer).append("</li>");
        }
        return html.append("</ul>\n").toString();
    }

    /** Offers in the shop's database, which serves three queries at a time. */
    static final class OfferRepository {
        private final Semaphore connections = new Semaphore(3);

        String[] of(int department) {
            connections.acquireUninterruptibly();
            try {
                Thread.sleep(45);
                String[] offers = new String[20];
                for (int i = 0; i < offers.length; i++) {
                    offers[i] = "article " + (department * 100 + i) + " at " + (199 + i * 50) + " cents";
                }
                return offers;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new String[0];
            } finally {
                connections.release();
            }
        }
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ShopWindow window = new ShopWindow(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", window::page);
        server.setExecutor(Executors.newFixedThreadPool(
                50, Thread.ofPlatform().name("window-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
