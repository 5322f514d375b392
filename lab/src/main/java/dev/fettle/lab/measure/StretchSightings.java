package dev.fettle.lab.measure;

import dev.fettle.insight.trials.PairSlices.Outside;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.port.WatchPort;
import dev.fettle.model.trial.HostSeen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What the watch saw in each measured stretch, and the total over those that count: counters add up, means are weighted by
 * time. The time between stretches, when the partner is loaded, is left out.
 */
public final class StretchSightings {
    private final Clock clock;
    private final WatchPort watch;
    private final List<Look> looks = new ArrayList<>();
    private OptionalDouble partnerAtBegin = OptionalDouble.empty();
    private long begun;

    /** @param partnerSeconds CPU time of the partner's target, which should be idle */
    private record Look(HostSeen seen, double seconds, OptionalDouble partnerSeconds) {}

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
        HostSeen seen = watch.end();
        OptionalDouble now = watch.partnerCpuSeconds();
        looks.add(new Look(
                seen,
                (clock.nanos() - begun) / 1e9,
                now.isPresent() && partnerAtBegin.isPresent()
                        ? OptionalDouble.of(now.getAsDouble() - partnerAtBegin.getAsDouble())
                        : OptionalDouble.empty()));
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
    public OptionalDouble partnerCpus() {
        OptionalDouble used = total(Look::partnerSeconds);
        double time = looks.stream().mapToDouble(Look::seconds).sum();
        return used.isPresent() && time > 0 ? OptionalDouble.of(used.getAsDouble() / time) : OptionalDouble.empty();
    }

    /** CPU seconds spent on requests in each of some stretches, in order; empty if one of them could not be read. */
    public Optional<double[]> requestCpu(Set<Integer> numbers) {
        double[] each = IntStream.range(0, looks.size())
                .filter(numbers::contains)
                .mapToObj(i -> looks.get(i).seen())
                .mapToDouble(s -> Math.max(
                        0,
                        s.serverCpuSeconds().orElse(Double.NaN)
                                - s.compilerCpuSeconds().orElse(0)))
                .toArray();
        return DoubleStream.of(each).anyMatch(Double::isNaN) ? Optional.empty() : Optional.of(each);
    }

    /** The total over all stretches. */
    HostSeen sum() {
        return new HostSeen(
                total(l -> l.seen().serverCpuSeconds()),
                total(l -> l.seen().compilerCpuSeconds()),
                mean(HostSeen::steal),
                mean(HostSeen::serverSteal),
                mean(HostSeen::generatorSteal),
                mean(HostSeen::foreignCpu),
                mean(HostSeen::busyWorkers),
                most(HostSeen::busyWorkersMax),
                most(HostSeen::workers),
                mean(HostSeen::queued),
                total(l -> l.seen().gcMillis()),
                total(l -> l.seen().listenOverflows()),
                total(l -> l.seen().synRetransmits()),
                looks.getLast().seen().loadAverage(),
                looks.stream()
                        .map(l -> l.seen().acceptQueueMax())
                        .flatMapToInt(OptionalInt::stream)
                        .max(),
                total(l -> l.seen().acceptQueueDrops()));
    }

    /** Total of a counter; empty if any stretch lacks it. */
    private OptionalDouble total(Function<Look, OptionalDouble> figure) {
        if (looks.isEmpty() || looks.stream().map(figure).anyMatch(OptionalDouble::isEmpty)) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(looks.stream()
                .map(figure)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sum());
    }

    private OptionalDouble mean(Function<HostSeen, OptionalDouble> figure) {
        double sum = 0;
        double seconds = 0;
        for (Look look : looks) {
            OptionalDouble value = figure.apply(look.seen());
            if (value.isPresent()) {
                sum += value.getAsDouble() * look.seconds();
                seconds += look.seconds();
            }
        }
        return seconds > 0 ? OptionalDouble.of(sum / seconds) : OptionalDouble.empty();
    }

    private OptionalDouble most(Function<HostSeen, OptionalDouble> figure) {
        return looks.stream()
                .map(l -> figure.apply(l.seen()))
                .flatMapToDouble(OptionalDouble::stream)
                .max();
    }
}
