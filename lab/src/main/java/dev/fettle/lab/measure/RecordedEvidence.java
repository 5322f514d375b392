package dev.fettle.lab.measure;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The evidence that a recording has: what a watch reads besides its signals is not in it. */
public final class RecordedEvidence {
    private RecordedEvidence() {}

    /** What a timeline shows of a trial that goes on: others on the CPUs, too, since its watch knows which processes are not its own. */
    public static Evidence soFar(Timeline all) {
        Evidence seen = of(all, List.of());
        return seen.withAggregates(seen.aggregates()
                .with(Aggregate.FOREIGN_CPU, all.mean(Signals.HOST_FOREIGN))
                .with(Aggregate.STEAL, all.mean(Signals.HOST_STEAL)));
    }

    /**
     * The same with profiles.
     *
     * @param profiles taken in that time
     */
    public static Evidence of(Timeline all, List<Profile> profiles) {
        double seconds = all.points() * all.stepMillis() / 1e3;
        OptionalFigure cpus = all.max(Signals.CGROUP_QUOTA);
        Aggregates seen = Aggregates.NOTHING
                .with(
                        Aggregate.SERVER_CPU_SECONDS,
                        OptionalFigure.from(
                                        all.find(Signals.CPU_TOTAL),
                                        s -> OptionalFigure.of(s.observed().average()))
                                .map(mean -> mean * seconds))
                .with(Aggregate.ACCEPT_QUEUE_MAX, all.max(Signals.ACCEPT_QUEUE))
                .with(
                        Aggregate.ACCEPT_QUEUE_DROPS,
                        OptionalFigure.from(
                                all.find(Signals.ACCEPT_DROPS),
                                s -> s.observed().count() == 0
                                        ? OptionalFigure.empty()
                                        : OptionalFigure.of(s.observed().sum())));
        return new Evidence(
                (int) Math.ceil(cpus.orElse(0)),
                Evidence.Cpus.UNKNOWN,
                seen,
                OptionalFigure.empty(),
                OptionalFigure.empty(),
                limit(all),
                0,
                Map.of(),
                Map.of(),
                List.of(),
                all,
                profiles,
                Conditions.ALONE);
    }

    /** The listening socket's effective backlog. */
    static OptionalInt limit(Timeline all) {
        return all.find(Signals.ACCEPT_LIMIT).stream()
                .flatMapToInt(s -> s.observed().mapToInt(v -> (int) v))
                .max();
    }
}
