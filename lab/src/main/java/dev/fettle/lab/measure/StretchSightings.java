package dev.fettle.lab.measure;

import dev.fettle.insight.trials.PairSlices.Outside;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Aggregates.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What the watch saw in each measured stretch, and the total over those that count: counters add up, means are weighted by
 * time. The time between stretches, when the partner is loaded, is left out.
 */
public final class StretchSightings {
    private final Clock clock;
    private final WatchPort watch;
    private final List<Sample> looks = new ArrayList<>();
    private OptionalFigure partnerAtBegin = OptionalFigure.empty();
    private long begun;

    /** @param partnerSeconds CPU time of the partner's target, which should be idle */
    private record Sample(Aggregates seen, double seconds, OptionalFigure partnerSeconds) {}

    StretchSightings(Clock clock, WatchPort watch) {
        this.clock = clock;
        this.watch = watch;
    }

    void begin() {
        begun = clock.nanos();
        partnerAtBegin = watch.partnerCpuSeconds();
        watch.measure();
    }

    void end() {
        Aggregates seen = watch.end();
        OptionalFigure now = watch.partnerCpuSeconds();
        looks.add(new Sample(seen, (clock.nanos() - begun) / 1e9, now.with(partnerAtBegin, (n, begin) -> n - begin)));
    }

    /** Number of stretches. */
    public int size() {
        return looks.size();
    }

    /** Disturbance from outside during a stretch. */
    public Outside outside(int stretch) {
        return Outside.of(looks.get(stretch).seen());
    }

    /** Removes stretches, by number from 0. */
    void takeOut(Set<Integer> numbers) {
        for (int i = looks.size() - 1; i >= 0; i--) {
            if (numbers.contains(i)) {
                looks.remove(i);
            }
        }
    }

    /** CPUs' worth that the partner used while it should have been idle; empty without one. */
    public OptionalFigure partnerCpus() {
        if (looks.stream().anyMatch(l -> l.partnerSeconds().isEmpty())) {
            return OptionalFigure.empty();
        }
        double used = looks.stream()
                .mapToDouble(l -> l.partnerSeconds().getAsDouble())
                .sum();
        double time = looks.stream().mapToDouble(Sample::seconds).sum();
        return time > 0 ? OptionalFigure.of(used / time) : OptionalFigure.empty();
    }

    /** CPU seconds spent on requests in each of some stretches, in order; empty if one of them could not be read. */
    public Optional<double[]> requestCpu(Set<Integer> numbers) {
        double[] each = IntStream.range(0, looks.size())
                .filter(numbers::contains)
                .mapToObj(i -> looks.get(i).seen())
                .mapToDouble(s -> s.requestCpuSeconds().orElse(Double.NaN))
                .toArray();
        return DoubleStream.of(each).anyMatch(Double::isNaN) ? Optional.empty() : Optional.of(each);
    }

    /** All stretches as one. */
    Aggregates sum() {
        return Stretch.join(
                looks.stream().map(l -> new Stretch(l.seen(), l.seconds())).toList());
    }
}
