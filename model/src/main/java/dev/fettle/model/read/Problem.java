package dev.fettle.model.read;

/**
 * One mistake in a plan.
 *
 * @param file as given by the user
 * @param line from 1; 0 if the mistake has no position
 * @param column from 1
 * @param message one line: what is wrong and what would be right
 */
public record Problem(String file, int line, int column, String message) {

    /** {@code file:line:column: message}. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : "%s:%d:%d: %s".formatted(file, line, column, message);
    }
}
