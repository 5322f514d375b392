package dev.fettle.watch.signal;

import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Keeps readings as a {@link Timeline} in bounded memory: when a series is full, neighbours are merged in pairs, and
 * from then on a point stands for twice as long. Not thread-safe.
 */
public final class TimelineRecorder implements SignalSource.Sink {
    /** Sightings kept of each kind. */
    static final int MOST_SIGHTINGS = 8;

    /** If the last reading is older than this, the growth since then is not counted: the target rested. */
    private static final double LONGEST_GAP_SECONDS = 10;

    private static final double NANOS = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier clock;
    private final long origin;
    private final Map<String, Points> series = new HashMap<>();
    private final Map<String, Reading> totals = new HashMap<>();
    private final Map<String, String> notObserved = new TreeMap<>();
    private final Map<String, Map<String, Sighting>> sightings = new TreeMap<>();
    private long step;
    private OptionalLong zero = OptionalLong.empty();

    /** Values read since {@link #takeLatest} was last called. */
    private final Map<String, Points> latest = new TreeMap<>();

    private boolean latestKept;

    private record Reading(long nanos, double total) {}

    /** A recorder whose timeline begins now. */
    public TimelineRecorder(long stepMillis) {
        this(stepMillis, System::nanoTime);
    }

    /** @param clock as {@link System#nanoTime()} */
    public TimelineRecorder(long stepMillis, LongSupplier clock) {
        this.clock = clock;
        this.origin = clock.getAsLong();
        this.step = stepMillis * NANOS_PER_MILLI;
    }

    /** Measuring begins, unless it has begun before. */
    public void measuringBegins() {
        if (zero.isEmpty()) {
            zero = OptionalLong.of(clock.getAsLong());
        }
    }

    /** Forgets the totals: their growth until the next reading is not counted. */
    public void gap() {
        totals.clear();
    }

    @Override
    public void value(String id, double value) {
        valueAt(id, clock.getAsLong(), value);
    }

    @Override
    public void valueAt(String id, long nanoTime, double value) {
        if (!Double.isFinite(value)) {
            return;
        }
        Signal signal = Signal.of(id);
        if (!signal.counter()) {
            point(id, signal, nanoTime, value);
            return;
        }
        Reading before = totals.put(id, new Reading(nanoTime, value));
        if (before == null || nanoTime <= before.nanos || value < before.total) {
            notObserved.remove(id);
            return; // the first one, or a counter that began again
        }
        double seconds = (nanoTime - before.nanos) / NANOS;
        double grown = value - before.total;
        if (signal.thin() == Signal.Thin.SUM) {
            point(id, signal, nanoTime, grown);
        } else if (seconds <= LONGEST_GAP_SECONDS) {
            // the kernel's clock ticks every 10 ms, so a share may come out above 1
            double rate = grown / seconds;
            span(id, before.nanos, nanoTime, signal.unit() == Signal.Unit.SHARE ? Math.min(1, rate) : rate);
        }
    }

    private void point(String id, Signal signal, long nanoTime, double value) {
        long at = nanoTime - origin;
        if (at < 0) {
            return; // before it began
        }
        makeRoom(at);
        points(id, signal).add((int) (at / step), value);
        latest(id, signal, value);
    }

    private void latest(String id, Signal signal, double value) {
        if (latestKept) {
            latest.computeIfAbsent(id, i -> new Points(signal.thin(), 1)).add(0, value);
        }
    }

    /**
     * The values read since the last call, one for each signal; the first call returns nothing. The values of counters are rates,
     * or what was counted.
     */
    public Map<String, Double> takeLatest() {
        latestKept = true;
        var taken = new TreeMap<String, Double>();
        latest.forEach((id, points) -> taken.put(id, points.series(1).at(0)));
        latest.clear();
        return taken;
    }

    /** Events up to a moment, counted by another party. */
    public void counted(String id, long nanoTime, double count) {
        if (Double.isFinite(count)) {
            point(id, Signal.of(id), nanoTime, count);
        }
    }

    /** A value that holds for a time span: it becomes all points whose middle lies in it. */
    public void span(String id, long fromNanos, long toNanos, double value) {
        if (!Double.isFinite(value) || toNanos <= origin) {
            return;
        }
        long to = toNanos - origin;
        long from = Math.max(0, fromNanos - origin);
        makeRoom(to);
        Points points = points(id, Signal.of(id));
        latest(id, Signal.of(id), value);
        int first = (int) ((from + step / 2) / step);
        int last = (int) ((to - step / 2 - 1 + step) / step) - 1; // the last point whose middle is before the end
        if (first > last) {
            points.add((int) ((from + to) / 2 / step), value);
            return;
        }
        for (int i = first; i <= last; i++) {
            points.add(i, value);
        }
    }

    private Points points(String id, Signal signal) {
        notObserved.remove(id);
        return series.computeIfAbsent(id, i -> {
            notObserved.remove(family(i)); // "not observed" no longer holds for the family
            return new Points(signal.thin(), Timeline.MOST_POINTS);
        });
    }

    /** {@code heap.*} for {@code heap.used}. */
    private static String family(String id) {
        return id.substring(0, id.indexOf('.') + 1) + "*";
    }

    private void makeRoom(long at) {
        while (at / step >= Timeline.MOST_POINTS) {
            series.values().forEach(Points::halve);
            step *= 2;
        }
    }

    @Override
    public void notObserved(String id, String why) {
        boolean known = id.endsWith(".*")
                ? series.keySet().stream().anyMatch(i -> family(i).equals(id))
                : series.containsKey(id) || totals.containsKey(id);
        if (!known) {
            notObserved.put(id, why);
        }
    }

    @Override
    public void sighting(Sighting seen) {
        Map<String, Sighting> kind = sightings.computeIfAbsent(seen.kind(), k -> new HashMap<>());
        kind.merge(seen.what(), seen, (a, b) -> b.count() >= a.count() ? b : a);
        if (kind.size() > MOST_SIGHTINGS) {
            kind.values().stream()
                    .min(Comparator.comparingDouble(Sighting::count))
                    .ifPresent(least -> kind.remove(least.what()));
        }
    }

    /** The timeline so far. */
    public Timeline timeline() {
        int size = series.values().stream().mapToInt(Points::used).max().orElse(0);
        var values = new TreeMap<String, Series>();
        series.forEach((id, p) -> values.put(id, p.series(size)));
        List<Sighting> seen = new ArrayList<>();
        sightings
                .values()
                .forEach(kind -> kind.values().stream()
                        .sorted(Comparator.comparingDouble(Sighting::count)
                                .reversed()
                                .thenComparing(Sighting::what))
                        .forEach(seen::add));
        long start = (origin - zero.orElse(origin)) / NANOS_PER_MILLI;
        return Timeline.of(start, step / NANOS_PER_MILLI, values, notObserved, seen);
    }

    /** The points of one series. */
    private static final class Points {
        private final Signal.Thin thin;
        private final double[] values;
        private final int[] counts;
        private int used;

        Points(Signal.Thin thin, int size) {
            this.thin = thin;
            this.values = new double[size];
            this.counts = new int[size];
        }

        int used() {
            return used;
        }

        void add(int i, double value) {
            put(i, value, 1);
        }

        private void put(int i, double value, int count) {
            if (count == 0) {
                return;
            }
            values[i] = counts[i] == 0 && thin != Signal.Thin.MEAN
                    ? value
                    : switch (thin) {
                        case MEAN, SUM -> values[i] + value;
                        case MAX -> Math.max(values[i], value);
                        case LAST -> value;
                    };
            counts[i] += count;
            used = Math.max(used, i + 1);
        }

        void halve() {
            double[] old = values.clone();
            int[] oldCounts = counts.clone();
            Arrays.fill(values, 0);
            Arrays.fill(counts, 0);
            used = 0;
            for (int i = 0; i < old.length; i++) {
                put(i / 2, old[i], oldCounts[i]);
            }
        }

        Series series(int size) {
            var all = new double[size];
            for (int i = 0; i < size; i++) {
                all[i] = counts[i] == 0 ? Double.NaN : thin == Signal.Thin.MEAN ? values[i] / counts[i] : values[i];
            }
            return Series.of(all);
        }
    }
}
