package dev.fettle.lab;

import com.sun.net.httpserver.HttpServer;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A target with one fault, for tests: {@code FaultyServer FAULT PORT}. Some have a figure behind a minus sign: {@code waits-40}
 * answers after 40 ms, {@code burns-3} after 3 ms of CPU time, {@code dies-300} with its 300th request.
 */
public final class FaultyServer {
    private static final List<byte[]> HOARD = new ArrayList<>();

    private FaultyServer() {}

    public static void main(String[] args) throws Exception {
        String fault = args[0].replaceAll("-[0-9]+$", "");
        int figure = fault.equals(args[0]) ? 200 : Integer.parseInt(args[0].substring(fault.length() + 1));
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
                    if (n > figure) {
                        sleepForEver();
                    }
                }
                case "dies" -> {
                    if (n > figure) {
                        Runtime.getRuntime().halt(9);
                    }
                }
                case "memory" -> {
                    if (n > figure / 10) {
                        hoard();
                    }
                }
                case "waits" -> waitFor(figure);
                case "burns" -> burn(figure);
                case "threads" -> {
                    if (n > 20) {
                        spawn();
                    }
                }
                case "slow" -> waitFor(20);
                case "busy" -> {
                    // a page that takes its time, unless many ask at once; or, where the machine leaves it no time for
                    // that, may
                    if (atOnce <= 64 && (threads <= 64 || n % 4 == 0)) {
                        waitFor(200);
                        body = "a page\n".repeat(300).getBytes(StandardCharsets.UTF_8);
                    } else {
                        waitFor(1);
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

    private static void waitFor(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** CPU time, not time: on a busy machine it takes longer. */
    private static void burn(int millis) {
        var threads = ManagementFactory.getThreadMXBean();
        long until = threads.getCurrentThreadCpuTime() + millis * 1_000_000L;
        while (threads.getCurrentThreadCpuTime() < until) {
            Thread.onSpinWait();
        }
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

    /** Until there are no more to be had; at most a thousand, where nothing limits them. */
    private static void spawn() {
        try {
            for (int i = 0; i < 1000; i++) {
                Thread.ofPlatform().daemon().start(FaultyServer::sleepForEver);
            }
        } catch (OutOfMemoryError e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(3);
        }
        Runtime.getRuntime().halt(9);
    }

    private static void sleepForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
