package dev.fettle.config;

/** A configuration that can't be read, or can't take a setting; the message says what and where, in one line. */
public final class ConfigException extends Exception {
    public ConfigException(String message) {
        super(message);
    }
}
