package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * What was seen over time, on one clock: all series begin at the same moment and have the same step. {@link Signal}
 * describes each of them.
 *
 * @param version of this format
 * @param startMillis start of the first point, relative to when measuring began; negative in the warm-up
 * @param stepMillis time that one point stands for
 * @param series the figures, by {@link Signal#id}
 * @param notObserved why a figure could not be read at all, by id
 * @param sightings what is not a figure: the most frequent of each kind first
 * @param threads what its threads did at a few moments
 */
public record Timeline(
        int version,
        long startMillis,
        long stepMillis,
        SequencedMap<String, Series> series,
        SequencedMap<String, String> notObserved,
        List<Sighting> sightings,
        ThreadsSeen threads) {
    /** The version that is written. */
    public static final int VERSION = 1;

    /** Most points of a series. */
    public static final int MOST_POINTS = 600;

    /** Nothing was watched. */
    public static final Timeline NONE =
            new Timeline(VERSION, 0, 0, new TreeMap<>(), new TreeMap<>(), List.of(), ThreadsSeen.NONE);

    private static final double MILLIS = 1e3;

    /** How the names of the load's own signals begin. */
    private static final String LOAD = "load.";

    public Timeline {
        series = Collections.unmodifiableSequencedMap(new TreeMap<>(series));
        notObserved = Collections.unmodifiableSequencedMap(new TreeMap<>(notObserved));
        sightings = List.copyOf(Objects.requireNonNullElse(sightings, List.of()));
        threads = Objects.requireNonNullElse(threads, ThreadsSeen.NONE); // a recording of before has none
    }

    /** Creates a timeline with the maps sorted. */
    public static Timeline of(
            long startMillis,
            long stepMillis,
            Map<String, Series> series,
            Map<String, String> notObserved,
            List<Sighting> sightings) {
        return new Timeline(
                VERSION,
                startMillis,
                stepMillis,
                new TreeMap<>(series),
                new TreeMap<>(notObserved),
                sightings,
                ThreadsSeen.NONE);
    }

    /** Whether there is anything in it. */
    @JsonIgnore
    public boolean isEmpty() {
        return series.isEmpty() && notObserved.isEmpty() && sightings.isEmpty();
    }

    /** Number of points of each series. */
    public int points() {
        return series.values().stream().mapToInt(Series::size).max().orElse(0);
    }

    /** When a point begins, in seconds since measuring began. */
    public double seconds(int point) {
        return (startMillis + point * stepMillis) / MILLIS;
    }

    /** The first point that begins when measuring began, or later. */
    public int firstMeasured() {
        return stepMillis <= 0 ? 0 : (int) Math.clamp((-startMillis + stepMillis - 1) / stepMillis, 0, points());
    }

    /** A figure over time; empty if it was not observed. */
    public Optional<Series> find(String id) {
        return Optional.ofNullable(series.get(id));
    }

    /** A figure's mean since measuring began; empty if it was not observed then. */
    public OptionalFigure mean(String id) {
        return measured(id, DoubleStream::average);
    }

    /** A figure's largest value since measuring began; empty if it was not observed then. */
    public OptionalFigure max(String id) {
        return measured(id, DoubleStream::max);
    }

    /** A figure's sum since measuring began, if it counts what happened in each step; empty if it was not observed then. */
    public OptionalFigure sum(String id) {
        return measured(id, s -> s.reduce(Double::sum));
    }

    private OptionalFigure measured(String id, Function<DoubleStream, OptionalDouble> made) {
        Series s = series.get(id);
        OptionalFigure figure = s == null
                ? OptionalFigure.empty()
                : OptionalFigure.of(made.apply(s.observed(firstMeasured(), s.size())));
        return figure.or(() -> OptionalFigure.missing(why(id)));
    }

    /** Whether a figure was read, or the reason why not is known. */
    public boolean accountsFor(String id) {
        return series.containsKey(id) || whyRecorded(id).isPresent();
    }

    /** The reason that was recorded why a figure, or every one of its group, could not be read. */
    public Optional<String> whyRecorded(String id) {
        return Optional.ofNullable(notObserved.get(id))
                .or(() -> Optional.ofNullable(notObserved.get(id.substring(0, id.indexOf('.') + 1) + "*")));
    }

    /** Why a figure has no value: the recorded reason, or that nothing happened or was read in the time that was watched. */
    public String why(String id) {
        return whyRecorded(id).orElseGet(() -> whyElse(id));
    }

    private String whyElse(String id) {
        if (id.startsWith(LOAD)) {
            return "Fettle puts no load on it";
        }
        boolean ofCollections = id.equals(Signals.HEAP_AFTER_GC) || id.equals(Signals.GC_PAUSE_MAX);
        return ofCollections && sum(Signals.GC_COUNT).is(n -> n == 0)
                ? "there was no collection in the time watched"
                : "nothing was read in the time watched";
    }

    /** {@link #why} of each signal without a series. */
    public SequencedMap<String, String> missing() {
        var all = new TreeMap<>(notObserved);
        for (Signal s : Signal.all()) {
            if (!accountsFor(s.id())) {
                all.put(s.id(), why(s.id()));
            }
        }
        return all;
    }

    /** A copy with more sightings. */
    public Timeline withSightings(List<Sighting> more) {
        var all = new ArrayList<>(sightings);
        all.addAll(more);
        return new Timeline(version, startMillis, stepMillis, series, notObserved, all, threads);
    }

    /** A copy with what its threads did. */
    public Timeline withThreads(ThreadsSeen seen) {
        return new Timeline(version, startMillis, stepMillis, series, notObserved, sightings, seen);
    }

    public List<Sighting> sightings(String kind) {
        return sightings.stream().filter(s -> s.kind().equals(kind)).toList();
    }
}
