package dev.fettle.insight.trials;

import dev.fettle.model.trial.Conditions.Warm;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Optional;
import java.util.Set;

/** What a trial's evidence says of the warm JVM in which a search sets its knobs, one setting after the other. */
public final class WarmJvm {
    private WarmJvm() {}

    /** The JVM; empty if the trial had one of its own. */
    public static Optional<String> of(TrialOutcome t) {
        return warm(t).map(Warm::jvm);
    }

    /** Whether the trial launched it. */
    public static boolean launched(TrialOutcome t) {
        return warm(t).filter(w -> w.trial() == 1).isPresent();
    }

    /** Whether it was warm already when the trial began. */
    public static boolean kept(TrialOutcome t) {
        return of(t).isPresent() && !launched(t);
    }

    /** The knobs that can be set in it. */
    public static Set<String> live(TrialOutcome t) {
        return warm(t).map(Warm::live).orElse(Set.of());
    }

    private static Optional<Warm> warm(TrialOutcome t) {
        return t.evidence().flatMap(e -> e.conditions().warm());
    }
}
