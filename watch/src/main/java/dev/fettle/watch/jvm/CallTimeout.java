package dev.fettle.watch.jvm;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls into another JVM, which may never answer: it may be stopped, hang on its way to a safepoint, or get hardly any CPU time. A call is
 * awaited for a limited time. While one hangs, no other is made; a late result is kept. Not thread-safe.
 *
 * @param <T> the result of a call
 */
final class CallTimeout<T> {
    private static final ThreadFactory ASKERS =
            Thread.ofPlatform().daemon().name("fettle-ask-jvm").factory();

    /** The thread that makes the calls ends after this long without one. */
    private static final int IDLE_SECONDS = 10;

    private final Duration atMost;
    private final Executor asker;
    private @Nullable CompletableFuture<T> underWay;

    /**
     * @param atMost how long a call is waited for
     * @param asker makes the calls
     */
    CallTimeout(Duration atMost, Executor asker) {
        this.atMost = atMost;
        this.asker = asker;
    }

    /** A thread that makes calls one after the other. */
    static Executor asker() {
        var asker = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ASKERS);
        asker.allowCoreThreadTimeOut(true);
        return asker;
    }

    /** Whether an earlier call has not returned, or its result has not been fetched. */
    boolean isWaiting() {
        return underWay != null;
    }

    /**
     * Makes a call; or, if an earlier one has not returned, waits for that one.
     *
     * @return empty if it does not return in time
     * @throws IOException if the call fails
     */
    Optional<T> ask(Callable<T> call) throws IOException {
        CompletableFuture<T> future = underWay == null ? start(call, asker) : underWay;
        underWay = future;
        try {
            return wait(future, atMost);
        } finally {
            if (future.isDone()) {
                underWay = null;
            }
        }
    }

    /**
     * Makes a single call.
     *
     * @param what begins the message if there is no answer
     * @throws IOException if there is no answer in time, or the call fails
     */
    static <T> T once(Duration atMost, String what, Callable<T> call) throws IOException {
        return wait(start(call, CallTimeout::onItsOwn), atMost)
                .orElseThrow(() -> new NoAnswerException(what + " did not answer within " + atMost.toSeconds()
                        + " s: it is stopped, hangs on the way to a safepoint, or gets hardly any CPU time"));
    }

    private static void onItsOwn(Runnable call) {
        ASKERS.newThread(call).start();
    }

    private static <T> CompletableFuture<T> start(Callable<T> call, Executor on) {
        var future = new CompletableFuture<T>();
        on.execute(() -> {
            try {
                future.complete(call.call());
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    private static <T> Optional<T> wait(CompletableFuture<T> future, Duration atMost) throws IOException {
        try {
            return Optional.of(future.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            throw new IOException(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
        }
    }
}
