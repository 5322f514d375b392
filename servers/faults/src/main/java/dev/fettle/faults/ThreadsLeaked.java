package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.Queue;
import java.util.Timer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A timer for every fortieth request, which is never cancelled. */
final class ThreadsLeaked implements Fault {
    private static final int EVERY = 40;

    private final AtomicInteger requests = new AtomicInteger();
    private final Queue<Timer> kept = new ConcurrentLinkedQueue<>();

    @Override
    public void spoil(Visit visit) {
        int n = requests.incrementAndGet();
        if (n % EVERY == 0) {
            kept.add(new Timer("mail-timer-" + n, true));
        }
    }
}
