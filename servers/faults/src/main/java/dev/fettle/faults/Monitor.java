package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** One synchronized method that waits for three milliseconds. */
final class Monitor implements Fault {
    private static final long MILLIS = 3;

    @Override
    public synchronized void spoil(Visit visit) {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
