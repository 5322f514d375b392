package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool for every fiftieth request, which nobody shuts down. */
final class ExecutorsLeaked implements Fault {
    private static final int EVERY = 50;
    private static final ThreadFactory DAEMONS = r -> {
        Thread t = Executors.defaultThreadFactory().newThread(r);
        t.setDaemon(true);
        return t;
    };

    private final AtomicInteger requests = new AtomicInteger();
    private final Queue<ExecutorService> kept = new ConcurrentLinkedQueue<>();

    @Override
    public void spoil(Visit visit) throws IOException {
        if (requests.incrementAndGet() % EVERY == 0) {
            ExecutorService own = Executors.newFixedThreadPool(2, DAEMONS);
            kept.add(own);
            try {
                own.submit(visit::userAgent).get();
            } catch (ExecutionException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }
}
