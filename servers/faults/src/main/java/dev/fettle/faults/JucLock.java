package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The same with a lock of java.util.concurrent. */
final class JucLock implements Fault {
    private static final long MILLIS = 3;

    private final Lock lock = new ReentrantLock();

    @Override
    public void spoil(Visit visit) {
        lock.lock();
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
