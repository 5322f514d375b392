package status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells how many segments of a table are still to be loaded by the servers. */
public final class LoadStatus {

    record Segment(String table, int from, int version) {}

    private final List<Segment> known = new ArrayList<>();
    private final List<List<Segment>> servers = new ArrayList<>();
    private final boolean oneByOne;
    private final AtomicInteger asked = new AtomicInteger();

    LoadStatus(boolean oneByOne) {
        this.oneByOne = oneByOne;
        for (int i = 0; i < 2500; i++) {
            known.add(new Segment("events", i * 3600, i % 4));
        }
        Random random = new Random(7);
        List<Segment> complete = new ArrayList<>(known);
        Collections.shuffle(complete, random);
        servers.add(complete);
        for (int server = 0; server < 4; server++) {
            List<Segment> some = new ArrayList<>(known.subList(server * 500, server * 500 + 400));
            Collections.shuffle(some, random);
            servers.add(some);
        }
    }

    void status(HttpExchange exchange) throws IOException {
        try (exchange) {
            int left = left(asked.incrementAndGet() % servers.size());
            byte[] body = ("segments " + known.size() + ", to load " + left + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private int left(int first) {
        Set<Segment> left = new HashSet<>(known);
        for (int i = 0; i < servers.size(); i++) {
            List<Segment> loaded = servers.get((first + i) % servers.size());
            if (oneByOne) {
                loaded.forEach(left::remove);
            } else {
                left.removeAll(loaded);
            }
        }
        return left.size();
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        LoadStatus status = new LoadStatus(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", status::status);
        server.setExecutor(Executors.newFixedThreadPool(
                4, Thread.ofPlatform().name("status-", 0).factory()));
        server.start();
        System.out.println("ready");
    }
}
