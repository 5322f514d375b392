package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.OutputStreamAppender;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.spi.ExtendedLogger;

/** A Log4j 2 appender that writes each event to the disk at once, on the thread of the request, under its lock. */
final class LogLock implements Fault {
    private final ExtendedLogger log;

    LogLock() throws IOException {
        Path file = Files.createTempFile(Path.of("."), "login", ".log");
        var context = new LoggerContext("login");
        context.start();
        var appender = OutputStreamAppender.newBuilder()
                .setName("file")
                .setLayout(PatternLayout.newBuilder()
                        .withPattern("%d %p %t %c - %m%n")
                        .build())
                .setTarget(new Durable(new FileOutputStream(file.toFile())))
                .build();
        appender.start();
        context.getConfiguration().getRootLogger().addAppender(appender, Level.INFO, null);
        context.getConfiguration().getRootLogger().setLevel(Level.INFO);
        context.updateLoggers();
        log = context.getLogger("login");
    }

    /** What is flushed is on the disk. */
    private static final class Durable extends FilterOutputStream {
        private final FileOutputStream file;

        Durable(FileOutputStream file) {
            super(file);
            this.file = file;
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            OutputStream to = file;
            to.write(b, off, len);
        }

        @Override
        public void flush() throws IOException {
            file.getFD().sync();
        }
    }

    @Override
    public void spoil(Visit visit) {
        log.info("login page asked for by {}", visit.userAgent());
        log.info("login page rendered");
    }
}
