package dev.fettle.lab;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;

/** The main loop: asks the experiment, runs the trial, journals it and notifies the listener, until there is a conclusion. */
public record Lab(TrialRunner runner, Journal journal, LabListener listener) {
    /**
     * Runs an experiment to its end, resuming where the journal stops.
     *
     * @throws InterruptedException if the run was interrupted; the current trial is dropped, everything is stopped, and earlier
     *     trials are in the journal
     * @throws LabException if it can't go on (disk full, no JDK)
     */
    public Conclusion run(String runId, Experiment experiment) throws LabException, InterruptedException {
        List<TrialOutcome> seen = new ArrayList<>(journal.trials(runId));
        while (true) {
            switch (experiment.next(List.copyOf(seen))) {
                case Experiment.Step.Stop(Conclusion conclusion) -> {
                    journal.conclude(runId, conclusion);
                    listener.concluded(conclusion);
                    return conclusion;
                }
                case Experiment.Step.Run step -> {
                    int ordinal = seen.size() + 1;
                    listener.trialBegins(ordinal, step);
                    done(runId, List.of(runner.run(ordinal, step, listener)), seen);
                }
                case Experiment.Step.Kept kept -> {
                    int ordinal = seen.size() + 1;
                    listener.trialBegins(ordinal, kept.run());
                    done(runId, List.of(runner.runKept(ordinal, kept, listener)), seen);
                }
                case Experiment.Step.Live live -> {
                    int ordinal = seen.size() + 1;
                    listener.trialBegins(ordinal, live.run());
                    done(runId, List.of(runner.runLive(ordinal, live, listener)), seen);
                }
                case Experiment.Step.Pair pair -> done(runId, runner.runPair(seen.size() + 1, pair, listener), seen);
            }
        }
    }

    private void done(String runId, List<TrialOutcome> outcomes, List<TrialOutcome> seen)
            throws LabException, InterruptedException {
        if (outcomes.stream().anyMatch(o -> o.failure().isPresent()) && Thread.interrupted()) {
            throw new InterruptedException(); // what failed may have failed because it was interrupted
        }
        journal.add(runId, outcomes);
        seen.addAll(outcomes);
        outcomes.forEach(listener::trialEnded);
    }
}
