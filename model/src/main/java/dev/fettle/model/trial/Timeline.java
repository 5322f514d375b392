package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;

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
 */
public record Timeline(
        int version,
        long startMillis,
        long stepMillis,
        SequencedMap<String, Series> series,
        SequencedMap<String, String> notObserved,
        List<Sighting> sightings) {
    /** The version that is written. */
    public static final int VERSION = 1;

    /** Most points of a series. */
    public static final int MOST_POINTS = 600;

    /** Nothing was watched. */
    public static final Timeline NONE = new Timeline(VERSION, 0, 0, new TreeMap<>(), new TreeMap<>(), List.of());

    private static final double MILLIS = 1e3;

    public Timeline {
        series = Collections.unmodifiableSequencedMap(new TreeMap<>(series));
        notObserved = Collections.unmodifiableSequencedMap(new TreeMap<>(notObserved));
        sightings = List.copyOf(Objects.requireNonNullElse(sightings, List.of()));
    }

    /** Creates a timeline with the maps sorted. */
    public static Timeline of(
            long startMillis,
            long stepMillis,
            Map<String, Series> series,
            Map<String, String> notObserved,
            List<Sighting> sightings) {
        return new Timeline(
                VERSION, startMillis, stepMillis, new TreeMap<>(series), new TreeMap<>(notObserved), sightings);
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
    public OptionalDouble mean(String id) {
        return find(id).map(s -> s.observed(firstMeasured(), s.size()).average())
                .orElse(OptionalDouble.empty());
    }

    /** A figure's largest value since measuring began; empty if it was not observed then. */
    public OptionalDouble max(String id) {
        return find(id).map(s -> s.observed(firstMeasured(), s.size()).max()).orElse(OptionalDouble.empty());
    }

    /** A figure's sum since measuring began, if it counts what happened in each step; empty if it was not observed then. */
    public OptionalDouble sum(String id) {
        return find(id).flatMap(
                        s -> s.observed(firstMeasured(), s.size()).boxed().reduce(Double::sum))
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
    }

    /** Whether a figure was read, or the reason why not is known. */
    public boolean accountsFor(String id) {
        return series.containsKey(id)
                || notObserved.containsKey(id)
                || notObserved.containsKey(id.substring(0, id.indexOf('.') + 1) + "*");
    }

    /**
     * Why each signal without a series has none: the recorded reasons, and for the rest of the catalogue that nothing
     * happened or was read in the time that was watched.
     */
    public SequencedMap<String, String> missing() {
        var all = new TreeMap<>(notObserved);
        boolean rested = sum(Signals.GC_COUNT).stream().anyMatch(n -> n == 0);
        for (Signal s : Signal.all()) {
            if (!accountsFor(s.id())) {
                all.put(
                        s.id(),
                        s.group() == Signal.Group.LOAD
                                ? "Fettle puts no load on it"
                                : rested
                                                && (s.id().equals(Signals.HEAP_AFTER_GC)
                                                        || s.id().equals(Signals.GC_PAUSE_MAX))
                                        ? "there was no collection in the time watched"
                                        : "nothing was read in the time watched");
            }
        }
        return all;
    }

    /** A copy with more sightings. */
    public Timeline withSightings(List<Sighting> more) {
        var all = new ArrayList<>(sightings);
        all.addAll(more);
        return new Timeline(version, startMillis, stepMillis, series, notObserved, all);
    }

    public List<Sighting> sightings(String kind) {
        return sightings.stream().filter(s -> s.kind().equals(kind)).toList();
    }
}
