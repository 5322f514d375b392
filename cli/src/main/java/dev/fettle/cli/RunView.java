package dev.fettle.cli;

import dev.fettle.insight.Experiment;
import dev.fettle.lab.LabListener;
import dev.fettle.model.Plan;
import dev.fettle.model.TrialOutcome;
import dev.fettle.report.TextReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows a run as it goes: a line that stays for each trial, and a live line for the one under way. */
final class RunView implements LabListener {
    private final Screen screen;
    private final Plan plan;
    private final TextReport text;
    private final long begin = System.nanoTime();
    private final List<Duration> took = new ArrayList<>();
    private String purpose = "";
    private int left;

    RunView(Screen screen, Plan plan) {
        this.screen = screen;
        this.plan = plan;
        this.text = new TextReport(screen.width(), screen.colour());
    }

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        purpose = step.purpose();
        left = step.leftAtMost();
    }

    @Override
    public void trialGoesOn(Progress p) {
        String stage = switch (p.stage()) {
            case LAUNCH -> "launching";
            case WARM_UP ->
                String.format(Locale.ROOT, "warming up %.0f s (at most %.0f)", p.stageSeconds(), p.stageBound());
            case MEASURE -> String.format(Locale.ROOT, "measuring %.0f/%.0f s", p.stageSeconds(), p.stageBound());
            case STOP -> "stopping";
        };
        String figures = p.throughput() <= 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " · %,.0f/s · p99 %.1f ms%s",
                        p.throughput(),
                        p.p99Millis(),
                        p.failed() == 0 ? "" : " · " + p.failed() + " failed");
        long elapsed = (System.nanoTime() - begin) / 1_000_000_000L;
        screen.live(String.format(
                Locale.ROOT,
                "[%d:%02d] trial %d (≤ %d to go%s): %s · %s%s",
                elapsed / 60,
                elapsed % 60,
                p.ordinal(),
                left,
                timeLeft(),
                purpose,
                stage,
                figures));
    }

    /** Time that the trials to go take if they are as long as those of this session were; empty before one has ended. */
    private String timeLeft() {
        if (took.isEmpty()) {
            return "";
        }
        double mean = took.stream().mapToLong(Duration::toMillis).average().orElse(0);
        return ", ≤ " + Announcement.words(Duration.ofMillis(Math.round(left * mean)));
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        took.add(outcome.took());
        screen.say(text.trialLine(outcome, outcome.ordinal(), plan.hold()));
    }

    @Override
    public void note(String message) {
        screen.say("  " + message);
    }
}
