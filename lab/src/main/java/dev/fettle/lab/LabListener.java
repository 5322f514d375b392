package dev.fettle.lab;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.lab.measure.LiveWindow;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialStage;

/** Follows a run. Called on the lab's thread; must return quickly and not throw. */
public interface LabListener {

    /** A trial begins. The two of a pair that is loaded in turn begin and end together. */
    default void trialBegins(int ordinal, Experiment.Step.Run step) {}

    /** Progress of a trial, a few times a second. */
    default void trialGoesOn(Progress progress) {}

    /** A window of a trial's load has been taken. */
    default void trialLoaded(int ordinal, TrialStage stage, LiveWindow seen) {}

    /** A trial has ended and is in the journal. */
    default void trialEnded(TrialOutcome outcome) {}

    /** The run has its conclusion. */
    default void concluded(Conclusion conclusion) {}

    /** Something the user should know: pinning failed, an artifact is being fetched. */
    default void note(String message) {}

    /** Both follow. */
    static LabListener both(LabListener one, LabListener other) {
        return new LabListener() {
            @Override
            public void trialBegins(int ordinal, Experiment.Step.Run step) {
                one.trialBegins(ordinal, step);
                other.trialBegins(ordinal, step);
            }

            @Override
            public void trialGoesOn(Progress progress) {
                one.trialGoesOn(progress);
                other.trialGoesOn(progress);
            }

            @Override
            public void trialLoaded(int ordinal, TrialStage stage, LiveWindow seen) {
                one.trialLoaded(ordinal, stage, seen);
                other.trialLoaded(ordinal, stage, seen);
            }

            @Override
            public void trialEnded(TrialOutcome outcome) {
                one.trialEnded(outcome);
                other.trialEnded(outcome);
            }

            @Override
            public void concluded(Conclusion conclusion) {
                one.concluded(conclusion);
                other.concluded(conclusion);
            }

            @Override
            public void note(String message) {
                one.note(message);
                other.note(message);
            }
        };
    }

    /**
     * How a trial is doing.
     *
     * @param stageSeconds time in this stage
     * @param stageBound how long this stage will last at most, seconds
     * @param throughput valid responses per second in the last window; 0 before any load
     * @param p99Millis in the last window
     * @param failed failed requests since the load began
     * @param slice the current slice of a pair, from 1; 0 outside a pair
     * @param slices slices planned per side
     */
    record Progress(
            int ordinal,
            TrialStage stage,
            double stageSeconds,
            double stageBound,
            double throughput,
            double p99Millis,
            long failed,
            int slice,
            int slices) {}
}
