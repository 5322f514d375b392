package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.util.concurrent.locks.LockSupport;

/** A monitoring agent that takes the stacks of all threads a hundred times a second. */
final class StackDumps implements Fault {
    private static final int IDLE = 300;
    private static final int DEPTH = 60;
    private static final long PAUSE_MILLIS = 5;

    StackDumps() {
        for (int i = 0; i < IDLE; i++) {
            start("reporter-" + i, () -> deep(DEPTH));
        }
        start("apm-sampler", StackDumps::sample);
    }

    private static void start(String name, Runnable what) {
        var t = new Thread(null, what, name, 1 << 18);
        t.setDaemon(true);
        t.start();
    }

    private static void deep(int left) {
        if (left > 0) {
            deep(left - 1);
        }
        while (left == 0) {
            LockSupport.park();
        }
    }

    private static void sample() {
        try {
            while (!Thread.getAllStackTraces().isEmpty()) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void spoil(Visit visit) {
        // it is the agent that does it
    }
}
