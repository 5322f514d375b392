package dev.fettle.lab.remote;

import dev.fettle.lab.machine.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a command that runs for another machine hears of it: that it is there, and that the command is to end. */
public final class Heartbeats {
    private static final int LOOKS = 20;

    private final Clock clock;
    private final Duration silence;
    private final Runnable stop;
    private final Runnable gone;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile long last;

    /**
     * Prepares to listen.
     *
     * @param silence after which the other side counts as gone
     * @param stop what to do when it asks for an end; one of the two is run, once
     * @param gone what to do when it is gone
     */
    public Heartbeats(Clock clock, Duration silence, Runnable stop, Runnable gone) {
        this.clock = clock;
        this.silence = silence;
        this.stop = stop;
        this.gone = gone;
        this.last = clock.nanos();
    }

    /** Listens, on two threads that don't keep the JVM alive. */
    public void listen(InputStream in) {
        Thread.ofPlatform().daemon().name("fettle-beats").start(() -> hear(in));
        watch();
    }

    /** Waits for a silence, on a thread that doesn't keep the JVM alive; who reads calls {@link #heard}. */
    public void watch() {
        Thread.ofPlatform().daemon().name("fettle-silence").start(this::await);
    }

    /** Something has come. */
    public void heard() {
        last = clock.nanos();
    }

    /** Waits for nothing any more. */
    public void end() {
        ended.set(true);
    }

    private void hear(InputStream in) {
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                heard();
                if (b == RemoteRun.STOP) {
                    once(stop);
                }
            }
        } catch (IOException e) {
            // as if it had ended
        }
        once(gone);
    }

    private void await() {
        try {
            int found = 0;
            // twice: a machine that stood still has beats waiting, which are read first
            while (found < 2 && !ended.get()) {
                clock.sleep(silence.dividedBy(LOOKS));
                found = clock.since(last).compareTo(silence) < 0 ? 0 : found + 1;
            }
        } catch (InterruptedException e) {
            // as if it were silent
        }
        once(gone);
    }

    private void once(Runnable what) {
        if (ended.compareAndSet(false, true)) {
            what.run();
        }
    }
}
