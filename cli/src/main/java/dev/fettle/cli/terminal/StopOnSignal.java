package dev.fettle.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and TERM into an interrupt of the thread that created this, and keeps the JVM alive until that thread
 * has cleaned up and closed this.
 */
public final class StopOnSignal implements AutoCloseable {
    /** Time for a clean stop: some of it for the target, the rest for the plan's cleanup hooks. */
    private static final long CLEAN_STOP_SECONDS = 30;

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch cleaned = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "fettle-stop");

    private final long seconds;

    public StopOnSignal() {
        this(CLEAN_STOP_SECONDS);
    }

    /** @param seconds that a clean stop may take */
    public StopOnSignal(long seconds) {
        this.seconds = seconds;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether a signal has come, and this process ends. */
    public static boolean hasCome() {
        var none = new Thread();
        try {
            Runtime.getRuntime().addShutdownHook(none);
            return !Runtime.getRuntime().removeShutdownHook(none);
        } catch (IllegalStateException e) {
            return true; // it is being shut down
        }
    }

    private void stop() {
        worker.interrupt();
        try {
            cleaned.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        cleaned.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the JVM is already shutting down
        }
    }
}
