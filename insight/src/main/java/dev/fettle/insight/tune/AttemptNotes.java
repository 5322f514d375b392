package dev.fettle.insight.tune;

import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a tune says of attempts that are no ordinary trials: ended early, void, or warmed up longer than the plan allows. */
record AttemptNotes(Plan plan, List<Filled> filled) {

    List<String> all() {
        return Stream.of(endedEarly(), voids(), warmUps())
                .flatMap(Optional::stream)
                .toList();
    }

    /** What was ended early, and what that gave. */
    private Optional<String> endedEarly() {
        List<TrialOutcome> before = filled.stream()
                .filter(f -> !TuneSlots.duel(f))
                .flatMap(f -> f.counted().stream())
                .toList();
        List<TrialOutcome> early =
                filled.stream().flatMap(f -> f.early().stream()).toList();
        return early.isEmpty()
                ? Optional.empty()
                : Optional.of(FigureText.trials(early.size(), attempts().size()) + " ended early, because "
                        + (early.size() == 1 ? "its setting was" : "their settings were")
                        + " surely worse than the best so far: about "
                        + Format.seconds(TuneSlots.sparedSeconds(before, early))
                        + " for other settings. What such a setting gives at best is an upper bound: it can't win, and is in no"
                        + " mean and no interval. budget: {whole-trials: true} runs every trial to its end.");
    }

    private Optional<String> voids() {
        List<TrialOutcome> loaded =
                attempts().stream().filter(t -> t.spec().phase() != Phase.START).toList();
        List<TrialOutcome> voids =
                loaded.stream().filter(t -> !t.valid() && !EarlyStopping.is(t)).toList();
        if (voids.isEmpty()) {
            return Optional.empty();
        }
        boolean used = attempts().stream()
                .anyMatch(t -> !t.valid() && AttemptStatus.of(t).counts());
        return Optional.of(FigureText.trials(voids.size(), loaded.size())
                + " void or failed. An attempt that is void for a"
                + " passing reason is repeated at once, up to " + TrialSlots.RETRIES
                + " times, in the duel with its other"
                + " side. "
                + (used
                        ? "Disturbed or drifting ones were used where there was nothing better: to rank settings, and"
                                + " in the duel against the other side of their pair."
                        : voids.size() == 1 ? "It was not used." : "None of them was used."));
    }

    private Optional<String> warmUps() {
        double bound = plan.load().warmUpAtMost().toNanos() / 1e9;
        return TrialSlots.warmedUpLonger(attempts())
                ? Optional.of("The bound on warm-ups of " + Format.seconds(bound)
                        + " was too short to become steady; from there on it was "
                        + Format.seconds(TrialSlots.LONGER * bound) + ". Raise load.warm-up in the plan.")
                : Optional.empty();
    }

    private List<TrialOutcome> attempts() {
        return TrialSlots.attempts(filled);
    }
}
