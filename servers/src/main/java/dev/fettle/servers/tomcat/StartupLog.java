package dev.fettle.servers.tomcat;

import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Catches the first complaint of a server that gives the reason for a failed start only in its log. */
final class StartupLog extends Handler implements AutoCloseable {
    private @Nullable Throwable thrown;
    private @Nullable String message;

    private StartupLog() {
        setLevel(Level.SEVERE);
    }

    static StartupLog open() {
        StartupLog log = new StartupLog();
        Logger.getLogger("").addHandler(log);
        return log;
    }

    @Override
    public synchronized void publish(LogRecord record) {
        if (isLoggable(record)) {
            if (thrown == null) {
                thrown = record.getThrown();
            }
            if (message == null) {
                message = record.getMessage();
            }
        }
    }

    /** The first exception that was logged. */
    synchronized Optional<Throwable> thrown() {
        return Optional.ofNullable(thrown);
    }

    /** The first message. */
    synchronized Optional<String> message() {
        return Optional.ofNullable(message);
    }

    @Override
    public void flush() {}

    /** Stops listening. */
    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
    }
}
