package dev.fettle.watch.jfr;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Sighting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums over a recording, by name. Bounded. Not thread-safe. */
final class RecordedSums {
    /** Most names kept of each kind, since a program may have any number of files and peers. */
    private static final int MOST_HELD = 2_000;

    private static final int MOST_TOLD = 6;

    private final Map<String, Map<String, Sum>> kinds = new HashMap<>();
    private long firstThrown = -1;
    private long lastThrown = -1;

    /** One name. */
    private static final class Sum {
        private long times;
        private double total;
        private double most;
        private double bytes;
        private final Map<String, Integer> where = new HashMap<>();
    }

    void collection(String name, double pauses, double longest) {
        Sum s = of(Sighting.JFR_GC, name);
        s.times++;
        s.total += pauses;
        s.most = Math.max(s.most, longest);
    }

    void operation(String name, double millis) {
        add(Sighting.JFR_VM_OPERATION, name, millis);
    }

    void monitor(String type, double millis, String where) {
        where(add(Sighting.JFR_MONITOR, type, millis), where);
    }

    void pinned(String where, double millis) {
        add(Sighting.JFR_PINNED, where, millis);
    }

    void socket(String peer, double millis, double bytes) {
        add(Sighting.JFR_SOCKET_READ, peer, millis).bytes += Math.max(0, bytes);
    }

    void file(String path, double millis) {
        add(Sighting.JFR_FILE, path, millis);
    }

    void allocated(String type, double bytes) {
        Sum s = of(Sighting.JFR_ALLOC, type);
        s.times++;
        s.total += bytes;
    }

    void exception(String type, String where) {
        Sum s = of(Sighting.JFR_EXCEPTION, type);
        s.times++;
        s.total++;
        where(s, where);
    }

    /** Number of exceptions thrown since the JVM started. */
    void exceptions(long thrown) {
        firstThrown = firstThrown < 0 ? thrown : firstThrown;
        lastThrown = thrown;
    }

    private Sum add(String kind, String name, double millis) {
        Sum s = of(kind, name);
        s.times++;
        s.total += millis;
        s.most = Math.max(s.most, millis);
        return s;
    }

    private static void where(Sum s, String where) {
        if (s.where.size() < MOST_HELD) {
            s.where.merge(where, 1, Integer::sum);
        }
    }

    private Sum of(String kind, String name) {
        Map<String, Sum> all = kinds.computeIfAbsent(kind, _ -> new HashMap<>());
        return all.size() < MOST_HELD || all.containsKey(name)
                ? all.computeIfAbsent(name, _ -> new Sum())
                : all.computeIfAbsent("others", _ -> new Sum());
    }

    /**
     * The largest of each kind.
     *
     * @param seconds length of the recording
     */
    List<Sighting> sightings(double seconds) {
        var all = new ArrayList<Sighting>();
        for (String kind : kinds.keySet().stream().sorted().toList()) {
            kinds.getOrDefault(kind, Map.of()).entrySet().stream()
                    .sorted(Comparator.<Map.Entry<String, Sum>>comparingDouble(e -> -e.getValue().total)
                            .thenComparing(Map.Entry::getKey))
                    .limit(MOST_TOLD)
                    .forEach(e -> all.add(
                            new Sighting(kind, e.getKey(), rounded(e.getValue().total), words(kind, e.getValue()))));
        }
        if (lastThrown > firstThrown && seconds > 0) {
            double rate = (lastThrown - firstThrown) / seconds;
            all.add(new Sighting(
                    Sighting.JFR_EXCEPTIONS, "all classes", rounded(rate), "exceptions and errors created per second"));
        }
        return all;
    }

    private static String words(String kind, Sum s) {
        String where = s.where.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(e -> ", mostly in " + e.getKey())
                .orElse("");
        return switch (kind) {
            case Sighting.JFR_ALLOC -> Format.bytes(s.total) + " in " + s.times + " samples";
            case Sighting.JFR_EXCEPTION -> "of " + s.times + " that were recorded" + where;
            case Sighting.JFR_GC ->
                s.times + " collections, pauses of " + millis(s.total) + ", longest " + millis(s.most);
            case Sighting.JFR_SOCKET_READ ->
                s.times + " reads of 1 ms or more, " + millis(s.total) + ", longest " + millis(s.most) + ", "
                        + Format.bytes(s.bytes);
            default -> s.times + " times, " + millis(s.total) + ", longest " + millis(s.most) + where;
        };
    }

    private static String millis(double millis) {
        return Format.seconds(millis / 1000);
    }

    private static double rounded(double v) {
        return Math.round(v * 1e3) / 1e3;
    }
}
