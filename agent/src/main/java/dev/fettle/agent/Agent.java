package dev.fettle.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Opens the control port and writes its number to a file; nothing else happens until someone connects. */
public final class Agent {
    private Agent() {}

    /**
     * Starts the agent.
     *
     * @param file receives the port as a decimal number on one line; it appears once the port accepts connections
     * @param maySet whether knobs of the server may be set: every program on this machine can reach the port
     * @throws IOException if no port is available, or the file can't be written
     */
    public static void start(String file, Instrumentation jvm, boolean maySet) throws IOException {
        if (file.isEmpty()) {
            throw new IOException(
                    "-javaagent:fettle-agent.jar=FILE is wanted: the file that receives the control port");
        }
        ControlPort control = ControlPort.open("fettle-agent", new Answers(new Finder(new Jvm(jvm)), maySet));
        try {
            leave(control.port(), Path.of(file));
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }

    /** All or nothing: a reader never sees half a number. */
    private static void leave(int port, Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + "." + System.nanoTime());
        Files.write(unfinished, (port + "\n").getBytes(StandardCharsets.US_ASCII));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
