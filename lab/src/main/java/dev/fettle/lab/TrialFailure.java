package dev.fettle.lab;

import dev.fettle.model.TrialOutcome;

/** A trial that gives no measurement; the run goes on. */
final class TrialFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final TrialOutcome.Kind kind;

    TrialFailure(TrialOutcome.Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    TrialOutcome.Failure asFailure() {
        return new TrialOutcome.Failure(kind, String.valueOf(getMessage()));
    }
}
