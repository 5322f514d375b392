package dev.fettle.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;

/** Opens the control port and says in a file where it is; nothing else happens until someone connects. */
public final class Agent {
    /** In a JVM that ran before the agent came: then Fettle is gone, or will load it again. */
    private static final long IDLE_MILLIS = 60_000;

    private Agent() {}

    /**
     * Starts the agent.
     *
     * @param file receives the port and its token, see {@link ControlFile}; it appears once the port accepts connections
     * @param launched whether the JVM was started with it: then knobs of the server may be set, and the port stays as long as the JVM.
     *     In any other, the port and the file are gone a minute after the last connection
     * @throws IOException if no port is available, or the file can't be written
     */
    public static void start(String file, Instrumentation jvm, boolean launched) throws IOException {
        if (file.isEmpty()) {
            throw new IOException(
                    "-javaagent:fettle-agent.jar=FILE is wanted: the file that receives the control port and its token");
        }
        Path to = Path.of(file);
        ControlPort control = ControlPort.open(
                "fettle-agent", new Answers(new Finder(new Jvm(jvm)), launched, to), launched ? 0 : IDLE_MILLIS);
        try {
            ControlFile.write(control, to);
        } catch (IOException | RuntimeException e) {
            control.close();
            throw e;
        }
    }
}
