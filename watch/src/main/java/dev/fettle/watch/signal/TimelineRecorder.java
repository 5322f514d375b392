package dev.fettle.watch.signal;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.Timeline;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Keeps readings as a {@link Timeline} in bounded memory: when a series is full, neighbours are merged in pairs, and
 * from then on a point stands for twice as long. Not thread-safe.
 */
public final class TimelineRecorder implements SignalSource.Sink {
    /** Most series: names that a program or a file makes up do not fill the memory. */
    static final int MOST_SERIES = 256;

    /** Sightings kept of each kind. */
    static final int MOST_SIGHTINGS = 8;

    /** The last points that {@link #recent} has. */
    static final int RECENT = 60;

    /**
     * If the last reading is older than this, the growth since then is not counted: nobody looked meanwhile. A source that slows
     * itself down looks again before that, and a rest is told ({@link #gap}).
     */
    private static final double LONGEST_GAP_SECONDS = 2 * SamplingRate.LONGEST_HOST_SECONDS;

    private static final double NANOS = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier clock;
    private final long origin;
    private final Map<String, Points> series = new HashMap<>();
    private final Map<String, Reading> totals = new HashMap<>();
    private final Map<String, String> notObserved = new TreeMap<>();
    private final Map<String, Map<String, Sighting>> sightings = new TreeMap<>();

    /** Those of which all of a kind are told at once, in the order told. */
    private final Map<String, List<Sighting>> told = new TreeMap<>();

    private ThreadsSeen threads = ThreadsSeen.NONE;

    /** What the times of those count from. */
    private long threadsFrom;

    private long step;
    private OptionalLong zero = OptionalLong.empty();

    /** Values read since {@link #takeLatest} was last called. */
    private final Map<String, Points> latest = new TreeMap<>();

    private boolean latestKept;

    /** The last points, none of which is merged with another; up to twice as many as are told. */
    private final Map<String, Points> recent = new HashMap<>();

    private boolean recentKept;

    /** Length of a recent point. */
    private final long fine;

    /** Number of the first recent point, from the origin on. */
    private long recentFirst;

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
        this.fine = step;
    }

    /** Measuring begins, unless it has begun before. What threads were seen to do until then is forgotten. */
    public void measuringBegins() {
        if (zero.isEmpty()) {
            zero = OptionalLong.of(clock.getAsLong());
            sightings.keySet().removeIf(kind -> !lasts(kind));
            told.clear();
        }
    }

    /** Whether measuring has begun. */
    public boolean isMeasuring() {
        return zero.isPresent();
    }

    /** Whether what was sighted in the warm-up holds for the measured time: connections stay, and a table of them is read seldom. */
    private static boolean lasts(String kind) {
        return kind.startsWith(Sighting.PEER) || kind.startsWith(Sighting.DUMP);
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
        if (!Double.isFinite(value) || !hasRoom(id)) {
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
        recent(id, signal, at / fine, at / fine, value);
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
        latest.forEach((id, points) -> taken.put(id, points.series(0, 1).at(0)));
        latest.clear();
        return taken;
    }

    /** The last point of a figure so far; empty before there is one. */
    public OptionalFigure last(String id) {
        Points points = series.get(id);
        return points == null
                ? OptionalFigure.empty()
                : points.series(0, points.used()).last();
    }

    /** Events up to a moment, counted by another party. */
    public void counted(String id, long nanoTime, double count) {
        if (Double.isFinite(count) && hasRoom(id)) {
            point(id, Signal.of(id), nanoTime, count);
        }
    }

    /** A value that holds for a time span: it becomes all points whose middle lies in it. */
    public void span(String id, long fromNanos, long toNanos, double value) {
        if (!Double.isFinite(value) || toNanos <= origin || !hasRoom(id)) {
            return;
        }
        long to = toNanos - origin;
        long from = Math.max(0, fromNanos - origin);
        makeRoom(to);
        Signal signal = Signal.of(id);
        Points points = points(id, signal);
        latest(id, signal, value);
        for (long i = first(from, to, step); i <= last(from, to, step); i++) {
            points.add((int) i, value);
        }
        recent(id, signal, first(from, to, fine), last(from, to, fine), value);
    }

    /** The first point whose middle lies in a span; if there is none, the point that the span's middle lies in. */
    private static long first(long from, long to, long step) {
        return Math.min((from + step / 2) / step, last(from, to, step));
    }

    /** The last one: its middle is before the end. */
    private static long last(long from, long to, long step) {
        long first = (from + step / 2) / step;
        long last = (to - step / 2 - 1 + step) / step - 1;
        return first > last ? (from + to) / 2 / step : last;
    }

    /** Keeps the last points as they are from now on, however long it takes, for {@link #recent()}. */
    public void keepRecent() {
        recentKept = true;
    }

    private void recent(String id, Signal signal, long first, long last, double value) {
        if (!recentKept) {
            return;
        }
        while (last - recentFirst >= 2 * RECENT) {
            recent.values().forEach(p -> p.drop(RECENT));
            recentFirst += RECENT;
        }
        Points points = recent.computeIfAbsent(id, i -> new Points(signal.thin(), 2 * RECENT));
        for (long i = Math.max(first, recentFirst); i <= last; i++) {
            points.add((int) (i - recentFirst), value);
        }
    }

    private boolean hasRoom(String id) {
        return series.size() < MOST_SERIES || series.containsKey(id);
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

    @Override
    public void sightings(String kind, List<Sighting> all) {
        told.put(kind, all.stream().limit(MOST_SIGHTINGS).toList());
    }

    @Override
    public void threads(ThreadsSeen seen, long from) {
        threads = seen;
        threadsFrom = from;
    }

    /** On the timeline's clock. */
    private ThreadsSeen threads() {
        long later = (threadsFrom - zero.orElse(origin)) / NANOS_PER_MILLI;
        return new ThreadsSeen(
                threads.frames(),
                threads.moments().stream()
                        .map(m -> new ThreadsSeen.Moment(m.millis() + later, m.groups()))
                        .toList(),
                threads.partial());
    }

    /** The timeline so far. */
    public Timeline timeline() {
        return timeline(series, 0, step, 0).withThreads(threads());
    }

    /** The last points of the timeline, at their first length; none before {@link #keepRecent}. */
    public Timeline recent() {
        int left = Math.max(0, used(recent) - RECENT);
        return timeline(recent, left, fine, recentFirst + left);
    }

    private static int used(Map<String, Points> points) {
        return points.values().stream().mapToInt(Points::used).max().orElse(0);
    }

    /**
     * The points from one on.
     *
     * @param from the first point told
     * @param length of a point, in nanoseconds
     * @param number of the first point told, from the origin on
     */
    private Timeline timeline(Map<String, Points> points, int from, long length, long number) {
        int to = used(points);
        var values = new TreeMap<String, Series>();
        points.forEach((id, p) -> values.put(id, p.series(from, to)));
        long start = (origin + number * length - zero.orElse(origin)) / NANOS_PER_MILLI;
        return Timeline.of(start, length / NANOS_PER_MILLI, values, notObserved, sightings());
    }

    /** The sightings so far, the most frequent of a kind first, without making a timeline. */
    public List<Sighting> sightings() {
        var kinds = new TreeMap<>(told);
        sightings.forEach((kind, seen) -> kinds.put(
                kind,
                seen.values().stream()
                        .sorted(Comparator.comparingDouble(Sighting::count)
                                .reversed()
                                .thenComparing(Sighting::what))
                        .toList()));
        return kinds.values().stream().flatMap(List::stream).toList();
    }

    /** Why figures are not observed, without making a timeline. */
    public Map<String, String> notObserved() {
        return new TreeMap<>(notObserved);
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
            moved(0, i -> i / 2);
        }

        /** Forgets the first ones; the others move up. */
        void drop(int n) {
            moved(n, i -> i - n);
        }

        private void moved(int from, IntUnaryOperator to) {
            double[] old = values.clone();
            int[] oldCounts = counts.clone();
            Arrays.fill(values, 0);
            Arrays.fill(counts, 0);
            used = 0;
            for (int i = from; i < old.length; i++) {
                put(to.applyAsInt(i), old[i], oldCounts[i]);
            }
        }

        Series series(int from, int to) {
            var all = new double[to - from];
            for (int i = from; i < to; i++) {
                all[i - from] =
                        counts[i] == 0 ? Double.NaN : thin == Signal.Thin.MEAN ? values[i] / counts[i] : values[i];
            }
            return Series.of(all);
        }
    }
}
