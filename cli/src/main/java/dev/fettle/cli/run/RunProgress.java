package dev.fettle.cli.run;

import dev.fettle.insight.Experiment;
import dev.fettle.lab.LabListener;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How far a run is, in a line: which trial, why, at which stage, and how long it may still take. */
final class RunProgress implements LabListener {
    private final long begin = System.nanoTime();
    private final Map<Integer, Experiment.Step.Run> begun = new HashMap<>();
    private final List<Duration> took = new ArrayList<>();

    @Override
    public void trialBegins(int ordinal, Experiment.Step.Run step) {
        begun.put(ordinal, step);
    }

    @Override
    public void trialEnded(TrialOutcome outcome) {
        begun.remove(outcome.ordinal());
        took.add(outcome.took());
    }

    /** What a trial that has begun is for. */
    String purpose(int ordinal) {
        return Optional.ofNullable(begun.get(ordinal))
                .map(Experiment.Step.Run::purpose)
                .orElse("");
    }

    String line(Progress p) {
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
        return String.format(
                Locale.ROOT,
                "[%d:%02d] trial %d (≤ %d to go%s): %s · %s%s",
                elapsed / 60,
                elapsed % 60,
                p.ordinal(),
                left(p.ordinal()),
                timeLeft(left(p.ordinal())),
                purpose(p.ordinal()),
                stage,
                figures.isEmpty() ? "" : " · " + figures);
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
}
