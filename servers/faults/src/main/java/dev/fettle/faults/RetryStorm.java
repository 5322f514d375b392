package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;

/** The service is asked again and again, with a pause, because its answer is not believed. */
final class RetryStorm implements Fault {
    private static final int TRIES = 4;
    private static final long PAUSE_MILLIS = 50;

    @Override
    public void spoil(Visit visit) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            visit.backend();
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
