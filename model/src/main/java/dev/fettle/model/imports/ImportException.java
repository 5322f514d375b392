package dev.fettle.model.imports;

/** Something can't be imported; the message says why, in one line. */
public final class ImportException extends RuntimeException {
    ImportException(String message) {
        super(message);
    }
}
