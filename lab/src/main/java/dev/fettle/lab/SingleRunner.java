package dev.fettle.lab;

import dev.fettle.insight.GiveUp;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.CoRunner;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.lab.measure.Session;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a trial from launch to end while no other target is up: measures its load or a spike, or finds its capacity.
 *
 * @param fit learns how much memory each trial's target needed
 * @param slo decides which answers to a load with stages are good, and which rates of a capacity
 * @param metric what the run's trials are judged by
 */
record SingleRunner(
        LabEnvironment env, TrialStart start, Calm calm, PairFit fit, Optional<Slo> slo, Objective.Metric metric) {
    /**
     * Runs a trial from start to end, or only starts its target if that is what it is for; it is closed afterwards.
     *
     * @param warmUpAtLeast lower bound on its warm-up
     * @param giveUp when it may be ended early; empty: it runs to its end
     */
    Trial run(Trial trial, Duration warmUpAtLeast, Optional<GiveUp> giveUp) throws LabException, InterruptedException {
        try (trial) {
            TrialSpec spec = trial.spec();
            boolean starts = spec.phase() == TrialSpec.Phase.START; // nothing is measured, so nothing disturbs it
            Session<TrialFailure> session = start.launching(trial, starts ? Optional.empty() : Optional.of(calm));
            Optional<Slo> under = searched(spec);
            if (spec.load().hasStages()) {
                spike(session, trial);
            } else if (under.isPresent()) {
                search(session, trial, under.get(), warmUpAtLeast);
            } else if (!starts) {
                steady(session, trial, warmUpAtLeast, giveUp);
            }
            trial.goesThrough(session);
        }
        fit.used(trial);
        return trial;
    }

    /** The SLO under which a trial searches for its capacity; empty if it measures its load. */
    Optional<Slo> searched(TrialSpec spec) {
        boolean judged = switch (spec.phase()) {
            case BASELINE, SEARCH, RACE, DUEL, SWEEP, COMPARE -> !spec.load().hasStages();
            case GATE, EXPLAIN, START, WARM_UP, IDLE, BRACKET, NARROW, CONFIRM, SPIKE, DIAGNOSE, OBSERVE, TEST, RAMP ->
                false;
        };
        return judged && metric == Objective.Metric.CAPACITY ? slo : Optional.empty();
    }

    private void spike(Session<TrialFailure> session, Trial trial) throws LabException {
        Slo good = slo.orElseThrow(() -> new LabException("a load with stages needs an SLO"));
        var run = new SpikeRun(trial, good);
        session.then(TrialStage.WARM_UP, run.base().warmUpAtMost(), run::warmUp)
                .then(TrialStage.MEASURE, trial.spec().load().measure(), run::measure);
    }

    private void search(Session<TrialFailure> session, Trial trial, Slo under, Duration warmUpAtLeast) {
        var run = new CapacityRun(env, trial, Optional.empty(), under, calm);
        Duration bound = trial.spec().load().measure();
        Load closed = trial.spec().load().withMeasure(run.timing().look());
        session.then(
                        TrialStage.WARM_UP,
                        closed.warmUpAtMost(),
                        () -> trial.begin(closed).warmUp(warmUpAtLeast))
                .then(TrialStage.MEASURE, closed.measure(), () -> {
                    LoadedTarget load = trial.underLoad();
                    load.measure();
                    run.looked(load);
                })
                .then(TrialStage.PROBE, bound, () -> {
                    while (!run.done()) {
                        run.probe();
                    }
                    run.finish();
                });
    }

    private static void steady(
            Session<TrialFailure> session, Trial trial, Duration warmUpAtLeast, Optional<GiveUp> giveUp) {
        Load load = trial.spec().load();
        session.then(
                        TrialStage.WARM_UP,
                        load.warmUpAtMost(),
                        () -> trial.begin(CoRunner.nothing(load)).warmUp(warmUpAtLeast, giveUp))
                .then(TrialStage.MEASURE, load.measure(), () -> {
                    trial.underLoad().measure();
                    trial.done(trial.underLoad(), Set.of());
                });
    }
}
