package dev.fettle.insight.diagnose;

import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The series of a trial's timeline over the time that was measured; points that were not observed are left out. */
record Lines(Timeline timeline) {

    static Lines of(TrialOutcome trial) {
        return new Lines(trial.evidence().map(Evidence::timeline).orElse(Timeline.NONE));
    }

    double[] values(String id) {
        Optional<Series> s = timeline.find(id);
        return s.isEmpty()
                ? new double[0]
                : s.get().observed(timeline.firstMeasured(), s.get().size()).toArray();
    }

    OptionalDouble mean(String id) {
        return Arrays.stream(values(id)).average();
    }

    OptionalDouble max(String id) {
        return Arrays.stream(values(id)).max();
    }

    OptionalDouble sum(String id) {
        double[] v = values(id);
        return v.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Arrays.stream(v).sum());
    }

    OptionalDouble first(String id) {
        return Arrays.stream(values(id)).findFirst();
    }

    OptionalDouble before(String id) {
        return timeline.find(id).map(s -> s.observed().findFirst()).orElse(OptionalDouble.empty());
    }

    OptionalDouble last(String id) {
        double[] v = values(id);
        return v.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(v[v.length - 1]);
    }

    String why(String id) {
        String all = id.substring(0, id.indexOf('.') + 1) + "*";
        return Optional.ofNullable(timeline.notObserved().get(id))
                .or(() -> Optional.ofNullable(timeline.notObserved().get(all)))
                .orElse(id + " was not watched");
    }

    List<String> names(String prefix) {
        return timeline.series().keySet().stream()
                .filter(n -> n.startsWith(prefix))
                .toList();
    }

    List<Sighting> sightings(String kind) {
        return timeline.sightings(kind);
    }

    Optional<Sighting> sighting(String kind) {
        return timeline.sightings(kind).stream().findFirst();
    }
}
