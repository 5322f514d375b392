package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.lab.LabListener;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.report.text.TextReport;
import java.util.List;

/** Shows a capacity search as it runs: a permanent line for each probe, and a live line for the current load. */
final class CapacityView implements LabListener {
    private final Screen screen;
    private final TextReport text;
    private int probes;
    private String purpose = "";
    private List<Arrivals.Stage> stages = List.of();

    /** @param probes number already shown before */
    CapacityView(Screen screen, int probes) {
        this.screen = screen;
        this.text = new TextReport(screen.width(), screen.colour());
        this.probes = probes;
    }

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        purpose = step.purpose();
        TrialSpec spec = step.spec();
        stages = spec.phase() == TrialSpec.Phase.SPIKE && spec.load().arrivals() instanceof Arrivals.Open open
                ? open.stages()
                : List.of();
    }

    @Override
    public void trialGoesOn(Progress p) {
        if (p.throughput() > 0) {
            String what = p.stage() == TrialStage.WARM_UP
                    ? "warming up"
                    : stages.isEmpty() ? purpose : stage(p.stageSeconds());
            screen.live(what + " · " + LiveFigures.of(p));
        }
    }

    private String stage(double at) {
        double spike = stages.get(0).length().toNanos() / 1e9;
        double after = spike + stages.get(1).length().toNanos() / 1e9;
        return at < spike ? "base load" : at < after ? "spike" : "base load after the spike";
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        Judged.of(List.of(outcome)).forEach(j -> screen.drawn(text.probeLine(j, ++probes)));
    }

    @Override
    public void note(String message) {
        screen.say("  " + message);
    }
}
