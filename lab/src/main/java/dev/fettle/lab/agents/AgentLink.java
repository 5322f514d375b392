package dev.fettle.lab.agents;

import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.remote.Heartbeats;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One agent, as its controller has it: what is asked, what is answered, and whether it is still there. */
public final class AgentLink implements AutoCloseable {
    private static final int ROUND_TRIPS = 20;

    /** In which an agent that lives has answered, on top of what it was asked to wait for. */
    private static final Duration TO_ANSWER = Duration.ofSeconds(20);

    /** The same from when it is asked, with the files of a load on a slow way. */
    private static final Duration TO_SEND = Duration.ofMinutes(5);

    private final String name;
    private final Clock clock;
    private final Frames frames;
    private final Heartbeats life;
    private final Supplier<String> said;
    private final Runnable end;
    private final Thread beats;
    private final Map<Long, CompletableFuture<Object>> asked = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile Optional<String> lost = Optional.empty();

    /** An agent is not there any more. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;

        Lost(String why) {
            super(why);
        }
    }

    /**
     * How an agent's monotonic clock is related to this process's.
     *
     * @param aheadNanos how much it is ahead
     * @param errorNanos how much that may be wrong: half of the shortest round trip
     */
    record Offset(long aheadNanos, long errorNanos) {
        /** By how much it moved until a later reading, beyond what both may be wrong by. */
        long movedUntil(Offset later) {
            return Math.max(0, Math.abs(later.aheadNanos - aheadNanos) - later.errorNanos - errorNanos);
        }
    }

    /**
     * Begins to listen to an agent.
     *
     * @param said what the way there has said last
     * @param end ends the connection
     */
    public AgentLink(String name, Clock clock, InputStream in, OutputStream out, Supplier<String> said, Runnable end) {
        this.name = name;
        this.clock = clock;
        this.frames = new Frames(in, out, this::heard);
        this.said = said;
        this.end = end;
        this.life = new Heartbeats(
                clock,
                AgentSide.SILENCE,
                () -> {},
                () -> lost("nothing was heard of it for " + AgentSide.SILENCE.toSeconds() + " s"));
        life.watch();
        this.beats = Thread.ofPlatform().daemon().name("fettle-beats").start(this::beat);
        Thread.ofPlatform().daemon().name("fettle-agent").start(this::listen);
    }

    /** The host, as the user calls it. */
    String name() {
        return name;
    }

    /** Why it is not there any more; empty if it is. */
    Optional<String> lost() {
        return lost;
    }

    private void beat() {
        try {
            while (lost.isEmpty()) {
                frames.beat();
                clock.sleep(AgentSide.BEATS_EVERY);
            }
        } catch (IOException e) {
            gone();
        } catch (InterruptedException e) {
            // it was closed
        }
    }

    private void heard() {
        life.heard();
    }

    private void listen() {
        try {
            while (true) {
                Frames.Frame frame = frames.read();
                var waiting = Optional.ofNullable(asked.remove(frame.number()));
                if (!frame.isBeat()) {
                    waiting.ifPresent(f -> f.complete(frame.value()));
                }
            }
        } catch (StreamCorruptedException e) {
            lost("what it sends is not understood: " + e.getMessage());
        } catch (IOException e) {
            gone();
        } catch (RuntimeException e) {
            lost("what it sends is not understood: " + e.getMessage());
        }
    }

    private void gone() {
        String why = said.get();
        lost("the connection ended" + (why.isEmpty() ? "" : " (" + why + ")"));
    }

    private synchronized void lost(String why) {
        if (lost.isEmpty()) {
            lost = Optional.of(why);
            life.end();
            beats.interrupt();
            asked.values().forEach(f -> f.completeExceptionally(new Lost(why)));
            asked.clear();
        }
    }

    /** Asks something; the answer fails with {@link Lost} if the agent is not there any more, or with what the agent threw. */
    CompletableFuture<Object> ask(Ask ask, Duration atMost) {
        long number = numbers.incrementAndGet();
        var answer = new CompletableFuture<Object>();
        asked.put(number, answer);
        // a connection that stands still must not hold its user up
        Thread.startVirtualThread(() -> {
            try {
                frames.write(number, ask);
                answer.orTimeout(
                        atMost.plus(TO_ANSWER).toMillis(), TimeUnit.MILLISECONDS); // files take their time to get there
            } catch (IOException e) {
                gone();
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        lost.ifPresent(why -> answer.completeExceptionally(new Lost(why)));
        return answer.orTimeout(atMost.plus(TO_SEND).toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(e -> {
                    if (e instanceof TimeoutException) {
                        lost("it did not answer");
                        return CompletableFuture.failedFuture(new Lost("it did not answer"));
                    }
                    return CompletableFuture.failedFuture(e);
                })
                .thenCompose(value -> switch (value) {
                    case UncheckedIOException e ->
                        CompletableFuture.failedFuture(
                                new UncheckedIOException(name + ": " + e.getMessage(), e.getCause()));
                    case Exception e -> CompletableFuture.failedFuture(e);
                    default -> CompletableFuture.completedFuture(value);
                });
    }

    /**
     * An answer that is awaited.
     *
     * @throws Lost if the agent is not there any more
     * @throws IllegalArgumentException if what was asked can't be done
     * @throws UncheckedIOException if the agent's host lacks what it takes
     */
    static <T> T answer(CompletableFuture<Object> asked, Class<T> type) {
        try {
            Object value = asked.join();
            if (!type.isInstance(value)) {
                throw new Lost("what it answers is not understood");
            }
            return type.cast(value);
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Compares its clock with this process's.
     *
     * @throws Lost if it is not there any more
     */
    Offset offset() {
        Offset best = new Offset(0, Long.MAX_VALUE);
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long begun = clock.nanos();
            long there = answer(ask(new Ask.Now(), Duration.ZERO), Long.class);
            long half = (clock.nanos() - begun) / 2;
            if (half < best.errorNanos) {
                best = new Offset(there - begun - half, half);
            }
        }
        return best;
    }

    /** Ends it: so does all that runs there. */
    @Override
    public void close() {
        lost("it was ended");
        end.run();
    }
}
