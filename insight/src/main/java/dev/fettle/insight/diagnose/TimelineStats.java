package dev.fettle.insight.diagnose;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The series of a trial's timeline over the measured time; points that were not observed are left out. */
record TimelineStats(Timeline timeline, List<Sighting> ofFailure) {

    static TimelineStats of(TrialOutcome trial) {
        return new TimelineStats(
                trial.evidence().map(Evidence::timeline).orElse(Timeline.NONE),
                trial.failure().map(TrialOutcome.Failure::seen).orElse(List.of()));
    }

    double[] ever(String id) {
        return timeline.find(id).map(s -> s.observed().toArray()).orElseGet(() -> new double[0]);
    }

    double[] values(String id) {
        Optional<Series> s = timeline.find(id);
        return s.isEmpty()
                ? new double[0]
                : s.get().observed(timeline.firstMeasured(), s.get().size()).toArray();
    }

    /**
     * A series over the measured time, while requests were answered: what stands still afterwards has not levelled off. First the
     * seconds since measuring began, then the values.
     */
    double[][] whileServed(String id) {
        Optional<Series> rate = timeline.find(Signals.LOAD_RATE);
        int end = rate.map(r ->
                        IntStream.range(0, r.size()).filter(i -> r.at(i) > 0).reduce(-1, (_, i) -> i) + 1)
                .filter(n -> n > timeline.firstMeasured())
                .orElse(timeline.points());
        Series s = timeline.find(id).orElse(Series.of());
        int[] at = IntStream.range(timeline.firstMeasured(), Math.min(end, s.size()))
                .filter(i -> !Double.isNaN(s.at(i)))
                .toArray();
        return new double[][] {
            Arrays.stream(at)
                    .mapToDouble(i -> (i - timeline.firstMeasured()) * timeline.stepMillis() / 1e3)
                    .toArray(),
            Arrays.stream(at).mapToDouble(s::at).toArray()
        };
    }

    /** Two series, at the points where both are known; of the second, which is sampled less often, the latest value. */
    double[][] together(String one, String other) {
        Optional<Series> a = timeline.find(one);
        Optional<Series> b = timeline.find(other);
        var x = new ArrayList<Double>();
        var y = new ArrayList<Double>();
        if (a.isPresent() && b.isPresent()) {
            double last = Double.NaN;
            for (int i = 0; i < Math.min(a.get().size(), b.get().size()); i++) {
                last = Double.isNaN(b.get().at(i)) ? last : b.get().at(i);
                if (i >= timeline.firstMeasured() && !Double.isNaN(a.get().at(i)) && !Double.isNaN(last)) {
                    x.add(a.get().at(i));
                    y.add(last);
                }
            }
        }
        return new double[][] {
            x.stream().mapToDouble(Double::doubleValue).toArray(),
            y.stream().mapToDouble(Double::doubleValue).toArray()
        };
    }

    /** The largest value of another series about the point where one is highest: at it, or up to two points before, as looks lag. */
    OptionalFigure aboutPeak(String peak, String other) {
        Optional<Series> a = timeline.find(peak);
        OptionalFigure most = max(peak);
        if (a.isEmpty() || most.isEmpty()) {
            return OptionalFigure.empty();
        }
        int at = timeline.firstMeasured();
        while (a.get().at(at) != most.getAsDouble()) {
            at++;
        }
        int from = Math.max(timeline.firstMeasured(), at - 2);
        int to = at + 1;
        return OptionalFigure.from(
                timeline.find(other),
                s -> OptionalFigure.of(s.observed(from, to).max()));
    }

    OptionalFigure mean(String id) {
        return known(id, Arrays.stream(values(id)).average());
    }

    OptionalFigure max(String id) {
        return known(id, Arrays.stream(values(id)).max());
    }

    OptionalFigure sum(String id) {
        double[] v = values(id);
        return v.length == 0
                ? OptionalFigure.missing(why(id))
                : OptionalFigure.of(Arrays.stream(v).sum());
    }

    private OptionalFigure known(String id, OptionalDouble figure) {
        return OptionalFigure.of(figure).or(() -> OptionalFigure.missing(why(id)));
    }

    /** The largest value in the warm-up; negative infinity if there was none. */
    double mostInWarmUp(String id) {
        return timeline.find(id)
                .map(s -> s.observed(0, timeline.firstMeasured()).max().orElse(Double.NEGATIVE_INFINITY))
                .orElse(Double.NEGATIVE_INFINITY);
    }

    OptionalFigure before(String id) {
        return OptionalFigure.from(
                timeline.find(id), s -> OptionalFigure.of(s.observed().findFirst()));
    }

    OptionalFigure last(String id) {
        double[] v = values(id);
        return v.length == 0 ? OptionalFigure.missing(why(id)) : OptionalFigure.of(v[v.length - 1]);
    }

    /** Seconds since measuring began. */
    double seconds() {
        return (timeline.points() - timeline.firstMeasured()) * timeline.stepMillis() / 1e3;
    }

    /** Valid answers since measuring began. */
    double stepSeconds() {
        return timeline.stepMillis() / 1e3;
    }

    double answered() {
        return sum(Signals.LOAD_RATE).orElse(0) * timeline.stepMillis() / 1e3;
    }

    String why(String id) {
        return timeline.whyRecorded(id)
                .orElseGet(() -> id + (rested(id) ? ": there was no collection in that time" : " was not watched"));
    }

    /** Whether a figure of collections has no value because there were none. */
    private boolean rested(String id) {
        return (id.equals(Signals.HEAP_AFTER_GC) || id.equals(Signals.HEAP_LIVE) || id.equals(Signals.GC_PAUSE_MAX))
                && sum(Signals.GC_COUNT).stream().anyMatch(n -> n == 0);
    }

    List<String> names(String prefix) {
        return timeline.series().keySet().stream()
                .filter(n -> n.startsWith(prefix))
                .toList();
    }

    List<Sighting> sightings(String kind) {
        return sightings().stream().filter(s -> s.kind().equals(kind)).toList();
    }

    /** Of the timeline, and of a failure. */
    List<Sighting> sightings() {
        return Stream.concat(timeline.sightings().stream(), ofFailure.stream())
                .distinct()
                .toList();
    }

    Optional<Sighting> sighting(String kind) {
        return sightings(kind).stream().findFirst();
    }
}
