package dev.fettle.insight.trials;

import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What has to be said of warm-ups that reached their bound. */
public final class WarmUpNote {
    /** A single one may be an accident. */
    private static final int SEVERAL = 2;

    private WarmUpNote() {}

    /** A note for the conclusion, if several warm-ups reached their bound before the target was steady. */
    public static Optional<String> note(List<TrialOutcome> attempts) {
        List<TrialOutcome> bounded =
                attempts.stream().filter(WarmUpNote::reachedItsBound).toList();
        if (bounded.size() < SEVERAL) {
            return Optional.empty();
        }
        Duration longest = bounded.stream()
                .map(t -> t.spec().load().warmUpAtMost())
                .max(Duration::compareTo)
                .orElseThrow();
        return Optional.of("In " + bounded.size() + " of " + attempts.size()
                + " trials the warm-up reached its bound (" + Say.seconds(longest.toMillis() / 1e3)
                + ") before the target was steady: raise load.warm-up.");
    }

    /** A steady target ends its warm-up, so one as long as its bound was not steady, whatever was made of that. */
    private static boolean reachedItsBound(TrialOutcome t) {
        Duration bound = t.spec().load().warmUpAtMost();
        return t.measurement().isPresent() && !bound.isZero() && t.warmUp().compareTo(bound) >= 0;
    }
}
