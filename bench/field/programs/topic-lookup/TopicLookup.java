package topics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Tells a client which broker has a topic; at most 60 lookups go to the registry at a time. */
public final class TopicLookup {

    static final class RegistryException extends Exception {
        private static final long serialVersionUID = 1;

        RegistryException(String message) {
            super(message);
        }
    }

    private final Semaphore lookups = new Semaphore(60);
    private final boolean always;

    TopicLookup(boolean always) {
        this.always = always;
    }

    void lookup(HttpExchange exchange) throws IOException {
        int topic = ThreadLocalRandom.current().nextInt(2000);
        try (exchange) {
            if (!lookups.tryAcquire(500, TimeUnit.MILLISECONDS)) {
                answer(exchange, 503, "too many lookups");
                return;
            }
            try {
                answer(exchange, 200, broker(topic));
            } catch (RegistryException e) {
                answer(exchange, 200, "moved: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String broker(int topic) throws RegistryException, InterruptedException {
        if (always) {
            try {
                return ask(topic);
            } finally {
                lookups.release();
            }
        }
        String broker = ask(topic);
        lookups.release();
        return broker;
    }

    /** One question to the registry; now and then a topic is on its way to another broker. */
    private static String ask(int topic) throws RegistryException, InterruptedException {
        Thread.sleep(8);
        if (ThreadLocalRandom.current().nextInt(50) == 0) {
            throw new RegistryException("topic-" + topic);
        }
        return "topic-" + topic + " at broker-" + topic % 9;
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    public static void main(String[] args) throws IOException {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        TopicLookup topics = new TopicLookup(fixed);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 256);
        server.createContext("/", topics::lookup);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        System.out.println("ready");
    }
}
