package dev.fettle.lab;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A target with one fault, for tests: {@code FaultyServer FAULT PORT}. */
public final class FaultyServer {
    private static final List<byte[]> HOARD = new ArrayList<>();

    private FaultyServer() {}

    public static void main(String[] args) throws Exception {
        String fault = args[0];
        int port = Integer.parseInt(args[1]);
        if (fault.equals("exits")) {
            System.err.println("config.xml: line 3: no such element");
            System.exit(7);
        }
        if (fault.equals("deaf")) {
            new CountDownLatch(1).await();
        }
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        int threads = args.length > 2 ? Integer.parseInt(args[2]) : 16;
        var busy = new AtomicInteger();
        server.setExecutor(
                switch (fault) {
                    case "slow" -> Executors.newFixedThreadPool(4);
                    case "busy" -> Executors.newFixedThreadPool(threads, FaultyServer::worker);
                    default -> Executors.newCachedThreadPool(FaultyServer::worker);
                });
        var requests = new AtomicLong();
        server.createContext("/", exchange -> {
            long n = requests.incrementAndGet();
            int atOnce = busy.incrementAndGet();
            byte[] body = "fine\n".getBytes(StandardCharsets.UTF_8);
            int status = 200;
            switch (fault) {
                case "not-found" -> status = 404;
                case "empty" -> body = new byte[0];
                case "hangs" -> {
                    if (n > 200) {
                        sleepForEver();
                    }
                }
                case "dies" -> {
                    if (n > 200) {
                        Runtime.getRuntime().halt(9);
                    }
                }
                case "memory" -> {
                    if (n > 20) {
                        hoard();
                    }
                }
                case "slow" -> sleep(20);
                case "busy" -> {
                    // a page that takes its time, unless many ask at once; or, where the machine leaves it no time for that, may
                    if (atOnce <= 64 && (threads <= 64 || n % 4 == 0)) {
                        sleep(20);
                        body = "a page\n".repeat(300).getBytes(StandardCharsets.UTF_8);
                    } else {
                        sleep(1);
                        body = "busy\n".getBytes(StandardCharsets.UTF_8);
                    }
                }
                case "turns-bad" -> status = n > 20 ? 500 : 200;
                default -> {
                    // fine
                }
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
            busy.decrementAndGet();
        });
        server.start();
        new CountDownLatch(1).await();
    }

    private static Thread worker(Runnable r) {
        return new Thread(r, "faulty-" + Math.abs(r.hashCode()));
    }

    private static void hoard() {
        synchronized (HOARD) {
            while (true) {
                HOARD.add(new byte[4 << 20]);
            }
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleepForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
