package dev.fettle.servers.war;

/** What is wrong with a WAR, in words for the user. */
public final class WarException extends Exception {
    WarException(String message) {
        super(message);
    }

    WarException(String message, Throwable cause) {
        super(message, cause);
    }
}
