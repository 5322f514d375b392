package dev.fettle.load.engine;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.Part;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.os.CpuPin;
import dev.fettle.load.os.TimeSlice;
import dev.fettle.load.record.Tally;
import dev.fettle.load.schedule.LoadClock;
import dev.fettle.load.schedule.Schedule;
import dev.fettle.load.schedule.Schedules;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.TransportFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A running load and its threads. */
final class EngineRun implements LoadRun {

    private static final long CLOSE_MILLIS = 5_000;
    private static final long SPIN_NANOS = 200_000;

    private final List<EngineLoop> loops;
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final CountDownLatch running;
    /** All threads start together once all exist; until then no time counts. */
    private final CyclicBarrier startLine;

    private final CompletableFuture<Long> beginning = new CompletableFuture<>();
    private volatile long startNanos;
    private volatile @Nullable String failure;
    /** Guards {@link #course}; signalled when a loop has become quiet or has ended. */
    private final Object bell;

    private LoadClock course;
    /** Empty tallies to exchange, one per loop. */
    private final List<Tally> spare = new ArrayList<>();
    /**
     * For an open load, one per loop: counts what falls due, independently of what is sent. Used by the thread that takes
     * windows.
     */
    private final List<Schedule> due;

    private EngineRun(
            List<EngineLoop> loops, LoadClock course, Object bell, int stepCount, List<Schedule> due, Part part) {
        this.loops = loops;
        this.course = course;
        this.bell = bell;
        this.due = due;
        this.running = new CountDownLatch(loops.size());
        this.startLine = new CyclicBarrier(loops.size(), () -> startNanos = awaitStart());
        if (!part.waits()) {
            beginning.complete(System.nanoTime());
        }
        loops.forEach(loop -> spare.add(new Tally(stepCount)));
    }

    static EngineRun start(LoadSpec spec) throws IOException {
        return start(spec, Wiring.transports(spec));
    }

    static EngineRun start(LoadSpec spec, TransportFactory transports) throws IOException {
        loadWhatFailuresNeed();
        ScriptFactory scripts = Wiring.scripts(spec);
        LoadClock course = LoadClock.until(Schedules.end(spec));
        Object bell = new Object();
        List<EngineLoop> loops = new ArrayList<>();
        try {
            int first = 0;
            for (int i = 0; i < spec.threads(); i++) {
                int connections = (int) Schedules.share(spec.ownConnections(), i, spec.threads());
                EngineLoop.Share share = new EngineLoop.Share(i, first, connections);
                loops.add(new EngineLoop(spec, course, scripts, transports, share, System::nanoTime, () -> ring(bell)));
                first += connections;
            }
        } catch (IOException e) {
            loops.forEach(loop -> loop.transport().close());
            throw e;
        }
        EngineRun run = new EngineRun(loops, course, bell, scripts.stepCount(), schedules(spec), spec.part());
        run.notes.add(transports.note());
        List<Integer> cpus = spec.cpus().stream().sorted().toList();
        IntStream.range(0, loops.size()).forEach(i -> run.startThread(i, cpus));
        return run;
    }

    @Override
    public void beginAt(long nanoTime) {
        beginning.complete(nanoTime);
    }

    /** Waits for the agreed moment, the last bit of it on the CPU: a sleep is only exact to a fraction of a millisecond. */
    private long awaitStart() {
        long at = beginning.join();
        long now = System.nanoTime();
        while (now - at < 0) {
            long left = at - now - SPIN_NANOS;
            if (left > 0) {
                LockSupport.parkNanos(left);
            } else {
                Thread.onSpinWait();
            }
            now = System.nanoTime();
        }
        return now;
    }

    private static List<Schedule> schedules(LoadSpec spec) {
        return spec.arrivals() instanceof Arrivals.Open
                ? IntStream.range(0, spec.threads())
                        .mapToObj(i -> Schedules.of(spec, i))
                        .toList()
                : List.of();
    }

    /** Loads classes that would first be needed when file descriptors have run out: then they could not be loaded. */
    private static void loadWhatFailuresNeed() {
        BackOff.nanos(1, ErrorKind.OTHER);
        Tally failed = new Tally();
        failed.errors[Tally.index(ErrorKind.OTHER)] = 1;
        Window window = failed.window(0);
        Window.merge(List.of(window, window));
    }

    private void startThread(int number, List<Integer> cpus) {
        Thread thread = new Thread(() -> runLoop(number, cpus), "fettle-load-" + number);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void runLoop(int number, List<Integer> cpus) {
        try {
            prepare(number, cpus);
            startLine.await();
            loops.get(number).run(startNanos);
        } catch (Throwable e) {
            failed(number, e);
        } finally {
            loops.get(number).ended();
            running.countDown();
            ring(bell);
        }
    }

    private void prepare(int number, List<Integer> cpus) {
        try {
            if (!cpus.isEmpty()) {
                int cpu = cpus.get(number % cpus.size());
                CpuPin.pinTo(cpu)
                        .ifPresent(why ->
                                notes.add("engine thread " + number + " is not pinned to CPU " + cpu + ": " + why));
            }
            TimeSlice.shorten();
        } catch (Throwable e) {
            failed(number, e);
            // the others wait for it at the start, and who takes windows waits for its own
            loops.get(number).stop();
        }
    }

    /** Whatever it was, the user must learn why the load ended. */
    private void failed(int number, Throwable why) {
        String what = "engine thread " + number + " ended early: " + why;
        notes.add(what);
        failure = what;
    }

    private static void ring(Object bell) {
        synchronized (bell) {
            bell.notifyAll();
        }
    }

    @Override
    public synchronized Window takeWindow() {
        boolean interrupted = false;
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).recorder().offer(spare.get(i));
            loops.get(i).transport().wakeup();
        }
        List<Window> each = new ArrayList<>();
        for (int i = 0; i < loops.size(); ) {
            try {
                Tally tally = loops.get(i).recorder().take(spare.get(i));
                if (!due.isEmpty()) {
                    tally.due(dueBy(i, tally.loadTimeAtEnd()));
                }
                each.add(tally.window(i));
                tally.clear();
                spare.set(i, tally);
                i++;
            } catch (InterruptedException e) {
                // the exchange is under way and short: finish it, then pass the interrupt on
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Window.ofThreads(each);
    }

    private long dueBy(int loop, long loadTime) {
        Schedule schedule = due.get(loop);
        synchronized (bell) {
            schedule.endAt(course.end());
        }
        return schedule.advancePast(loadTime);
    }

    @Override
    public boolean isDone() {
        return running.getCount() == 0;
    }

    @Override
    public boolean awaitDone(Duration max) throws InterruptedException {
        return running.await(max.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void endIn(Duration time) {
        follow((before, now) -> before.endingIn(time.toNanos(), now));
    }

    @Override
    public void pause() {
        follow(LoadClock::pausedFrom);
    }

    @Override
    public void resume() {
        follow(LoadClock::resumedAt);
    }

    private interface Change {
        LoadClock of(LoadClock before, long now);
    }

    /** All loops change at the same moment of the run, so that what is due stays evenly shared. */
    private void follow(Change change) {
        synchronized (bell) {
            long start = startNanos;
            LoadClock next =
                    change.of(course, start == 0 ? 0 : System.nanoTime() - start); // 0: its threads are still starting
            if (next != course) {
                course = next;
                loops.forEach(loop -> loop.follow(next));
                bell.notifyAll();
            }
        }
    }

    @Override
    public boolean awaitQuiet(Duration max) throws InterruptedException {
        long begun = System.nanoTime();
        synchronized (bell) {
            while (!isDone() && course.isPaused() && !isQuiet()) {
                long left = max.toNanos() - (System.nanoTime() - begun);
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(bell, left);
            }
            return isDone() || course.isPaused();
        }
    }

    private boolean isQuiet() {
        return loops.stream().allMatch(loop -> loop.isQuietIn(course));
    }

    @Override
    public int connectionsOpen() {
        return loops.stream().mapToInt(loop -> loop.transport().openLinks()).sum();
    }

    @Override
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public List<String> notes() {
        // several loops may have noted the same
        return Stream.concat(notes.stream(), loops.stream().flatMap(loop -> loop.notes().stream()))
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        loops.forEach(EngineLoop::stop);
        beginning.complete(System.nanoTime()); // one that still waits begins, and finds that it has been stopped
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
