package dev.fettle.watch.gclog;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A garbage collection log, from {@code -Xlog:gc} (Java 9 and later) or {@code -XX:+PrintGC} (Java 8), with or without
 * details.
 *
 * @param pauses in their order
 * @param unread lines that looked like pauses and could not be read
 * @param restarts places in the list of the first pause of each further JVM: a log may be appended to when it is started again
 */
public record GcLog(List<Pause> pauses, int unread, List<Integer> restarts) {
    /** The time since a JVM's start falls by more than this only if another one writes. */
    private static final double RESTARTED_SECONDS = 1;

    private static final long NANOS = 1_000_000_000;

    /** Thirty years: what is later than that after the first line was not measured by a JVM's clock, and has no place on a timeline. */
    private static final double LONGEST_SECONDS = 1e9;

    /**
     * One pause.
     *
     * @param at seconds since the first JVM started, as if each further one had been started with the last pause before it, or since the log's first line if the log has only the time of day
     * @param what its kind and cause: {@code Pause Young (Normal) (G1 Evacuation Pause)}
     * @param full whether the whole heap was collected with all threads stopped
     * @param before heap in use before it, in bytes
     * @param after heap in use after it, in bytes
     * @param heap size of the heap, in bytes
     * @param millis its length
     */
    public record Pause(double at, String what, boolean full, double before, double after, double heap, double millis) {
        private Pause later(double seconds) {
            return new Pause(at + seconds, what, full, before, after, heap, millis);
        }
    }

    public GcLog {
        pauses = List.copyOf(pauses);
        restarts = List.copyOf(restarts);
    }

    /**
     * Reads a log.
     *
     * @throws IOException if it can't be read, or is not such a log
     */
    public static GcLog read(BufferedReader log) throws IOException {
        var pauses = new ArrayList<Pause>();
        var restarts = new ArrayList<Integer>();
        double began = 0;
        double previous = 0;
        int unread = 0;
        var clock = new LogClock();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            if (!PauseLine.isPause(line)) {
                continue;
            }
            Optional<Pause> pause = PauseLine.read(line, clock);
            double at = pause.map(Pause::at).orElse(Double.NaN);
            boolean again = at < previous - RESTARTED_SECONDS;
            if (!(Math.abs(at) < LONGEST_SECONDS && began + (again ? previous : 0) + at < LONGEST_SECONDS)) {
                unread++;
                continue;
            }
            if (again) {
                began += previous;
                restarts.add(pauses.size());
            }
            previous = at;
            pauses.add(pause.orElseThrow().later(began));
        }
        if (pauses.isEmpty()) {
            throw new IOException(
                    unread == 0
                            ? "there is no pause in it: a log of -Xlog:gc (Java 9 and later) or -XX:+PrintGC (Java 8) is wanted"
                            : "none of its " + unread
                                    + " pauses could be read: lines need a time and the heap's size before and"
                                    + " after, as -Xlog:gc and -XX:+PrintGC -XX:+PrintGCTimeStamps write them");
        }
        return new GcLog(pauses, unread, restarts);
    }

    /** The time of day on a line; empty if the log has the time since the JVM's start only. */
    public static Optional<Instant> at(String line) {
        return LogClock.day(line).map(OffsetDateTime::toInstant);
    }

    /** Whether a line reports a pause. */
    public static boolean isPause(String line) {
        return PauseLine.isPause(line);
    }

    /** The log over time, as signals; it begins with the first pause. */
    public Timeline timeline() {
        double begin = pauses.getFirst().at();
        double length = Math.max(1, pauses.getLast().at() - begin);
        var now = new AtomicLong();
        var recorder = new TimelineRecorder((long) Math.max(500, length * 1000 / Timeline.MOST_POINTS + 1), now::get);
        recorder.measuringBegins();
        double previous = Double.NaN;
        double left = Double.NaN;
        long count = 0;
        var restarted = new HashSet<>(restarts);
        for (int i = 0; i < pauses.size(); i++) {
            Pause p = pauses.get(i);
            if (restarted.contains(i)) {
                left = 0;
            }
            now.set((long) ((p.at() - begin) * NANOS));
            recorder.value(Signals.HEAP_USED, p.before());
            recorder.value(Signals.HEAP_AFTER_GC, p.after());
            recorder.value(Signals.HEAP_COMMITTED, p.heap());
            recorder.value(Signals.GC_PAUSE_MAX, p.millis());
            recorder.value(Signals.GC_COUNT, ++count);
            if (p.full()) { // all that is left is live, and a heap that could still have grown would have
                recorder.value(Signals.HEAP_LIVE, p.after());
                recorder.value(Signals.HEAP_MAX, p.heap());
            }
            if (!Double.isNaN(previous) && p.at() > previous) {
                double seconds = p.at() - previous;
                long from = (long) ((previous - begin) * NANOS);
                recorder.span(Signals.GC_SHARE, from, now.get(), Math.min(1, p.millis() / 1e3 / seconds));
                if (p.before() >= left) {
                    recorder.span(Signals.ALLOC_RATE, from, now.get(), (p.before() - left) / seconds);
                }
            }
            previous = p.at();
            left = p.after();
        }
        sightings().forEach(recorder::sighting);
        return recorder.timeline();
    }

    /** Pauses by cause, the longest total first. */
    public List<Sighting> sightings() {
        record Sum(int count, double millis, double longest) {}
        Map<String, Sum> sums = new LinkedHashMap<>();
        for (Pause p : pauses) {
            sums.merge(
                    p.what(),
                    new Sum(1, p.millis(), p.millis()),
                    (a, b) -> new Sum(a.count() + 1, a.millis() + b.millis(), Math.max(a.longest(), b.longest())));
        }
        return sums.entrySet().stream()
                .map(e -> new Sighting(
                        "gc.pause",
                        e.getKey(),
                        e.getValue().count(),
                        Format.seconds(e.getValue().millis() / 1000) + " in all, longest "
                                + Format.seconds(e.getValue().longest() / 1000)))
                .sorted((a, b) -> Double.compare(b.count(), a.count()))
                .toList();
    }
}
