package fax;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Hands pages to the lines that send them, and gives up on a page that is not through after two minutes. */
public final class FaxLine {

    private final Timer watch = new Timer("page-watch", true);
    private final boolean purging;
    private final AtomicLong sentPages = new AtomicLong();
    private final ExecutorService lines = Executors.newFixedThreadPool(
            16, Thread.ofPlatform().name("line-", 0).daemon().factory());
    private final AtomicLong late = new AtomicLong();

    FaxLine(boolean purging) {
        this.purging = purging;
    }

    void page(HttpServerExchange exchange) throws Exception {
        Page page = new Page(ThreadLocalRandom.current().nextInt(10_000));
        CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(page::send, lines);
        Limit limit = new Limit(page, sent);
        watch.schedule(limit, 120_000);
        try {
            exchange.getResponseSender().send("to " + page.number + ": " + sent.get() + " dots\n");
        } catch (CancellationException e) {
            exchange.setStatusCode(504);
        } finally {
            limit.cancel();
            if (sentPages.incrementAndGet() % 100 == 0 && purging) {
                watch.purge();
            }
        }
    }

    /** Ends the sending of a page that takes too long. */
    final class Limit extends TimerTask {
        private final Page page;
        private final CompletableFuture<Integer> sent;

        Limit(Page page, CompletableFuture<Integer> sent) {
            this.page = page;
            this.sent = sent;
        }

        @Override
        public void run() {
            if (sent.cancel(true)) {
                System.err.println("page to " + page.number + " given up, the " + late.incrementAndGet() + "th");
            }
        }
    }

    /** One scanned page, a bit a dot. */
    static final class Page {
        final int number;
        private final byte[] dots = new byte[24 * 1024];

        Page(int number) {
            this.number = number;
            for (int i = number % 64; i < dots.length; i += 64) {
                dots[i] = (byte) (i * 31);
            }
        }

        int send() {
            int black = 0;
            for (byte eight : dots) {
                black += Integer.bitCount(eight & 0xff);
            }
            try {
                Thread.sleep(4); // the exchange's answer
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return black;
        }
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Undertow.builder()
                .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                .setWorkerThreads(24)
                .setHandler(new BlockingHandler(new FaxLine(fixed)::page))
                .build()
                .start();
        System.out.println("ready");
    }
}
