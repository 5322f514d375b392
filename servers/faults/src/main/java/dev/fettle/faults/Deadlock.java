package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.atomic.AtomicLong;

/** Two locks that are taken in one order by some requests, and in the other by some. */
final class Deadlock implements Fault {
    /** That a warm-up is over, or nearly. */
    private static final long FROM = 8_000;

    private final Object accounts = new Object();
    private final Object audit = new Object();
    private final AtomicLong requests = new AtomicLong();

    @Override
    public void spoil(Visit visit) {
        long n = requests.incrementAndGet();
        boolean turned = n > FROM && n % 2 == 0;
        synchronized (turned ? audit : accounts) {
            if (n > FROM) {
                Thread.onSpinWait();
                pause();
            }
            synchronized (turned ? accounts : audit) {
                Thread.onSpinWait();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
