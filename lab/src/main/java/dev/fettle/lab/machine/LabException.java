package dev.fettle.lab.machine;

import org.jspecify.annotations.Nullable;

/** An error that ends a run, with a one-line message a user can act on. What was journalled before stays. */
public final class LabException extends Exception {
    public LabException(String message) {
        super(message);
    }

    public LabException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
