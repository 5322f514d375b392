package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A job that takes all CPUs for half a second, every two seconds. */
final class BatchJob implements Fault {
    private static final int THREADS = 8;
    private static final long EVERY_MILLIS = 2_000;
    private static final long NANOS = 400_000_000L;

    BatchJob() {
        var timer = Executors.newScheduledThreadPool(THREADS, r -> {
            var t = new Thread(r, "nightly-job");
            t.setDaemon(true);
            return t;
        });
        for (int i = 0; i < THREADS; i++) {
            timer.scheduleAtFixedRate(BatchJob::job, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static void job() {
        long until = System.nanoTime() + NANOS;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void spoil(Visit visit) {
        // it is the job that does it
    }
}
