package mocks;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Keeps expectations and recorded calls of test runs; a run clears what it has recorded when it is through. */
public final class MockDesk {

    record Expectation(String method, String path, String body) {}

    private final List<Expectation> expectations = new ArrayList<>();
    private final Map<Integer, Deque<String>> recorded = new HashMap<>();
    private final boolean tidy;

    MockDesk(boolean tidy) {
        this.tidy = tidy;
        for (int i = 0; i < 250_000; i++) {
            expectations.add(new Expectation("GET", "/customers/" + i, "{\"customer\":" + i + "}"));
        }
    }

    void clear(HttpServerExchange exchange) {
        int run = ThreadLocalRandom.current().nextInt(40);
        int calls = record(run);
        int dropped = drop(run);
        exchange.getResponseSender().send("run " + run + ": " + calls + " recorded, " + dropped + " dropped\n");
    }

    private synchronized int record(int run) {
        Deque<String> calls = recorded.computeIfAbsent(run, r -> new ArrayDeque<>());
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int i = 0; i < 20; i++) {
            Expectation expectation = expectations.get(random.nextInt(expectations.size()));
            calls.add(expectation.method() + " " + expectation.path() + " -> " + expectation.body());
        }
        return calls.size();
    }

    private int drop(int run) {
        int dropped;
        synchronized (this) {
            dropped = recorded.remove(run) == null ? 0 : 1;
        }
        if (tidy) {
            System.gc();
        }
        return dropped;
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        MockDesk desk = new MockDesk(!fixed);
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(16)
                .setHandler(new BlockingHandler(desk::clear))
                .build()
                .start();
        System.out.println("ready");
    }
}
