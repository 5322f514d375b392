package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.atomic.AtomicLong;

/** One request in five fails, once the first ones are through. */
final class Errors500 implements Fault {
    private static final int EACH = 5;
    private static final int GOOD = 200;

    private final AtomicLong requests = new AtomicLong();

    @Override
    public void spoil(Visit visit) {
        long n = requests.incrementAndGet();
        if (n > GOOD && n % EACH == 0) {
            throw new IllegalStateException("no such account");
        }
    }
}
