package dev.fettle.model.imports;

/** Something can't be imported; the message says why, in one line. */
public final class ImportException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ImportException(String message) {
        super(message);
    }
}
