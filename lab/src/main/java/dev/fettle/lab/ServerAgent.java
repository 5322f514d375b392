package dev.fettle.lab;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The agent inside the JVM of a server that is not ours: it says which knob values are in force and what the workers do. */
final class ServerAgent {
    /** The agent leaves it before the server's main class runs, so that it is there as soon as the server listens. */
    private static final String PORT_FILE = "agent.port";

    private static final Duration PORT_BOUND = Duration.ofSeconds(5);

    private final LabEnvironment env;

    ServerAgent(LabEnvironment env) {
        this.env = env;
    }

    /**
     * JVM flags that load it.
     *
     * @param folder the trial's, in which it leaves its control port
     */
    List<String> flags(Path folder) throws LabException {
        Path jar = env.home().resolve("agent/build/fettle-agent.jar").toAbsolutePath();
        if (!Files.isReadable(jar)) {
            throw new LabException(jar + " is missing: build Fettle first (./fettle does)");
        }
        if (jar.toString().contains("=")) {
            throw new LabException("the JVM can't load an agent from " + jar + ": there must be no '=' in its path");
        }
        return List.of(
                "-javaagent:" + jar + "=" + portFile(folder),
                // Undertow's pool counts no busy threads without it, and reads it once
                "-Djboss.threads.eqe.statistics.active-count=true");
    }

    private static Path portFile(Path folder) {
        return folder.resolve(PORT_FILE).toAbsolutePath();
    }

    /**
     * Completes what is known of a target that listens: effective values, versions, and a probe for its workers. What can't
     * be had becomes a note.
     */
    void describe(RunningTarget running, ServerKind server, Setting setting, Path folder) {
        int port = running.address.getPort();
        ControlProbe probe = null;
        try {
            probe = ControlProbe.connect(controlPort(running, portFile(folder)), "stats " + port);
            JsonNode about = about(probe, running, port);
            String found = about.path("server").asText();
            if (!found.equals(server.id())) {
                throw new IOException("it is " + found + " that listens on port " + port);
            }
            running.describe(about, probe.ask("effective " + port), setting);
            running.probe = probe;
            probe = null;
        } catch (IOException e) {
            running.notes.add("knob values and busy threads of " + server.id() + " not read: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running.notes.add("knob values and busy threads of " + server.id() + " not read: interrupted");
        } finally {
            if (probe != null) {
                probe.close();
            }
        }
    }

    /** Asks until there is an answer: some servers listen before they have deployed and started what they will run. */
    private static JsonNode about(ControlProbe probe, RunningTarget running, int port)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Launching.START_BOUND.toNanos();
        while (true) {
            try {
                return probe.ask("about " + port);
            } catch (ControlProbe.Refused e) {
                if (!running.alive() || System.nanoTime() > deadline) {
                    throw e;
                }
            }
            Thread.sleep(50);
        }
    }

    private static int controlPort(RunningTarget running, Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PORT_BOUND.toNanos();
        while (!Files.exists(file)) {
            if (!running.alive() || System.nanoTime() > deadline) {
                throw new IOException("the agent in its JVM left no control port; see target.log");
            }
            Thread.sleep(20);
        }
        String text = Files.readString(file).strip();
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IOException(file + " holds no port");
    }
}
