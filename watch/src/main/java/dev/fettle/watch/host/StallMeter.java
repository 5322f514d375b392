package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How long the host stood still, as Gil Tene's jHiccup measures it: a thread sleeps for a moment, again and again, and nothing but the host,
 * or this JVM's own collections, which are left out, makes it late. A hundred wake-ups a second take about 0.1 % of a CPU.
 */
final class StallMeter implements SignalSource {
    private static final long SLEEP_MILLIS = 10;
    private static final long NANOS_A_MILLI = 1_000_000;

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final AtomicLong longest = new AtomicLong();
    private @Nullable Thread thread;

    @Override
    public void sample(Sink sink) {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("fettle-stalls").start(this::run);
            return;
        }
        sink.value(Signals.HOST_STALL, (double) longest.getAndSet(0) / NANOS_A_MILLI);
    }

    @Override
    public void gap() {
        longest.set(0);
    }

    private void run() {
        long before = System.nanoTime();
        long paused = paused();
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(SLEEP_MILLIS);
                long now = System.nanoTime();
                long late = now - before - SLEEP_MILLIS * NANOS_A_MILLI;
                long own = paused();
                longest.accumulateAndGet(late - (own - paused) * NANOS_A_MILLI, Math::max);
                paused = own;
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Milliseconds that this JVM's own collections have taken. */
    private long paused() {
        return collectors.stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
