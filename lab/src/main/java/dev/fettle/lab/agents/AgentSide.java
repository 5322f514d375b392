package dev.fettle.lab.agents;

import dev.fettle.lab.engine.Loads;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.measure.Warmed;
import dev.fettle.lab.port.LoadPort;
import dev.fettle.lab.remote.Heartbeats;
import dev.fettle.load.LoadRun;
import dev.fettle.load.Window;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * An agent: sends the loads that a controller asks for, over a connection that is theirs alone. When that connection ends, all loads end.
 * When nothing has come over it for {@link #QUIET}, none is sent any more; after {@link #SILENCE} the agent ends.
 */
public final class AgentSide {
    /** So long without a sign of life, and the load stops: a moment later it could be somebody else's server. */
    public static final Duration QUIET = Duration.ofMillis(1_700);

    /** So long, and the agent ends. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    static final Duration BEATS_EVERY = Duration.ofMillis(250);

    private static final long MOST_AHEAD_NANOS = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private final LoadPort loads;
    private final LongSupplier compiled;
    private final Frames frames;
    private final Heartbeats silent;
    private final Proc proc = new Proc();
    private final Map<Integer, Running> running = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    /** A load, and why it was stopped by the agent itself. */
    private static final class Running {
        final LoadRun run;
        final Heartbeats quiet;
        final Optional<Map<Integer, Proc.CpuTimes>> before;
        volatile Optional<String> stopped = Optional.empty();

        Running(LoadRun run, Heartbeats quiet, Optional<Map<Integer, Proc.CpuTimes>> before) {
            this.run = run;
            this.quiet = quiet;
            this.before = before;
        }
    }

    /**
     * An agent on a connection.
     *
     * @param loads sends them
     * @param compiled CPU time of this process's compilers so far, in nanoseconds
     * @param gone ends this process, when nothing has been heard for too long and all loads have ended
     */
    public AgentSide(
            Clock clock, LoadPort loads, LongSupplier compiled, InputStream in, OutputStream out, Runnable gone) {
        this.clock = clock;
        this.loads = loads;
        this.compiled = compiled;
        this.frames = new Frames(in, out, this::heard);
        this.silent = new Heartbeats(clock, SILENCE, () -> {}, () -> {
            closeAll();
            gone.run();
        });
    }

    /** Serves until the connection ends; then no load is left. */
    public void serve() {
        silent.watch();
        Thread beats = Thread.ofPlatform().daemon().name("fettle-beats").start(this::beat);
        try {
            while (true) {
                Frames.Frame frame = frames.read();
                if (frame.isBeat()) {
                    continue;
                }
                if (frame.value() instanceof Ask.Now) {
                    frames.write(frame.number(), clock.nanos()); // at once: it measures the way
                } else {
                    Thread.ofVirtual().start(() -> answer(frame));
                }
            }
        } catch (IOException e) {
            // the controller has ended it, or is gone
        } finally {
            silent.end();
            beats.interrupt();
            closeAll();
        }
    }

    private void heard() {
        silent.heard();
        running.values().forEach(r -> r.quiet.heard());
    }

    private void closeAll() {
        running.values().forEach(r -> {
            r.quiet.end();
            r.run.close();
        });
        running.clear();
    }

    private void beat() {
        try {
            while (true) {
                clock.sleep(BEATS_EVERY);
                frames.beat();
            }
        } catch (IOException | InterruptedException e) {
            // it ends
        }
    }

    private void answer(Frames.Frame frame) {
        Object answer;
        try {
            answer = frame.value() instanceof Ask ask ? of(ask) : new IOException("no question: " + frame.value());
        } catch (InterruptedException | RuntimeException e) {
            answer = e;
        }
        try {
            frames.write(frame.number(), answer);
        } catch (IOException e) {
            // the connection has ended, which the reader finds, too
        }
    }

    private Object of(Ask ask) throws InterruptedException {
        return switch (ask) {
            case Ask.Now() -> clock.nanos();
            case Ask.Compiled() -> compiled.getAsLong();
            case Ask.Rehearse(Shipped load, var warmUp) ->
                load.unpacked(order -> Warmed.rehearsed(Loads.spec(order), warmUp, clock, compiled));
            case Ask.Prepare(Shipped load) -> load.unpacked(this::start);
            case Ask.Begin(int run, long nanos) -> {
                if (nanos - clock.nanos() > MOST_AHEAD_NANOS) {
                    throw new IllegalArgumentException("a load that begins in more than a minute");
                }
                of(run).beginAt(nanos);
                yield true;
            }
            case Ask.Take(int run) -> take(run);
            case Ask.AwaitDone(int run, Duration max) -> of(run).awaitDone(max);
            case Ask.AwaitQuiet(int run, Duration max) -> of(run).awaitQuiet(max);
            case Ask.EndIn(int run, Duration time) -> {
                of(run).endIn(time);
                yield true;
            }
            case Ask.Pause(int run) -> {
                of(run).pause();
                yield true;
            }
            case Ask.Resume(int run) -> {
                of(run).resume();
                yield true;
            }
            case Ask.HowIs(int run) -> {
                Running r = running(run);
                yield new Ask.State(r.run.connectionsOpen(), r.run.failure().or(() -> r.stopped), r.run.notes());
            }
            case Ask.Close(int run) -> {
                Running r = running(run);
                r.quiet.end();
                r.run.close();
                running.remove(run);
                yield true;
            }
        };
    }

    private Integer start(LoadPort.Order order) {
        int number = numbers.incrementAndGet();
        LoadRun run = loads.start(order);
        var quiet = new Heartbeats(clock, QUIET, () -> {}, () -> stop(number));
        running.put(number, new Running(run, quiet, proc.cpuTimes()));
        quiet.watch();
        return number;
    }

    private void stop(int number) {
        Running r = running.get(number);
        if (r != null && !r.run.isDone()) {
            r.stopped = Optional.of("it had not heard of its controller for " + QUIET.toMillis() + " ms, and stopped");
            r.run.close();
        }
    }

    private Ask.Taken take(int number) {
        Running r = running(number);
        Window window = r.run.takeWindow();
        double share = r.before
                .flatMap(b -> proc.cpuTimes().map(now -> Proc.CpuTimes.busyShare(b, now)))
                .orElse(-1.0);
        return new Ask.Taken(window, share);
    }

    private LoadRun of(int number) {
        return running(number).run;
    }

    private Running running(int number) {
        Running r = running.get(number);
        if (r == null) {
            throw new IllegalStateException("there is no load " + number);
        }
        return r;
    }
}
