package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** All requests need a moment of one single thread. */
final class OneHotThread implements Fault {
    private static final int ROUNDS = 400_000;

    private final ExecutorService one = Executors.newSingleThreadExecutor(r -> {
        var t = new Thread(r, "login-dispatcher");
        t.setDaemon(true);
        return t;
    });

    @Override
    public void spoil(Visit visit) throws IOException {
        try {
            if (one.submit(OneHotThread::work).get() == 0) {
                throw new IOException("nothing done");
            }
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static long work() {
        long x = System.nanoTime() | 1;
        for (int i = 0; i < ROUNDS; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
