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

    OptionalDouble last(String id) {
        double[] v = values(id);
        return v.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(v[v.length - 1]);
    }

    String why(String id) {
        String told = timeline.notObserved().get(id);
        return told != null ? told : id + " was not watched";
    }

    List<String> names(String prefix) {
        return timeline.series().keySet().stream()
                .filter(n -> n.startsWith(prefix))
                .toList();
    }

    /** How much of a kind was sighted; empty if none was, which does not say that there is none. */
    OptionalDouble sighted(String kind) {
        List<Sighting> all = timeline.sightings(kind);
        return all.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(all.stream().mapToDouble(Sighting::count).sum());
    }

    Optional<Sighting> sighting(String kind) {
        return timeline.sightings(kind).stream().findFirst();
    }
}
