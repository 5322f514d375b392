package dev.fettle.lab;

import dev.fettle.insight.Probing;
import dev.fettle.insight.capacity.Iteration;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.capacity.TrialCapacity;
import dev.fettle.insight.capacity.TrialCapacity.Next;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityTiming;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The measuring of one trial that searches for its capacity, part by part, so that the two trials of a pair can take turns: a look at
 * the closed load with which it was warmed up, probes, and the same look again. Each part has the target to itself: connections of the
 * one before are closed.
 */
final class CapacityRun {
    /** How long to wait for requests in flight after the first look. */
    private static final Duration QUIET = Duration.ofSeconds(2);
    /** Time for closed connections to reopen before the second look. */
    private static final Duration REOPEN = Duration.ofMillis(500);

    private final Clock clock;
    private final Trial trial;
    private final Optional<Trial> partner;
    private final Slo slo;
    private final Calm calm;
    private final TrialCapacity search;
    private final Prober prober;
    private final List<Probe> probes = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private Optional<Seen> look = Optional.empty();
    private Optional<Next> next = Optional.empty();
    private Duration idle = Duration.ZERO;
    private boolean disturbed;

    /**
     * A search on a trial's target, once that is warm.
     *
     * @param partner the other trial of its pair, whose target is up but idle meanwhile
     */
    CapacityRun(LabEnvironment env, Trial trial, Optional<Trial> partner, Slo slo, Calm calm) {
        this.clock = env.clock();
        this.trial = trial;
        this.partner = partner;
        this.slo = slo;
        this.calm = calm;
        // the same arrivals for both sides of a pair
        long seed = 104_729L * (trial.spec().block() + 1) + trial.spec().phase().ordinal();
        this.search = new TrialCapacity(slo, trial.spec().load(), seed);
        this.prober = new Prober(env, trial, Prober.bare(trial, true), partner);
    }

    /** How the measuring time is divided. */
    CapacityTiming timing() {
        return search.timing();
    }

    /** Takes what the closed load's clients got, ends that load, and looks at one client alone. */
    void looked(LoadedTarget closed) throws TrialFailure, LabException, InterruptedException {
        Set<Integer> silent = closed.measureUntilAnswered(timing().look());
        closed.rest(QUIET);
        Seen all = closed.seen(trial.acceptQueue(), silent);
        closed.close();
        look = Optional.of(all);
        if (all.measurement().responses() > 0) {
            idle = Duration.ofNanos(
                    Math.min(prober.median(Probing.from(trial.spec().load(), 1)), Long.MAX_VALUE / 8));
            next = search.next(throughput(all), idle, probes);
        }
    }

    private static double throughput(Seen seen) {
        return seen.measurement().throughput();
    }

    /** Whether no probe is to follow. */
    boolean done() {
        return next.isEmpty();
    }

    /** Makes the next probe. */
    void probe() throws TrialFailure, LabException, InterruptedException {
        Next now = next.orElseThrow();
        if (disturbed) {
            List<Long> own = new ArrayList<>(trial.processes());
            partner.map(Trial::processes).ifPresent(own::addAll);
            calm.await(trial.spec().load().measure(), own).ifPresent(told::add);
        }
        long begin = clock.nanos();
        prober.rest(now.probing()).ifPresent(told::add);
        Seen seen = prober.measure(now.spec(), now.probing(), trial.progress());
        var probe = new Probe(
                now.phase(),
                now.rate(),
                new Observation(seen.measurement(), seen.evidence()),
                clock.since(begin),
                Iteration.of(trial.spec().load()));
        probes.add(probe);
        disturbed = ProbeVerdict.of(probe, slo).result() == ProbeVerdict.Result.DISTURBED;
        next = search.next(throughput(look.orElseThrow()), idle, probes);
    }

    /** Looks once more at the closed load, and hands the result to the trial. */
    void finish() throws TrialFailure, LabException, InterruptedException {
        Seen first = look.orElseThrow();
        if (probes.isEmpty()) {
            trial.done(first); // it answers nothing, so there was nothing to search
            return;
        }
        Load closed = trial.spec().load();
        Duration length = timing().look();
        Duration atMost = REOPEN.plus(length.multipliedBy(2)).plus(LoadedTarget.longestSilence(closed));
        double after;
        long begin = clock.nanos();
        try (LoadedTarget again = prober.begin(closed, atMost.plusSeconds(10), Duration.ZERO, trial.progress())) {
            again.settle(REOPEN);
            again.measure(length, w -> false);
            Set<Integer> silent = again.measureUntilAnswered(length);
            after = throughput(again.seen(trial.acceptQueue(), silent));
        }
        if (after <= 0) {
            throw new TrialFailure(
                    TrialOutcome.Kind.HUNG,
                    "no valid answer for "
                            + clock.since(begin).toSeconds()
                            + " s after the probes, not even to as many clients as before");
        }
        trial.done(new Seen(
                first.warmUp(),
                first.notSteady(),
                first.early(),
                first.measurement().with(search.found(throughput(first), after, probes)),
                first.evidence().noted(told.stream().distinct().toList())));
    }
}
