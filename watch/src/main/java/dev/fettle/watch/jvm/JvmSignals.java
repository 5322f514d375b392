package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.watch.heap.JvmCounters;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A JVM's own figures over time: its heap and collections, its pools and sessions, and what its server's workers wait
 * for. It attaches by itself on a thread of its own when it is first asked; if that fails, the figures are not
 * observed. If the JVM stops answering, a reading takes {@link RunningJvm#LOOK_BOUND}; while a call is outstanding, no other is made.
 */
public final class JvmSignals implements SignalSource {
    /** Time from a failure to attach to the next attempt. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    /**
     * Listing all thread names costs as much as everything else. While there are no workers, it is done only this often, and
     * at every other look if threads have been started since.
     */
    private static final int SEARCH_EVERY = 8;

    private static final long COUNTED_APART_NANOS = 400_000_000;

    private record Counted(JvmCounters.Heap heap, long nanos) {}

    private static final List<String> ALL = List.of(
            "heap.*",
            "gc.*",
            Signals.THREADS_STARTED,
            Signals.THREADS_DEADLOCKED,
            Signals.ALLOC_RATE,
            Signals.CLASSES_LOADED,
            Signals.MEMORY_DIRECT,
            Signals.METASPACE_USED,
            "codecache.*",
            Signals.FINALIZERS_WAITING,
            "wait.*",
            "io.*",
            "virtual.*",
            "pool.*",
            Signals.SESSIONS_ACTIVE);

    /** The reason given while the JVM may still answer. */
    public static final String NOT_YET = "the JVM is being attached to, and has not answered yet";

    private final long pid;
    private final IntSupplier port;
    private final Optional<RunningJvm> given;

    /** Searched for repeatedly: a server may start its first worker with the first request. */
    private volatile Optional<JvmProbe> workers;

    private Optional<ServerBeans> server = Optional.empty();
    private final SamplingRate rate = SamplingRate.ofTarget("MBeans");
    private @Nullable CompletableFuture<Attached> attached;
    /** Looks at the threads of a JVM that answers nothing else. */
    private Optional<SignalSource> refused = Optional.empty();

    /** Reads what a JVM that does not answer has counted, and what was read last. */
    private Optional<JvmCounters> counters = Optional.empty();

    private Optional<Counted> counted = Optional.empty();

    private final ResponseGap silence = new ResponseGap();
    private boolean answered;

    /** Whether the load has rested since the last look at the heap. */
    private volatile boolean rested;

    private long failed;
    private int searches;
    private int serverSearches;
    /** Whether the server itself has said how many of its workers are busy. */
    private boolean countsBusy;

    private long startedThreads;
    private String noWorkers = "its threads have not been sampled yet";

    /** Whether it also counts the workers; otherwise another source does. */
    private final boolean counting;

    /** Whether it counts the busy ones alone. */
    private boolean busyToo;

    /** Whether all threads may be looked at now and then. */
    private boolean allThreads;

    private JvmSignals(
            long pid, IntSupplier port, Optional<RunningJvm> given, Optional<JvmProbe> workers, boolean counting) {
        this.counting = counting;
        this.pid = pid;
        this.port = port;
        this.given = given;
        this.workers = workers;
    }

    /**
     * Signals of a JVM that is not attached yet.
     *
     * @param port where its server listens
     */
    public static JvmSignals of(long pid, int port) {
        return new JvmSignals(pid, () -> port, Optional.empty(), Optional.empty(), false);
    }

    /**
     * Signals of a JVM that is not attached yet, with the counts of its workers.
     *
     * @param port where its server listens now; any number if it does not
     */
    public static JvmSignals withWorkers(long pid, IntSupplier port) {
        return new JvmSignals(pid, port, Optional.empty(), Optional.empty(), true);
    }

    /**
     * Signals over a connection that the caller closes.
     *
     * @param workers a probe of its workers that other parts use, too
     */
    public static JvmSignals over(RunningJvm jvm, int port, Optional<JvmProbe> workers) {
        return new JvmSignals(0, () -> port, Optional.of(jvm), workers, false);
    }

    /**
     * This, with looks at all threads now and then ({@link ThreadMoments}).
     *
     * @param allowed whether there may be any
     */
    public JvmSignals withThreads(boolean allowed) {
        allThreads = allowed;
        return this;
    }

    /**
     * This, with the busy workers counted by their stacks once there are any.
     *
     * @param wanted whether nothing else counts them
     */
    public JvmSignals withBusy(boolean wanted) {
        busyToo = wanted;
        return this;
    }

    /** Signals of a JVM that can't be attached to. */
    public static SignalSource none(String why) {
        return sink -> none(sink, why);
    }

    /** The readers, once there is a connection. */
    private record Attached(
            RunningJvm jvm,
            boolean owned,
            HeapBeans heap,
            PoolBeans pools,
            IoThreads io,
            ThreadMoments threads,
            CallTimeout<Reading> patience) {

        static Attached over(RunningJvm jvm, boolean owned) throws IOException {
            return new Attached(
                    jvm,
                    owned,
                    new HeapBeans(jvm.beans(), System::nanoTime),
                    new PoolBeans(jvm.beans()),
                    new IoThreads(jvm),
                    new ThreadMoments(jvm),
                    jvm.patience());
        }
    }

    private Attached attach() {
        try {
            if (given.isPresent()) {
                return Attached.over(given.get(), false);
            }
            RunningJvm jvm = RunningJvm.attach(pid);
            try {
                return Attached.over(jvm, true);
            } catch (IOException | RuntimeException e) {
                jvm.close();
                throw e;
            }
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void sample(Sink sink) {
        if (attached == null) {
            var future = new CompletableFuture<Attached>();
            attached = future;
            Thread.ofPlatform().daemon().name("fettle-attach").start(() -> {
                try {
                    future.complete(attach());
                } catch (Throwable e) {
                    future.completeExceptionally(e);
                }
            });
        }
        if (!attached.isDone()) {
            silent(sink, NOT_YET);
            counters(sink);
            return;
        }
        try {
            read(attached.join(), sink);
        } catch (CompletionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            String words = why.getMessage() == null ? why.toString() : why.getMessage();
            silent(sink, words.replaceAll("\\s+", " "));
            counters(sink);
            if (refused.isEmpty() && allThreads && given.isEmpty()) {
                refused = Optional.of(refused(pid, words, true));
            }
            refused.ifPresent(r -> r.sample(sink));
            tryAgain();
        }
    }

    /** What prevented it may be temporary, such as a machine without a free port. */
    private void tryAgain() {
        long now = System.nanoTime();
        if (failed == 0) {
            failed = now;
        } else if (now - failed > AGAIN.toNanos()) {
            failed = 0;
            attached = null;
        }
    }

    /** What the JVM has counted by itself, while it does not answer: how full its heap is, and how much of the time it collects. */
    private void counters(Sink sink) {
        long now = System.nanoTime();
        if (counted.isPresent() && now - counted.get().nanos() < COUNTED_APART_NANOS) {
            return;
        }
        long process = given.map(RunningJvm::pid).orElse(pid);
        if (counters.isEmpty()) {
            counters = JvmCounters.of(new Proc(), process);
        }
        Optional<JvmCounters.Heap> heap = counters.flatMap(JvmCounters::read);
        heap.ifPresent(h -> {
            counted.ifPresent(before -> {
                double share = (h.gcSeconds() - before.heap().gcSeconds()) / ((now - before.nanos()) / 1e9);
                sink.value(Signals.GC_SHARE, Math.clamp(share, 0, 1));
                // before another collection it is what was known already
                if (share > 0) {
                    sink.value(Signals.HEAP_AFTER_GC, h.used());
                    sink.value(Signals.HEAP_MAX, h.max());
                }
            });
            counted = Optional.of(new Counted(h, now));
        });
    }

    private static void none(Sink sink, String why) {
        ALL.forEach(id -> sink.notObserved(id, why));
    }

    /** Without an answer nothing is known about the workers either, if this is what counts them. */
    private void silent(Sink sink, String why) {
        none(sink, why);
        if (counting) {
            sink.notObserved("workers.*", why);
            sink.notObserved("requests.*", why);
        }
    }

    /**
     * Signals of a JVM that can be attached to but answers no call of management: what its threads do, and why there is nothing else.
     *
     * @param allThreads whether they may be looked at
     */
    public static SignalSource refused(long pid, String why, boolean allThreads) {
        SignalSource none = none(why);
        if (!allThreads || !AttachSocket.listens(pid)) {
            return none;
        }
        var threads = new AttachedThreads(pid);
        return new SignalSource() {
            @Override
            public void sample(Sink sink) {
                none.sample(sink);
                threads.sample(sink);
            }

            @Override
            public void measuringBegins() {
                threads.measuringBegins();
            }
        };
    }

    private record Reading(
            Map<String, Double> figures, Map<String, String> notObserved, Optional<ThreadsSeen> threads) {}

    private void read(Attached a, Sink sink) {
        if (!a.patience().isWaiting() && !isDue(a)) {
            return;
        }
        try {
            Optional<Reading> reading = a.patience().ask(() -> ask(a));
            if (reading.isEmpty()) {
                silence.waits(System.nanoTime());
                counters(sink);
            } else {
                counted = Optional.empty();
            }
            reading.ifPresent(r -> {
                answered = true;
                silence.heard(System.nanoTime());
                r.figures().forEach(sink::value);
                r.notObserved().forEach(sink::notObserved);
                r.threads().ifPresent(t -> sink.threads(t, 0));
                if (!r.figures().isEmpty()) { // else nothing was looked at
                    workers.ifPresent(w -> WaitTally.tell(sink, WaitTally.KINDS, w.sightings()));
                    WaitTally.tell(sink, List.of(IoThreads.FRAME), a.io().sightings());
                    if (allThreads) {
                        WaitTally.tell(sink, WaitTally.KINDS_OF_ALL, a.threads().running());
                    }
                }
            });
        } catch (IOException e) {
            // the JVM or the connection is gone
        }
        if (!answered) {
            silent(sink, NOT_YET);
        }
    }

    @Override
    public void measuringBegins() {
        refused.ifPresent(SignalSource::measuringBegins);
        workers.ifPresent(JvmProbe::measuringBegins);
        if (attached != null && attached.isDone() && !attached.isCompletedExceptionally()) {
            attached.join().io().measuringBegins();
            attached.join().threads().measuringBegins();
        }
    }

    /** Whether a sample is due; asking takes another thread, and all sightings are reported again each time. */
    private boolean isDue(Attached a) {
        long now = System.nanoTime();
        return rate.due(now)
                || a.io().isDue(now)
                || allThreads && a.threads().isDue(now)
                || workers.filter(JvmProbe::isDue).isPresent();
    }

    private Reading ask(Attached a) throws IOException {
        var figures = new HashMap<String, Double>();
        var reasons = new HashMap<String, String>();
        long begin = System.nanoTime();
        if (rate.due(begin)) {
            long cpu = a.jvm().costNanos();
            if (rested) {
                rested = false;
                a.heap().gap();
            }
            a.heap().read(figures, reasons);
            a.pools().read(figures, reasons);
            if (workers.isEmpty() && searchDue(a.jvm())) {
                List<String> names = a.jvm().threadNames();
                workers = WorkerNames.of(a.jvm(), names, port.getAsInt()).map(n -> n.probe(a.jvm()));
                noWorkers = WorkerNames.whyNone(names);
            }
            if (counting) {
                server(a).ifPresent(s -> {
                    s.workers().ifPresent(v -> figures.put(Signals.WORKERS_TOTAL, v));
                    s.busy().ifPresent(v -> {
                        figures.put(Signals.WORKERS_BUSY, v);
                        countsBusy = true;
                    });
                    s.queued().ifPresent(v -> figures.put(Signals.WORKERS_QUEUED, v));
                });
                if (server.isPresent()) {
                    figures.putAll(server.get().requests());
                }
                if (!figures.containsKey(Signals.REQUESTS_RATE)) {
                    reasons.put("requests.*", "no MBean of the server counts its requests");
                }
            }
            rate.looked(begin, a.jvm().costNanos() - cpu);
        }
        a.io().read(begin, figures);
        if (!a.io().found()) {
            reasons.put("io.*", "no I/O threads of Undertow or Netty were found in the JVM");
        }
        workers.ifPresentOrElse(
                w -> {
                    w.read(figures);
                    if ((counting || busyToo) && !figures.containsKey(Signals.WORKERS_BUSY)) {
                        busyByStacks(figures);
                    }
                },
                () -> {
                    reasons.put("wait.*", noWorkers);
                    if (counting && server.isEmpty()) {
                        reasons.put("workers.*", noWorkers);
                    }
                });
        boolean seen = allThreads && a.threads().read(begin);
        return new Reading(figures, reasons, seen ? Optional.of(a.threads().seen()) : Optional.empty());
    }

    private boolean searchDue(RunningJvm jvm) {
        long started = jvm.threads().getTotalStartedThreadCount();
        searches++;
        // a JVM may start a thread for each request: every other look then
        boolean due = searches % SEARCH_EVERY == 1 || started != startedThreads && searches % 2 == 0;
        if (due) {
            startedThreads = started;
        }
        return due;
    }

    /** Busy workers of servers that do not count them, as Undertow's pool of jboss-threads 3.5 and later: those whose stacks are not idle. */
    private void busyByStacks(Map<String, Double> figures) {
        if (countsBusy) {
            return;
        }
        double busy = 0;
        double all = 0;
        boolean seen = false;
        for (WorkerState state : WorkerState.values()) {
            @Nullable Double n = state.signal().map(figures::get).orElse(null);
            if (n != null) {
                seen = true;
                all += n;
                busy += state.busy() ? n : 0;
            }
        }
        if (seen) {
            figures.put(Signals.WORKERS_BUSY, busy);
            figures.putIfAbsent(Signals.WORKERS_TOTAL, all);
        }
    }

    /** Counts from the server's own beans; the rest comes from the workers' stacks. */
    private Optional<WorkerProbe.Sample> server(Attached a) throws IOException {
        // each search is several questions
        if (server.isEmpty() && (serverSearches < 4 || serverSearches % SEARCH_EVERY == 0)) {
            server = ServerBeans.of(a.jvm(), port.getAsInt());
        }
        serverSearches++;
        return server.isEmpty() ? Optional.empty() : Optional.of(server.get().workers());
    }

    @Override
    public void gap() {
        rested = true;
        rate.rested();
        silence.gap();
    }

    @Override
    public List<String> notes() {
        return silence.note(System.nanoTime()).stream().toList();
    }

    @Override
    public void close() {
        if (attached != null) {
            var unused = attached.thenAccept(a -> {
                if (a.owned()) {
                    a.jvm().close();
                }
            });
        }
    }
}
