package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Experiment;
import dev.fettle.lab.LabListener;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.text.TextReport;

/** Shows a run as it goes: a permanent line for each trial, and a live line for the current one. */
final class RunView implements LabListener {
    private final Screen screen;
    private final Plan plan;
    private final TextReport text;
    private final RunProgress progress = new RunProgress();

    RunView(Screen screen, Plan plan) {
        this.screen = screen;
        this.plan = plan;
        this.text = new TextReport(screen.width(), screen.colour());
    }

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        progress.trialBegins(ordinal, step);
    }

    @Override
    public void trialGoesOn(Progress p) {
        screen.live(progress.line(p));
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        progress.trialEnded(outcome);
        screen.drawn(text.trialLine(outcome, outcome.ordinal(), plan.hold()));
    }

    @Override
    public void note(String message) {
        screen.say("  " + message);
    }
}
