package dev.fettle.lab.machine;

import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;

/** A failure that ends a trial without a measurement; the run goes on. */
public final class TrialFailure extends Exception {
    private final TrialOutcome.Kind kind;

    /** A sighting is data, but no Java serialisation. */
    private final transient List<Sighting> seen;

    public TrialFailure(TrialOutcome.Kind kind, String message) {
        this(kind, message, List.of());
    }

    /**
     * @param seen what the watch saw of it
     */
    public TrialFailure(TrialOutcome.Kind kind, String message, List<Sighting> seen) {
        super(message);
        this.kind = kind;
        this.seen = List.copyOf(seen);
    }

    /** This failure as data, without secrets: its message may repeat what the target said last. */
    public TrialOutcome.Failure asFailure() {
        return new TrialOutcome.Failure(kind, Secrets.redact(String.valueOf(getMessage())), seen);
    }
}
