package dev.fettle.insight.trials;

import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a trial's evidence says of the warm JVM in which a search sets its knobs, one setting after the other. */
public final class WarmJvm {
    /** The fact that tells one such JVM from another: when it was launched. */
    public static final String JVM = "warm-jvm";

    /** How many trials that JVM has had, this one included. */
    public static final String TRIAL = "warm-jvm-trial";

    /** The knobs that can be set in it, separated by blanks. */
    public static final String LIVE = "warm-jvm-live";

    private WarmJvm() {}

    /** The JVM; empty if the trial had one of its own. */
    public static Optional<String> of(TrialOutcome t) {
        return fact(t, JVM);
    }

    /** Whether the trial launched it. */
    public static boolean launched(TrialOutcome t) {
        return fact(t, TRIAL).filter("1"::equals).isPresent();
    }

    /** Whether it was warm already when the trial began. */
    public static boolean kept(TrialOutcome t) {
        return of(t).isPresent() && !launched(t);
    }

    /** The knobs that can be set in it. */
    public static Set<String> live(TrialOutcome t) {
        return Arrays.stream(fact(t, LIVE).orElse("").split(" ", -1))
                .filter(k -> !k.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<String> fact(TrialOutcome t, String name) {
        return t.evidence().map(Evidence::facts).map(f -> f.get(name));
    }
}
