package dev.fettle.model.trial;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * One second of a watch: one line of a recording.
 *
 * @param at when it ended, seconds since the watch began
 * @param values what was read in it, by {@link Signal#id}; other signals were not observed in it
 * @param sightings sightings that have changed
 * @param notObserved why figures can't be read at all, where that has changed
 */
public record WatchPoint(
        double at, Map<String, Double> values, List<Sighting> sightings, Map<String, String> notObserved) {
    public WatchPoint {
        values = Collections.unmodifiableMap(new TreeMap<>(Objects.requireNonNullElse(values, Map.of())));
        sightings = List.copyOf(Objects.requireNonNullElse(sightings, List.of()));
        notObserved = Collections.unmodifiableMap(new TreeMap<>(Objects.requireNonNullElse(notObserved, Map.of())));
        // each line of a recording becomes one, whoever wrote it
        values.forEach((id, value) -> Objects.requireNonNull(value, id));
        notObserved.forEach((id, why) -> Objects.requireNonNull(why, id));
    }
}
