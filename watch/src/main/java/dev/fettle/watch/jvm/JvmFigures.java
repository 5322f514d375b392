package dev.fettle.watch.jvm;

import dev.fettle.model.trial.Sighting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What a JVM says of itself, for the timeline: its heap and collections, its pools and sessions, its server's workers and what
 * they wait for. A JVM that does not answer costs a reading {@link #BOUND} once; while the question is under way, no other is
 * asked. Not thread-safe.
 */
public final class JvmFigures implements AutoCloseable {
    /** How long a reading waits for the JVM. */
    static final Duration BOUND = Duration.ofMillis(500);

    private static final String GONE = "the JVM did not answer";

    private final RunningJvm jvm;
    private final boolean owned;
    private final HeapBeans heap;
    private final PoolBeans pools;
    private final Optional<WorkerProbe> server;
    private final Optional<JvmProbe> workers;
    private final Patience patience = new Patience(BOUND);
    private final Map<String, String> notObserved = new TreeMap<>();
    private int unanswered;
    private int readings;

    private JvmFigures(RunningJvm jvm, boolean owned, int port, LongSupplier nanos) throws IOException {
        this.jvm = jvm;
        this.owned = owned;
        heap = new HeapBeans(jvm.beans(), nanos);
        pools = new PoolBeans(jvm.beans());
        server = ServerBeans.of(jvm, port).map(ServerBeans::probe);
        workers = WorkerNames.of(jvm, port).map(n -> JvmProbe.over(jvm, n.prefix()));
        if (workers.isEmpty()) {
            notObserved.put("wait.*", "no worker threads of Tomcat, Jetty or Undertow were found in the JVM");
        }
        if (server.isEmpty()) {
            notObserved.put("workers.queued", "the server has registered no MBeans");
        }
    }

    /**
     * Attaches to a JVM.
     *
     * @param port where its server listens
     * @throws IOException if that is not possible; the message says why
     */
    public static JvmFigures attach(long pid, int port) throws IOException {
        RunningJvm jvm = RunningJvm.attach(pid);
        try {
            return new JvmFigures(jvm, true, port, System::nanoTime);
        } catch (IOException | RuntimeException e) {
            jvm.close();
            throw new IOException("the JVM with pid " + pid + " does not tell its figures: " + e.getMessage(), e);
        }
    }

    /**
     * Uses a connection that the caller closes.
     *
     * @throws IOException if the JVM does not answer
     */
    public static JvmFigures over(RunningJvm jvm, int port) throws IOException {
        return new JvmFigures(jvm, false, port, System::nanoTime);
    }

    /** The connection, for what is asked on demand. */
    public RunningJvm jvm() {
        return jvm;
    }

    /**
     * Reads once.
     *
     * @return figures by the signals of the timeline, counters as their totals; empty if the JVM does not answer now
     */
    public SortedMap<String, Double> read() {
        readings++;
        try {
            Optional<Reading> now = patience.ask(this::ask);
            if (now.isPresent()) {
                notObserved.putAll(now.get().notObserved());
                return new TreeMap<>(now.get().figures());
            }
        } catch (IOException e) {
            // it is gone, or the connection is
        }
        unanswered++;
        return Collections.emptySortedMap();
    }

    private record Reading(Map<String, Double> figures, Map<String, String> notObserved) {}

    private Reading ask() throws IOException {
        var figures = new HashMap<String, Double>();
        var reasons = new HashMap<String, String>();
        heap.read(figures, reasons);
        pools.read(figures, reasons);
        server.flatMap(WorkerProbe::sample).ifPresent(s -> {
            s.workers().ifPresent(v -> figures.put("workers.total", v));
            s.busy().ifPresent(v -> figures.put("workers.busy", v));
            s.queued().ifPresent(v -> figures.put("workers.queued", v));
        });
        workers.ifPresent(w -> w.read(figures));
        if (!figures.containsKey("workers.busy")) {
            busyByStacks(figures);
        }
        return new Reading(figures, reasons);
    }

    /** Where the server counts none: those whose stacks are not idle. */
    private static void busyByStacks(Map<String, Double> figures) {
        double busy = 0;
        double idle = 0;
        boolean seen = false;
        for (WorkerState state : WorkerState.values()) {
            Double n = state.signal().map(figures::get).orElse(null);
            if (n != null) {
                seen = true;
                busy += state.busy() ? n : 0;
                idle += state.busy() ? 0 : n;
            }
        }
        if (seen) {
            figures.put("workers.busy", busy);
            figures.putIfAbsent("workers.total", busy + idle);
        }
    }

    /** Why a figure could not be read at all, by its signal; {@code wait.*} stands for all that begin so. */
    public SortedMap<String, String> notObserved() {
        var all = new TreeMap<>(notObserved);
        if (readings > 0 && unanswered == readings) {
            all.put("heap.*", GONE);
        }
        return all;
    }

    /** What the workers were seen waiting for: kinds {@code lock}, {@code pool} and {@code frame}. */
    public List<Sighting> sightings() {
        return workers.map(JvmProbe::sightings).orElse(List.of());
    }

    /** What the reader should know of how it was looked. */
    public List<String> notes() {
        var notes = new ArrayList<String>();
        workers.flatMap(JvmProbe::note).ifPresent(notes::add);
        if (unanswered > 0) {
            notes.add(GONE + " within " + BOUND.toMillis() + " ms in " + unanswered + " of " + readings + " readings");
        }
        return notes;
    }

    @Override
    public void close() {
        if (owned) {
            jvm.close();
        }
    }
}
