package dev.fettle.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Opens the control port and leaves its number in a file; until somebody asks there, nothing else happens. */
public final class Agent {
    private Agent() {}

    /**
     * Starts the agent.
     *
     * @param file receives the port as a decimal number in a line; it appears once the port can be connected to
     * @throws IOException if there is no port to be had, or the file can't be written
     */
    public static void start(String file, Instrumentation jvm) throws IOException {
        if (file.isEmpty()) {
            throw new IOException(
                    "-javaagent:fettle-agent.jar=FILE is wanted: the file that receives the control port");
        }
        ControlPort control = ControlPort.open("fettle-agent", new Answers(new Finder(new Jvm(jvm))));
        try {
            leave(control.port(), Path.of(file));
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    /** Whole or not at all: a reader never sees half a number. */
    private static void leave(int port, Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + "." + System.nanoTime());
        Files.write(unfinished, (port + "\n").getBytes(StandardCharsets.US_ASCII));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
