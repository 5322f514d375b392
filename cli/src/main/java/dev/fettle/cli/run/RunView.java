package dev.fettle.cli.run;

import dev.fettle.cli.terminal.Screen;
import dev.fettle.insight.Experiment;
import dev.fettle.lab.LabListener;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.text.TextReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Shows a run as it goes: a permanent line for each trial, and a live line for the current one. */
final class RunView implements LabListener {
    private final Screen screen;
    private final Plan plan;
    private final TextReport text;
    private final long begin = System.nanoTime();
    private final Map<Integer, Experiment.Step.Run> begun = new HashMap<>();
    private final List<Duration> took = new ArrayList<>();

    RunView(Screen screen, Plan plan) {
        this.screen = screen;
        this.plan = plan;
        this.text = new TextReport(screen.width(), screen.colour());
    }

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        begun.put(ordinal, step);
    }

    @Override
    public void trialGoesOn(Progress p) {
        String stage = switch (p.stage()) {
            case LAUNCH -> "launching";
            case READY -> "waiting for the right answer";
            case READ_BACK -> "reading back what was set";
            case WARM_UP ->
                "warming up " + Format.whole(p.stageSeconds()) + " s (at most " + Format.whole(p.stageBound()) + ")";
            case MEASURE -> measuring(p);
            case REST -> "waiting until it is at rest";
            case PROBE -> "searching for its capacity";
            case STOP -> "stopping";
        };
        String figures = LiveFigures.of(p);
        long elapsed = (System.nanoTime() - begin) / 1_000_000_000L;
        screen.live(String.format(
                Locale.ROOT,
                "[%d:%02d] trial %d (≤ %d to go%s): %s · %s%s",
                elapsed / 60,
                elapsed % 60,
                p.ordinal(),
                left(p.ordinal()),
                timeLeft(left(p.ordinal())),
                Optional.ofNullable(begun.get(p.ordinal()))
                        .map(Experiment.Step.Run::purpose)
                        .orElse(""),
                stage,
                figures.isEmpty() ? "" : " · " + figures));
    }

    private static String measuring(Progress p) {
        return p.slice() > 0
                ? "slice " + p.slice() + " of " + p.slices()
                : "measuring " + Format.whole(p.stageSeconds()) + "/" + Format.whole(p.stageBound()) + " s";
    }

    /** Most trials that may still come. */
    private int left(int ordinal) {
        return Optional.ofNullable(begun.get(ordinal))
                .map(Experiment.Step.Run::leftAtMost)
                .orElse(0);
    }

    /** Time for the remaining trials, if they take as long as those of this session; empty before one has ended. */
    private String timeLeft(int left) {
        if (took.isEmpty()) {
            return "";
        }
        double mean = took.stream().mapToLong(Duration::toMillis).average().orElse(0);
        return ", ≤ " + Announcement.words(Duration.ofMillis(Math.round(left * mean)));
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        begun.remove(outcome.ordinal());
        took.add(outcome.took());
        screen.drawn(text.trialLine(outcome, outcome.ordinal(), plan.hold()));
    }

    @Override
    public void note(String message) {
        screen.say("  " + message);
    }
}
