package dev.fettle.lab.machine;

import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;

/** A failure that ends a trial without a measurement; the run goes on. */
public final class TrialFailure extends Exception {
    private final TrialOutcome.Kind kind;

    /** A sighting is data, but no Java serialisation. */
    private final transient List<Sighting> seen;

    private final transient List<String> knobs;

    public TrialFailure(TrialOutcome.Kind kind, String message) {
        this(kind, message, List.of());
    }

    /**
     * @param seen what was observed of it
     */
    public TrialFailure(TrialOutcome.Kind kind, String message, List<Sighting> seen) {
        this(kind, message, seen, List.of());
    }

    private TrialFailure(TrialOutcome.Kind kind, String message, List<Sighting> seen, List<String> knobs) {
        super(message);
        this.kind = kind;
        this.seen = List.copyOf(seen);
        this.knobs = List.copyOf(knobs);
    }

    /**
     * A knob whose value is not in force.
     *
     * @param message begins with it
     */
    public static TrialFailure notEffective(String knob, String message) {
        return new TrialFailure(TrialOutcome.Kind.NOT_EFFECTIVE, message, List.of(), List.of(knob));
    }

    /** This failure as data, without secrets: its message may repeat what the target said last. */
    public TrialOutcome.Failure asFailure() {
        return new TrialOutcome.Failure(
                kind, Secrets.redact(String.valueOf(getMessage())), seen, Optional.empty(), knobs);
    }
}
