package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.atomic.AtomicLong;

/** Someone thinks that it helps to call System.gc() now and then. */
final class GcExplicit implements Fault {
    private static final int EACH = 50;

    private final AtomicLong requests = new AtomicLong();

    @Override
    public void spoil(Visit visit) {
        if (requests.incrementAndGet() % EACH == 0) {
            System.gc();
        }
    }
}
