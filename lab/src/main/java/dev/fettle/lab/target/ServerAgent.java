package dev.fettle.lab.target;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** The agent inside the JVM of a server that is not Fettle's own: it reports effective knob values and busy workers. */
public final class ServerAgent {
    /** The agent, relative to Fettle's folder. */
    public static final String JAR = "agent/build/fettle-agent.jar";

    /** How long a listening server may take until its agent knows the connector. */
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    /** Written by the agent before the server's main class runs, so it is there as soon as the server listens. */
    private static final String CONTROL_FILE = "agent.control";

    private static final Duration PORT_BOUND = Duration.ofSeconds(20);

    /** Bound on one answer; the first waits are shorter. */
    private static final int LONGEST_MILLIS = 16_000;

    private final LabEnvironment env;

    public ServerAgent(LabEnvironment env) {
        this.env = env;
    }

    /**
     * JVM flags that load the agent.
     *
     * @param folder the trial's folder, for the agent's control file
     */
    public List<String> flags(Path folder) throws LabException {
        return List.of(
                "-javaagent:" + jar() + "=" + controlFile(folder),
                // without it Undertow's pool does not count busy threads; read once at start
                "-Djboss.threads.eqe.statistics.active-count=true");
    }

    /**
     * Loads the agent into a running JVM, unless it is there already; a minute after the last connection its port is closed.
     *
     * @param folder the process's folder, for the agent's control file
     * @throws IOException if the JVM refuses it
     */
    public void load(long pid, Path folder) throws LabException, IOException {
        Path file = controlFile(folder);
        if (Files.exists(file)) {
            try (var there = ControlProbe.connect(ControlAddress.read(file))) {
                there.ask("stats");
                return;
            } catch (IOException e) {
                Files.deleteIfExists(file); // of a port that closed by itself, or a failed start
            }
        }
        RunningJvm.load(pid, jar(), file.toString());
    }

    private Path jar() throws LabException {
        Path jar = env.home().resolve(JAR).toAbsolutePath();
        if (!Files.isReadable(jar)) {
            throw new LabException(jar + " is missing: build Fettle first (./fettle does)");
        }
        if (jar.toString().contains("=")) {
            throw new LabException("the JVM can't load an agent from " + jar + ": there must be no '=' in its path");
        }
        return jar;
    }

    private static Path controlFile(Path folder) {
        return folder.resolve(CONTROL_FILE).toAbsolutePath();
    }

    /** Adds to a listening target its effective values, versions, and a probe for its workers. What can't be read becomes a note. */
    public void describe(RunningTarget running, ServerKind server, Setting setting, Path folder) {
        describe(running, Optional.of(server), setting, folder, AT_MOST);
    }

    /**
     * As above.
     *
     * @param expected the server it must be; empty: any
     * @param atMost how long to wait for the server
     */
    public void describe(
            RunningTarget running, Optional<ServerKind> expected, Setting setting, Path folder, Duration atMost) {
        String server = expected.map(ServerKind::id).orElse("the server");
        int port = running.address().getPort();
        ControlProbe probe = null;
        boolean other = false;
        try {
            ControlAddress control = control(running, controlFile(folder));
            probe = ControlProbe.connect(control, "stats " + port);
            long deadline = System.nanoTime() + atMost.toNanos();
            JsonNode about = about(probe, running, port, deadline);
            String found = about.path("server").asText();
            if (expected.isPresent() && !found.equals(server)) {
                other = true;
                throw new IOException("it is " + found + " that listens on port " + port);
            }
            running.describe(about, patiently(probe, "effective " + port, running, deadline), setting);
            running.countWorkers(probe);
            probe = null;
            var live = new TreeSet<String>();
            about.path("live").forEach(n -> live.add(n.asText()));
            running.setThrough(control, OptionalInt.of(port), live);
        } catch (IOException e) {
            running.note("knob values and busy threads of " + server + " not read: " + e.getMessage());
            if (expected.isPresent()) { // of any server, the agent is asked for more than is known already
                running.unread(other ? Kind.NOT_EFFECTIVE : Kind.LAB, String.valueOf(e.getMessage()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running.note("knob values and busy threads of " + server + " not read: interrupted");
        } finally {
            if (probe != null) {
                probe.close();
            }
        }
    }

    /** Asks until there is an answer: some servers listen before they have deployed and started their applications. */
    private static JsonNode about(ControlProbe probe, RunningTarget running, int port, long deadline)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return patiently(probe, "about " + port, running, deadline);
            } catch (ControlProbe.Refused e) {
                if (!running.alive() || System.nanoTime() > deadline) {
                    throw e;
                }
            }
            Thread.sleep(50);
        }
    }

    /** Asks again, and waits longer, where no answer came in time: a JVM with little of a CPU takes seconds for the first one. */
    private static JsonNode patiently(ControlProbe probe, String question, RunningTarget running, long deadline)
            throws IOException {
        for (int millis = ControlProbe.ANSWER_MILLIS; ; millis = Math.min(2 * millis, LONGEST_MILLIS)) {
            try {
                return probe.ask(question, millis);
            } catch (SocketTimeoutException e) {
                if (!running.alive() || System.nanoTime() > deadline) {
                    throw new IOException("no answer within " + millis / 1000 + " s", e);
                }
            }
        }
    }

    private static ControlAddress control(RunningTarget running, Path file) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PORT_BOUND.toNanos();
        while (!Files.exists(file)) {
            if (!running.alive() || System.nanoTime() > deadline) {
                throw new IOException("the agent in its JVM left no control port; see target.log");
            }
            Thread.sleep(20);
        }
        return ControlAddress.read(file);
    }
}
