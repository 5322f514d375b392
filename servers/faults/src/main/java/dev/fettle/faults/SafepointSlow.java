package dev.fettle.faults;

import dev.fettle.servers.app.Fault;

/** A job whose counted loop has no place where the JVM could stop it, if counted loops have no such places (as with -XX:+UseParallelGC). */
final class SafepointSlow implements Fault {
    private static final int ROUNDS = 400_000_000;
    private static final long PAUSE_MILLIS = 100;
    private static final int GARBAGE = 20_000;

    @SuppressWarnings("unused") // so that the loop is not left out
    private static volatile int total;

    SafepointSlow() {
        var t = new Thread(SafepointSlow::sum, "totals-report");
        t.setDaemon(true);
        t.start();
    }

    private static void sum() {
        try {
            while (true) {
                total += loop(total | 1);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int loop(int seed) {
        int x = seed;
        for (int i = 0; i < ROUNDS; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
        }
        return x;
    }

    @Override
    public void spoil(Visit visit) {
        // some garbage, so that the JVM has a reason to stop all threads
        if (new byte[GARBAGE + visit.userAgent().length()].length == 0) {
            throw new IllegalStateException();
        }
    }
}
