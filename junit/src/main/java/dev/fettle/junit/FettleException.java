package dev.fettle.junit;

/** The command is not there, could not start, or refused what it was given: the message says in one line what to do. */
public final class FettleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    FettleException(String message) {
        super(message);
    }

    FettleException(String message, Throwable cause) {
        super(message, cause);
    }
}
