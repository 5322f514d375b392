package dev.fettle.lab.machine;

import dev.fettle.model.trial.TrialOutcome;

/** A failure that ends a trial without a measurement; the run goes on. */
public final class TrialFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final TrialOutcome.Kind kind;

    public TrialFailure(TrialOutcome.Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public TrialOutcome.Failure asFailure() {
        return new TrialOutcome.Failure(kind, String.valueOf(getMessage()));
    }
}
