package dev.fettle.lab;

import dev.fettle.insight.GiveUp;
import dev.fettle.lab.machine.Calm;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.measure.LoadedTarget;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a trial from launch to end while no other target is up: measures its load or a spike, or finds its capacity.
 *
 * @param fit learns how much memory each trial's target needed
 * @param slo decides which answers to a load with stages are good, and which rates of a capacity
 * @param metric what the run's trials are judged by
 */
record Alone(LabEnvironment env, TrialStart start, Calm calm, PairFit fit, Optional<Slo> slo, Objective.Metric metric) {
    /**
     * Runs a trial from start to end, or only starts its target if that is what it is for; it is closed afterwards.
     *
     * @param warmUpAtLeast lower bound on its warm-up
     * @param facts additional facts for the evidence
     * @param giveUp when it may be ended early; empty: it runs to its end
     */
    Trial run(Trial trial, Duration warmUpAtLeast, Map<String, String> facts, Optional<GiveUp> giveUp)
            throws LabException, InterruptedException {
        try (trial) {
            if (trial.spec().phase() == TrialSpec.Phase.START) {
                start.launched(trial, Optional.empty(), facts); // nothing is measured, so nothing disturbs it
            } else if (start.launched(trial, Optional.of(calm), facts)) {
                try {
                    Optional<Slo> under = searched(trial.spec());
                    if (trial.spec().load().hasStages()) {
                        trial.spike(slo.orElseThrow(() -> new LabException("a load with stages needs an SLO")));
                    } else if (under.isPresent()) {
                        search(trial, under.get(), warmUpAtLeast);
                    } else {
                        steady(trial, warmUpAtLeast, giveUp);
                    }
                } catch (TrialFailure e) {
                    trial.failed(e);
                }
            }
        }
        fit.used(trial);
        return trial;
    }

    /** The SLO under which a trial searches for its capacity; empty if it measures its load. */
    Optional<Slo> searched(TrialSpec spec) {
        boolean judged = switch (spec.phase()) {
            case BASELINE, SEARCH, RACE, DUEL, SWEEP, COMPARE -> !spec.load().hasStages();
            case START, WARM_UP, IDLE, BRACKET, NARROW, CONFIRM, SPIKE, DIAGNOSE, TEST, RAMP -> false;
        };
        return judged && metric == Objective.Metric.CAPACITY ? slo : Optional.empty();
    }

    private void search(Trial trial, Slo under, Duration warmUpAtLeast)
            throws TrialFailure, LabException, InterruptedException {
        var run = new CapacityRun(env, trial, Optional.empty(), under, calm);
        Load closed = trial.spec().load().withMeasure(run.timing().look());
        try (LoadedTarget load = trial.begin(closed)) {
            trial.progress().stage(LabListener.Stage.WARM_UP, closed.warmUpAtMost());
            load.warmUp(warmUpAtLeast);
            trial.progress()
                    .stage(LabListener.Stage.MEASURE, trial.spec().load().measure());
            load.measure();
            run.looked(load);
        }
        while (!run.done()) {
            run.probe();
        }
        run.finish();
    }

    private static void steady(Trial trial, Duration warmUpAtLeast, Optional<GiveUp> giveUp)
            throws TrialFailure, LabException, InterruptedException {
        LoadedTarget load = trial.begin();
        trial.progress().stage(LabListener.Stage.WARM_UP, trial.spec().load().warmUpAtMost());
        load.warmUp(warmUpAtLeast, giveUp);
        trial.progress().stage(LabListener.Stage.MEASURE, trial.spec().load().measure());
        load.measure();
        trial.done(load, Set.of());
    }
}
