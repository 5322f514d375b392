package dev.fettle.cli;

/** A fault told to the user in one line (or a few), with the exit code it ends the command with. */
final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    CliException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
