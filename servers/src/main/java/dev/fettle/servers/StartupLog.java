package dev.fettle.servers;

import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Listens to the first complaint of a server that says in its log alone why something did not start. */
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

    /** Listens no longer. */
    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
    }
}
