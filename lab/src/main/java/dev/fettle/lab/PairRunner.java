package dev.fettle.lab;

import dev.fettle.insight.Experiment.Step.Pair;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Runs the pairs of one run: loaded in turn if both fit on the machine, otherwise one after the other.
 *
 * @param alone runs the two of a pair that don't fit on the machine together
 */
record PairRunner(LabEnvironment env, TrialStart start, SingleRunner alone, Calm calm, PairFit fit) {
    /** Failures that another running server may cause: a port, a file, memory, a hook that needs something exclusively. */
    private static final Set<Kind> BESIDE = Set.of(
            Kind.DID_NOT_START,
            Kind.NEVER_READY,
            Kind.WRONG_ANSWER,
            Kind.OUT_OF_MEMORY,
            Kind.PROCESS_LIMIT,
            Kind.HOOK,
            Kind.LAB);

    /**
     * Runs a pair.
     *
     * @return the outcomes in the pair's order; their times add up to the pair's
     */
    List<TrialOutcome> run(int ordinal, Pair pair, LabListener listener) throws LabException, InterruptedException {
        var clock = new Stopwatch(env.clock());
        Optional<String> whyNot = fit.whyNot(pair.first().spec(), pair.second().spec());
        if (whyNot.isPresent()) {
            return oneAfterTheOther(ordinal, pair, whyNot.get(), clock, listener);
        }
        listener.trialBegins(ordinal, pair.first());
        listener.trialBegins(ordinal + 1, pair.second());
        PairAttempt beside = sideBySide(ordinal, pair, Optional.empty(), clock, listener);
        if (beside.refused().isPresent() && !beside.killed()) {
            // the other way round: one that fails again is to blame itself, and if the other one does, they don't fit
            listener.trialBegins(ordinal + 1, pair.second());
            listener.trialBegins(ordinal, pair.first());
            PairAttempt again = sideBySide(ordinal, pair, beside.refused(), clock, listener);
            if (again.refused().isEmpty()) {
                return again.outcomes();
            }
        }
        if (beside.refused().isEmpty()) {
            return beside.outcomes();
        }
        List<TrialOutcome> apart =
                oneAfterTheOther(ordinal, pair, beside.refused().get(), clock, listener);
        if (apart.stream().allMatch(o -> o.failure().isEmpty())) {
            fit.never(beside.refused().get()); // each works alone, so the other was the cause
        }
        return apart;
    }

    /**
     * The result of two trials that were up at the same time.
     *
     * @param refused why the result can't be used, if one may have failed because of the other
     * @param killed whether one was killed
     */
    private record PairAttempt(List<TrialOutcome> outcomes, Optional<String> refused, boolean killed) {}

    /** @param again why it is started a second time, then the second one first; empty: it is not */
    private PairAttempt sideBySide(
            int ordinal, Pair pair, Optional<String> again, Stopwatch clock, LabListener listener)
            throws LabException, InterruptedException {
        var how = Conditions.ALONE.withPair(
                Optional.of(again.map(Conditions.Pair::again).orElse(Conditions.Pair.SIDE_BY_SIDE)));
        try (Trial first = start.trial(ordinal, pair.first().spec(), listener);
                Trial second = start.trial(ordinal + 1, pair.second().spec(), listener)) {
            Optional<String> refused = Optional.empty();
            first.under(how);
            second.under(how);
            Trial one = again.isPresent() ? second : first;
            Trial other = again.isPresent() ? first : second;
            if (!one.goesThrough(start.launching(one, Optional.of(calm)))) {
                other.failed(SideBySide.partnerFailed(one));
            } else if (other.goesThrough(start.launching(other, Optional.empty()))) {
                Optional<BiFunction<Trial, Trial, CapacityRun>> search = alone.searched(first.spec())
                        .map(s -> (trial, partner) -> new CapacityRun(env, trial, Optional.of(partner), s, calm));
                new SideBySide(env.clock(), first, second, search).run();
            } else {
                one.failed(SideBySide.partnerFailed(other));
                refused = other.failure()
                        .filter(f -> BESIDE.contains(f.kind()))
                        .map(f -> "the second server did not start next to the first: " + f.message());
            }
            second.close();
            first.close();
            fit.used(first);
            fit.used(second);
            boolean killed = first.killed() || second.killed();
            if (killed) {
                refused = Optional.of(
                        "one server was killed while both were up, as the kernel does when memory runs out");
            }
            if (refused.isPresent()) {
                return new PairAttempt(List.of(), refused, killed);
            }
            Duration half = clock.lap().dividedBy(2);
            return new PairAttempt(
                    List.of(first.outcome(clock.started(), half), second.outcome(clock.started(), half)),
                    refused,
                    killed);
        }
    }

    /** The second is warmed up for at least as long as the first. */
    private List<TrialOutcome> oneAfterTheOther(
            int ordinal, Pair pair, String why, Stopwatch clock, LabListener listener)
            throws LabException, InterruptedException {
        var how = Conditions.ALONE.withPair(Optional.of(Conditions.Pair.apart(why)));
        listener.trialBegins(ordinal, pair.first());
        Trial first = start.trial(ordinal, pair.first().spec(), listener);
        first.under(how);
        alone.run(first, Duration.ZERO, Optional.empty());
        TrialOutcome one = first.outcome(clock.started(), clock.lap());
        listener.trialBegins(ordinal + 1, pair.second());
        Instant then = env.clock().instant();
        Trial second = start.trial(ordinal + 1, pair.second().spec(), listener);
        second.under(how);
        alone.run(second, first.warmUp(), Optional.empty());
        return List.of(one, second.outcome(then, clock.lap()));
    }
}
