package dev.fettle.report.table;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signal.Thin;
import dev.fettle.model.trial.Signals;
import dev.fettle.report.table.MetricFamily.Kind;
import dev.fettle.report.table.MetricFamily.Sample;
import dev.fettle.report.table.MetricFamily.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * What is seen while it happens, of a watch or of loads, for Prometheus to fetch at any moment, or to be sent. Anyone who fetches does so less
 * often than a second, so a gauge is of the last {@value #RECENT_SECONDS} s: the mean, the highest or the last reading, as
 * {@link Signal#thin} has it; a figure that was not read in that time is absent. What is counted is counted from the beginning. Names begin with
 * {@code fettle_watch_}, of a load's answers {@code fettle_load_}, and end with the unit: times are in seconds, sizes in bytes. Safe to be used
 * by several threads.
 */
public final class LiveMetrics {
    /** What a gauge is of. Prometheus fetches every 15 s in its own examples, every minute if nothing is said. */
    private static final int RECENT_SECONDS = 15;

    /** A limit is read seldom, and hardly ever changes; and a load that has ended is there for the last fetch. */
    private static final int KEPT_SECONDS = 120;

    /** A program may have any number of pools. */
    private static final int MOST_SIGNALS = 500;

    private static final double MILLIS_PER_SECOND = 1000;

    private static final String WATCH = "fettle_watch_";
    private static final String LOAD = "fettle_load_";

    private static final Map<Signal.Unit, Unit> UNITS = Map.of(
            Signal.Unit.COUNT, Unit.COUNT,
            Signal.Unit.CPUS, Unit.CPUS,
            Signal.Unit.SHARE, Unit.SHARE,
            Signal.Unit.MILLIS, Unit.SECONDS,
            Signal.Unit.BYTES, Unit.BYTES,
            Signal.Unit.PER_SECOND, Unit.PER_SECOND,
            Signal.Unit.BYTES_PER_SECOND, Unit.BYTES_PER_SECOND);

    /** A reading and when, seconds since the beginning. */
    private record Reading(double at, double value) {}

    /**
     * Answers of a load since the last ones.
     *
     * @param labels of which load: its trial, its stage
     * @param errors failed requests by kind
     * @param latency of the valid responses, in nanoseconds; it is read at once
     */
    public record Answers(Map<String, String> labels, Map<ErrorKind, Long> errors, Histogram latency) {}

    /** One load's answers so far. */
    private static final class Load {
        private final long since;
        private final Map<ErrorKind, Long> errors = new TreeMap<>();
        private final Histogram latency;
        private double last;

        /** @param alike the sums of such are cheap: they have the same buckets */
        Load(long since, Histogram alike) {
            this.since = since;
            latency = alike.copy();
            latency.reset();
        }
    }

    private final String about;
    private final long since;
    private final Map<String, Deque<Reading>> recent = new TreeMap<>();
    private final Map<String, Double> totals = new TreeMap<>();
    private final Map<Map<String, String>, Load> loads = new LinkedHashMap<>();
    private final Map<String, Boolean> trials = new LinkedHashMap<>();
    private Optional<String> verdict = Optional.empty();
    private double now;
    private long points;

    /**
     * @param about what is watched or loaded, in words
     * @param since when it begins, milliseconds since 1970
     */
    public LiveMetrics(String about, long since) {
        this.about = about;
        this.since = since;
    }

    /**
     * One more second.
     *
     * @param at when it ended, seconds since the beginning
     * @param values what was read in it, by {@link Signal#id}
     */
    public synchronized void add(double at, Map<String, Double> values) {
        now = at;
        points++;
        values.forEach((id, value) -> {
            if (Double.isFinite(value)) {
                add(id, value);
            }
        });
        recent.forEach((id, readings) -> forget(readings, Signal.of(id).thin()));
        recent.values().removeIf(Deque::isEmpty);
        loads.values().removeIf(l -> l.last <= now - KEPT_SECONDS);
    }

    private void add(String id, double value) {
        if (Signal.of(id).thin() == Thin.SUM) {
            if (totals.containsKey(id) || totals.size() < MOST_SIGNALS) {
                totals.merge(id, value, Double::sum);
            }
        } else if (recent.containsKey(id) || recent.size() < MOST_SIGNALS) {
            recent.computeIfAbsent(id, k -> new ArrayDeque<>()).add(new Reading(now, value));
        }
    }

    private void forget(Deque<Reading> readings, Thin thin) {
        int kept = thin == Thin.LAST ? KEPT_SECONDS : RECENT_SECONDS;
        while (!readings.isEmpty() && readings.getFirst().at() <= now - kept) {
            readings.removeFirst();
        }
        while (thin == Thin.LAST && readings.size() > 1) {
            readings.removeFirst();
        }
    }

    /** Answers of a load since the last ones, at the end of a second that was {@link #add added}. */
    public synchronized void answered(Answers some) {
        Load load = loads.computeIfAbsent(
                some.labels(), k -> new Load(since + Math.round(MILLIS_PER_SECOND * now), some.latency()));
        load.last = now;
        some.errors().forEach((kind, n) -> load.errors.merge(kind, n, Long::sum));
        load.latency.add(some.latency());
    }

    /** A trial has ended. */
    public synchronized void ended(String trial, boolean valid) {
        trials.put(trial, valid);
    }

    /** The run has its answer, in words. */
    public synchronized void concluded(String answer) {
        verdict = Optional.of(answer);
    }

    /** The answer of the run, in words, once it has one. */
    synchronized Optional<String> verdict() {
        return verdict;
    }

    /**
     * All that is known now.
     *
     * @param open whether in the format of OpenMetrics 1.0, otherwise Prometheus' text format 0.0.4
     */
    public String text(boolean open) {
        var out = new MetricText("", open);
        for (MetricFamily f : families()) {
            out.head(f.name(), f.kind().name().toLowerCase(Locale.ROOT), f.help());
            f.samples()
                    .forEach(s -> s.times()
                            .ifPresentOrElse(
                                    h -> out.histogram(f.name(), s.labels(), h),
                                    () -> out.sample(f.name(), s.labels(), s.value())));
        }
        return out.text();
    }

    /** All that is known now; what others may hold on to. */
    synchronized List<MetricFamily> families() {
        var all = new ArrayList<MetricFamily>();
        all.add(one(WATCH + "info", Kind.GAUGE, "What is watched.", Map.of("target", about), 1));
        all.add(one(WATCH + "seconds", Kind.COUNTER, "Readings, about one a second.", Map.of(), points));
        all.addAll(watched());
        all.addAll(loaded());
        return all;
    }

    private MetricFamily one(String name, Kind kind, String help, Map<String, String> labels, double value) {
        return new MetricFamily(name, kind, Unit.COUNT, help, List.of(sample(labels, value)));
    }

    private Sample sample(Map<String, String> labels, double value) {
        return new Sample(labels, since, value, Optional.empty());
    }

    private List<MetricFamily> loaded() {
        var all = new ArrayList<MetricFamily>();
        var failed = new ArrayList<Sample>();
        var latency = new ArrayList<Sample>();
        loads.forEach((labels, load) -> {
            Histogram times = load.latency.copy();
            latency.add(new Sample(labels, load.since, times.getTotalCount(), Optional.of(times)));
            load.errors.forEach((kind, n) -> {
                var named = new TreeMap<>(labels);
                named.put("kind", kind.name().toLowerCase(Locale.ROOT));
                failed.add(new Sample(named, load.since, n, Optional.empty()));
            });
        });
        if (!latency.isEmpty()) {
            all.add(new MetricFamily(
                    LOAD + "latency",
                    Kind.HISTOGRAM,
                    Unit.SECONDS,
                    "Latency of valid responses from the intended send time.",
                    latency));
        }
        if (!failed.isEmpty()) {
            all.add(new MetricFamily(LOAD + "failed", Kind.COUNTER, Unit.COUNT, "Failed requests by kind.", failed));
        }
        if (!trials.isEmpty()) {
            all.add(new MetricFamily(
                    LOAD + "trial_valid",
                    Kind.GAUGE,
                    Unit.COUNT,
                    "Whether a trial that has ended may be used: 1 or 0.",
                    trials.entrySet().stream()
                            .map(t -> sample(Map.of("trial", t.getKey()), t.getValue() ? 1 : 0))
                            .toList()));
        }
        verdict.ifPresent(
                v -> all.add(one(LOAD + "concluded", Kind.GAUGE, "The run has its answer.", Map.of("verdict", v), 1)));
        return all;
    }

    /** Signals of one name, in the order of the catalogue, by what the first of them is. */
    private record Named(Signal first, List<Sample> samples) {}

    private List<MetricFamily> watched() {
        var found = new LinkedHashMap<String, Named>();
        for (Signal signal : signals()) {
            String name = family(signal, List.of()).name();
            List<Sample> samples = found.computeIfAbsent(name, k -> new Named(signal, new ArrayList<>()))
                    .samples();
            Sample sample = sample(labels(signal), value(signal));
            if (samples.stream().noneMatch(s -> s.labels().equals(sample.labels()))) { // two ids may become one name
                samples.add(sample);
            }
        }
        return found.values().stream().map(n -> family(n.first(), n.samples())).toList();
    }

    private static MetricFamily family(Signal signal, List<Sample> samples) {
        boolean counted = signal.thin() == Thin.SUM;
        return new MetricFamily(
                base(signal),
                counted ? Kind.COUNTER : Kind.GAUGE,
                isOfPool(signal) ? Unit.COUNT : UNITS.getOrDefault(signal.unit(), Unit.COUNT),
                about(signal),
                samples);
    }

    private Set<Signal> signals() {
        Set<String> ids = new TreeSet<>(recent.keySet());
        ids.addAll(totals.keySet());
        var all = new LinkedHashSet<Signal>();
        for (Signal known : Signal.all()) {
            if (ids.remove(known.id())) {
                all.add(known);
            }
        }
        ids.forEach(id -> all.add(Signal.of(id)));
        return all;
    }

    private double value(Signal signal) {
        double scale = signal.unit() == Signal.Unit.MILLIS ? 1 / MILLIS_PER_SECOND : 1;
        return scale * (signal.thin() == Thin.SUM ? totals.getOrDefault(signal.id(), 0.0) : gauge(signal));
    }

    private double gauge(Signal signal) {
        Deque<Reading> readings = recent.getOrDefault(signal.id(), new ArrayDeque<>());
        return switch (signal.thin()) {
            case MAX -> readings.stream().mapToDouble(Reading::value).max().orElse(0);
            case LAST -> readings.isEmpty() ? 0 : readings.getLast().value();
            case MEAN, SUM ->
                readings.stream().mapToDouble(Reading::value).average().orElse(0);
        };
    }

    private static boolean isOfPool(Signal signal) {
        return signal.id().startsWith(Signals.POOL) && signal.id().lastIndexOf('.') > Signals.POOL.length();
    }

    private static Map<String, String> labels(Signal signal) {
        return isOfPool(signal)
                ? Map.of(
                        "pool",
                        signal.id().substring(Signals.POOL.length(), signal.id().lastIndexOf('.')))
                : Map.of();
    }

    private static String base(Signal signal) {
        return WATCH
                + (isOfPool(signal)
                        ? "pool_" + snake(signal.id().substring(signal.id().lastIndexOf('.') + 1))
                        : snake(signal.id()));
    }

    /** Of a pool's figure, what holds for every pool. */
    private static String about(Signal signal) {
        if (signal.id().startsWith(Signals.POOL)) {
            return "A figure that the pool reports of itself.";
        }
        return signal.about().isEmpty() ? signal.title() : signal.about();
    }

    /** Letters, digits and lines only, which is all that a name may have. */
    private static String snake(String id) {
        var name = new StringBuilder();
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                name.append('_').append(Character.toString(c).toLowerCase(Locale.ROOT));
            } else {
                name.append((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_');
            }
        }
        return name.toString();
    }
}
