package dev.fettle.report.table;

import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Signal.Thin;
import dev.fettle.model.trial.Signal.Unit;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.WatchPoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a watch sees, for Prometheus to fetch at any moment. Anyone who fetches does so less often than a second, so a gauge is of the last
 * {@value #RECENT_SECONDS} s: the mean, the highest or the last reading, as {@link Signal#thin} has it; a figure that was not read in that
 * time is absent. What is counted is counted from the beginning of the watch. Names begin with {@code fettle_watch_} and end with the unit:
 * times are in seconds, sizes in bytes. Safe to be used by several threads.
 */
public final class WatchMetrics {
    /** What a gauge is of. Prometheus fetches every 15 s in its own examples, every minute if nothing is said. */
    private static final int RECENT_SECONDS = 15;

    /** A limit is read seldom, and hardly ever changes. */
    private static final int KEPT_SECONDS = 120;

    /** A program may have any number of pools. */
    private static final int MOST_SIGNALS = 500;

    private static final String TOTAL = MetricText.TOTAL;

    private static final double MILLIS_PER_SECOND = 1000;

    /** A reading and when, seconds since the watch began. */
    private record Reading(double at, double value) {}

    /** The metric of a signal. */
    private record Metric(String name, Map<String, String> labels, double value) {}

    private final String about;
    private final Map<String, Deque<Reading>> recent = new TreeMap<>();
    private final Map<String, Double> totals = new TreeMap<>();
    private double now;
    private long points;

    /** @param about what is watched, in words */
    public WatchMetrics(String about) {
        this.about = about;
    }

    /** One more second. */
    public synchronized void add(WatchPoint point) {
        now = point.at();
        points++;
        point.values().forEach((id, value) -> {
            if (Double.isFinite(value)) {
                add(id, value);
            }
        });
        recent.forEach((id, readings) -> forget(readings, Signal.of(id).thin()));
        recent.values().removeIf(Deque::isEmpty);
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

    /**
     * All that is known now.
     *
     * @param open whether in the format of OpenMetrics 1.0, otherwise Prometheus' text format 0.0.4
     */
    public synchronized String text(boolean open) {
        var out = new MetricText("fettle_watch_", open);
        out.head("info", "gauge", "What is watched.");
        out.sample("info", Map.of("target", about), 1);
        out.head("seconds" + TOTAL, "counter", "Seconds that were watched.");
        out.sample("seconds" + TOTAL, Map.of(), points);
        for (Map.Entry<Signal, List<Metric>> family : families().entrySet()) {
            String name = family.getValue().getFirst().name();
            out.head(name, family.getKey().thin() == Thin.SUM ? "counter" : "gauge", about(family.getKey()));
            family.getValue().forEach(m -> out.sample(m.name(), m.labels(), m.value()));
        }
        return out.text();
    }

    /** In the order of the catalogue; those of a name belong together. */
    private Map<Signal, List<Metric>> families() {
        var byName = new LinkedHashMap<String, Signal>();
        var found = new LinkedHashMap<Signal, List<Metric>>();
        for (Signal signal : signals()) {
            Metric metric = metric(signal);
            Signal first = byName.computeIfAbsent(metric.name(), k -> signal);
            List<Metric> family = found.computeIfAbsent(first, k -> new ArrayList<>());
            if (family.stream().noneMatch(m -> m.labels().equals(metric.labels()))) { // two ids may become one name
                family.add(metric);
            }
        }
        return found;
    }

    private List<Signal> signals() {
        Set<String> ids = new TreeSet<>(recent.keySet());
        ids.addAll(totals.keySet());
        var all = new ArrayList<Signal>();
        for (Signal known : Signal.all()) {
            if (ids.remove(known.id())) {
                all.add(known);
            }
        }
        ids.forEach(id -> all.add(Signal.of(id)));
        return Collections.unmodifiableList(all);
    }

    private Metric metric(Signal signal) {
        double scale = signal.unit() == Unit.MILLIS ? 1 / MILLIS_PER_SECOND : 1;
        double value = scale * (signal.thin() == Thin.SUM ? totals.getOrDefault(signal.id(), 0.0) : gauge(signal));
        int last = signal.id().lastIndexOf('.');
        if (signal.id().startsWith(Signals.POOL) && last > Signals.POOL.length()) {
            String pool = signal.id().substring(Signals.POOL.length(), last);
            return new Metric("pool_" + snake(signal.id().substring(last + 1)), Map.of("pool", pool), value);
        }
        return new Metric(name(signal), Map.of(), value);
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

    /** Only a counter's name ends with {@code _total}. */
    private static String name(Signal signal) {
        String name = snake(signal.id());
        if (signal.thin() == Thin.SUM) {
            return name + TOTAL;
        }
        String unit = unit(signal);
        return unit.isEmpty() && name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name + unit;
    }

    private static String unit(Signal signal) {
        return switch (signal.unit()) {
            case COUNT -> "";
            case CPUS -> "_cpus";
            case SHARE -> "_ratio";
            case MILLIS -> "_seconds";
            case BYTES -> "_bytes";
            case PER_SECOND -> "_per_second";
            case BYTES_PER_SECOND -> "_bytes_per_second";
        };
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
