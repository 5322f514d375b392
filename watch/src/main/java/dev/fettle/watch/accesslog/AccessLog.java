package dev.fettle.watch.accesslog;

import dev.fettle.model.rule.Bounds;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an access log says of its requests over time, in bounded memory: at most {@value #MOST_BINS} stretches of time, whose length doubles when
 * these are full.
 */
public final class AccessLog {
    /** From this time on a request is slow. */
    private static final double SLOW_SECONDS = Bounds.value("slow-request");

    /** Lines by which its columns are recognised. */
    private static final int FIRST_LINES = 2000;

    private static final int MOST_BINS = 600;

    /** Lines may be this much earlier than the first one: they are in the order in which requests ended. */
    private static final long LATE_SECONDS = 600;

    /** Later than this after the first line: no log goes on for so long. */
    private static final long LONGEST_SECONDS = 20L * 365 * 86_400;

    private static final int MOST_PATHS = 2000;
    private static final int MOST_CLIENTS = 1000;
    private static final int MOST_REPORTED = 5;
    private static final long NANOS = 1_000_000_000;
    private static final int SWITCHING_PROTOCOLS = 101;

    private final TimeColumns times;
    private final Map<Long, Bin> bins = new HashMap<>();
    private final Map<String, Path> paths = new HashMap<>();
    private final Set<String> clients = new HashSet<>();
    private long first = Long.MIN_VALUE;
    private long last;
    private int step = 1;
    private long requests;
    private long unread;

    private AccessLog(TimeColumns times) {
        this.times = times;
    }

    /** One stretch of time. */
    private static final class Bin {
        private long n;
        private long errors;
        private long failed;
        private long slow;
        private double total;
        private double behind;
        private double first;
        private final Latency latency = new Latency();

        void add(Bin b) {
            n += b.n;
            errors += b.errors;
            failed += b.failed;
            slow += b.slow;
            total += b.total;
            behind += b.behind;
            first += b.first;
            latency.add(b.latency);
        }
    }

    /** How long requests took, counted in steps of a tenth. */
    private static final class Latency {
        private static final double BASE = 1.1;
        private static final double LEAST = 1e-4;
        private final int[] counts = new int[180];
        private long n;

        void add(double seconds) {
            int i = seconds <= LEAST ? 0 : (int) Math.ceil(Math.log(seconds / LEAST) / Math.log(BASE));
            counts[Math.min(counts.length - 1, i)]++;
            n++;
        }

        void add(Latency other) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += other.counts[i];
            }
            n += other.n;
        }

        /** Seconds; NaN if there is none. */
        double p99() {
            long left = n - (long) Math.ceil(0.99 * n);
            for (int i = counts.length - 1; i >= 0; i--) {
                left -= counts[i];
                if (left < 0) {
                    return LEAST * Math.pow(BASE, i);
                }
            }
            return Double.NaN;
        }
    }

    /** What was asked for at one path. */
    private static final class Path {
        private long n;
        private long failed;
        private long slow;
        private double total;
        private final Map<Integer, Long> statuses = new HashMap<>();
    }

    /** Whether a line is one of an access log. */
    public static boolean isOne(String line) {
        return AccessLine.read(line).isPresent();
    }

    /** The time on a line; empty if it is none of an access log. */
    public static Optional<Instant> at(String line) {
        return AccessLine.read(line).map(AccessLine::at);
    }

    /** The text of a log, from its begin, each time it is asked for. */
    public interface Source {
        BufferedReader open() throws IOException;
    }

    /**
     * Reads a log, twice: its first lines show which columns are times.
     *
     * @param from requests before are left out
     * @param to requests from then on are left out
     * @param unit of times that are whole numbers: {@code s}, {@code ms} or {@code us}; empty to tell it from the figures
     * @throws IOException if it can't be read, or no line of it is one of an access log
     */
    public static AccessLog read(Source source, Instant from, Instant to, Optional<String> unit) throws IOException {
        var head = new ArrayList<AccessLine>();
        try (BufferedReader in = source.open()) {
            int looked = 0;
            for (String line = in.readLine();
                    line != null && looked++ < 4 * FIRST_LINES && head.size() < FIRST_LINES;
                    line = in.readLine()) {
                AccessLine.read(line).ifPresent(head::add);
            }
        }
        if (head.isEmpty()) {
            throw new IOException("no line of it has a time, a request and a status");
        }
        var log = new AccessLog(TimeColumns.of(head, unit.map(u -> switch (u) {
            case "s" -> TimeColumns.Unit.SECONDS;
            case "ms" -> TimeColumns.Unit.MILLIS;
            default -> TimeColumns.Unit.MICROS;
        })));
        try (BufferedReader in = source.open()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isBlank()) {
                    AccessLine.read(line)
                            .ifPresentOrElse(
                                    l -> {
                                        if (!l.at().isBefore(from) && l.at().isBefore(to)) {
                                            log.add(l);
                                        }
                                    },
                                    () -> log.unread++);
                }
            }
        }
        return log;
    }

    private void add(AccessLine l) {
        long at = l.at().getEpochSecond();
        if (first == Long.MIN_VALUE) {
            first = at;
            last = at;
        }
        if (at < first - LATE_SECONDS || at > first + LONGEST_SECONDS) {
            unread++;
            return;
        }
        requests++;
        last = Math.max(last, at);
        while ((last - first) / step >= MOST_BINS) {
            halve();
        }
        Bin bin = bins.computeIfAbsent(Math.max(0, at - first) / step, _ -> new Bin());
        bin.n++;
        bin.errors += l.status() >= 400 ? 1 : 0;
        bin.failed += l.status() >= 500 ? 1 : 0;
        if (clients.size() < MOST_CLIENTS) {
            clients.add(l.client());
        }
        Path path = paths.size() < MOST_PATHS || paths.containsKey(l.path())
                ? paths.computeIfAbsent(l.path(), _ -> new Path())
                : paths.computeIfAbsent("(other paths)", _ -> new Path());
        path.n++;
        if (l.status() >= 500) {
            path.failed++;
            path.statuses.merge(l.status(), 1L, Long::sum);
        }
        // a connection that became a WebSocket is open for as long as it likes
        if (l.status() != SWITCHING_PROTOCOLS) {
            times.total()
                    .map(c -> c.seconds(l))
                    .filter(OptionalFigure::isPresent)
                    .ifPresent(t -> {
                        double seconds = t.getAsDouble();
                        bin.total += seconds;
                        bin.latency.add(seconds);
                        path.total += seconds;
                        if (seconds >= SLOW_SECONDS) {
                            bin.slow++;
                            path.slow++;
                        }
                        bin.behind += times.behind()
                                .map(c -> Math.min(seconds, c.seconds(l).orElse(0)))
                                .orElse(0.0);
                        bin.first += times.first()
                                .map(c -> Math.min(seconds, c.seconds(l).orElse(seconds)))
                                .orElse(seconds);
                    });
        }
    }

    private void halve() {
        var merged = new HashMap<Long, Bin>();
        bins.forEach((i, b) -> merged.computeIfAbsent(i / 2, _ -> new Bin()).add(b));
        bins.clear();
        bins.putAll(merged);
        step *= 2;
    }

    /** Lines that are requests. */
    public long requests() {
        return requests;
    }

    /** Lines that are none. */
    public long unread() {
        return unread;
    }

    /** When its first line was written, and its last, to the second. */
    public Instant from() {
        return Instant.ofEpochSecond(first);
    }

    /** The end of the second of its last line. */
    public Instant to() {
        return Instant.ofEpochSecond(last + 1);
    }

    /** Why it is not known how long requests took; empty if it is. */
    public String noTimes() {
        return times.unclear();
    }

    /** Whether it has how long it waited for something behind it: it is a proxy's. */
    public boolean knowsBehind() {
        return times.behind().isPresent();
    }

    /** How many addresses asked, at most {@value #MOST_CLIENTS}. */
    public int clients() {
        return clients.size();
    }

    /** The mean time of a request, seconds; NaN if it is not known. */
    public double mean() {
        return times.total().isEmpty()
                ? Double.NaN
                : bins.values().stream().mapToDouble(b -> b.total).sum() / Math.max(1, requests);
    }

    /** The figures in words: {@code 12,000 requests, 84.0 ms each}. */
    public String about() {
        return Format.count(requests)
                + (requests == 1 ? " request" : " requests")
                + (Double.isNaN(mean()) ? "" : ", " + Format.seconds(mean()) + " each")
                + (unread > 0 ? ", " + Format.count(unread) + " lines are none" : "");
    }

    /**
     * The log over time, as signals; it begins with the first line.
     *
     * @param front whether it is that of a proxy in front of the server of interest
     */
    public Timeline timeline(boolean front) {
        var out = new TimelineRecorder(step * 1000L, () -> 0);
        out.measuringBegins();
        long end = (last - first) / step;
        boolean timed = times.total().isPresent();
        for (long i = 0; i <= end; i++) {
            Bin b = bins.getOrDefault(i, new Bin());
            long from = i * step * NANOS;
            long to = from + step * NANOS;
            double seconds = step;
            out.span(front ? Signals.FRONT_RATE : Signals.REQUESTS_RATE, from, to, b.n / seconds);
            out.span(front ? Signals.FRONT_FAILED : Signals.REQUESTS_FAILED, from, to, b.failed / seconds);
            if (!front) {
                out.span(Signals.REQUESTS_ERRORS, from, to, b.errors / seconds);
            }
            if (!timed) {
                continue;
            }
            out.span(front ? Signals.FRONT_UNDER_WAY : Signals.REQUESTS_UNDER_WAY, from, to, b.total / seconds);
            out.span(front ? Signals.FRONT_SLOW : Signals.REQUESTS_SLOW, from, to, b.slow / seconds);
            out.span(front ? Signals.FRONT_P99 : Signals.REQUESTS_P99, from, to, b.latency.p99() * 1e3);
            if (front && knowsBehind()) {
                out.span(Signals.FRONT_BEHIND, from, to, b.behind / seconds);
            }
            if (!front && times.first().isPresent()) {
                out.span(Signals.REQUESTS_WRITING, from, to, (b.total - b.first) / seconds);
            }
        }
        if (!timed) {
            out.notObserved(front ? Signals.FRONT_UNDER_WAY : Signals.REQUESTS_UNDER_WAY, times.unclear());
            out.notObserved(front ? Signals.FRONT_SLOW : Signals.REQUESTS_SLOW, times.unclear());
        }
        return out.timeline().withSightings(sightings(front));
    }

    private List<Sighting> sightings(boolean front) {
        var all = new ArrayList<Sighting>();
        paths.entrySet().stream()
                .filter(e -> e.getValue().slow > 0)
                .sorted(Comparator.comparingLong(e -> -e.getValue().slow))
                .limit(MOST_REPORTED)
                .forEach(e -> all.add(new Sighting(
                        front ? Sighting.FRONT_PATH_SLOW : Sighting.PATH_SLOW,
                        e.getKey(),
                        e.getValue().slow,
                        "of " + Format.count(e.getValue().n) + ", "
                                + Format.seconds(e.getValue().total / Math.max(1, e.getValue().n)) + " in the mean")));
        paths.entrySet().stream()
                .filter(e -> e.getValue().failed > 0)
                .sorted(Comparator.comparingLong(e -> -e.getValue().failed))
                .limit(MOST_REPORTED)
                .forEach(e -> all.add(new Sighting(
                        front ? Sighting.FRONT_PATH_FAILED : Sighting.PATH_FAILED,
                        e.getKey(),
                        e.getValue().failed,
                        "status "
                                + e.getValue().statuses.entrySet().stream()
                                        .max(Map.Entry.comparingByValue())
                                        .map(Map.Entry::getKey)
                                        .orElse(0))));
        return all;
    }
}
