package dev.fettle.lab.launch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.CallersLocale;
import dev.fettle.lab.process.Child;
import dev.fettle.lab.process.CrashOutput;
import dev.fettle.lab.process.ProcessKnobs;
import dev.fettle.lab.target.ControlAddress;
import dev.fettle.lab.target.ControlProbe;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Launches Fettle's own servers, with a sample app or a WAR, each in its own folder. */
final class OwnServers {
    private static final String READY = "FETTLE-READY ";
    private static final String FAILED = "FETTLE-FAILED ";
    private static final String TLS_PASSWORD = "FETTLE_TLS_PASSWORD";
    private static final int UNSAFE_WARNS_SINCE = 24;
    /** Sample apps that burn CPU time and so need the calibration. */
    private static final Set<String> BURNS_CPU = Set.of("work", "login");
    /** The folder for a server's temporary files, in its own. */
    /** In the trial's folder: written by the server before it says that it is ready. */
    private static final String CONTROL = "server.control";

    private static final String TEMP = "temp";

    private static final String ITERATIONS = "iterations";
    /** How long an app waits for its backend, beyond what that takes on purpose. */
    private static final Duration BEYOND_DELAY = Duration.ofSeconds(10);

    private final LabEnvironment env;
    private final ProgramLauncher programs;
    private final Calibration calibration;
    private final ObjectMapper json = new ObjectMapper();

    OwnServers(LabEnvironment env, Calibration calibration) {
        this.env = env;
        this.programs = new ProgramLauncher(env);
        this.calibration = calibration;
    }

    /**
     * Launches a sample app, with its backend if it has one.
     *
     * @param variables for its environment
     */
    RunningTarget embedded(
            Target.Embedded target,
            Setting setting,
            Optional<ServerKey> key,
            Map<String, String> variables,
            Path folder)
            throws TrialFailure, LabException, InterruptedException {
        boolean file = TargetParts.isStatic(target);
        List<String> command =
                server(target.server(), target.jvm(), setting, classPath(TargetParts.classPath(target)), folder);
        command.add("app=" + target.app());
        Path scratch = folder.resolve("server");
        if (file) {
            fresh(scratch);
            command.add("scratch=" + scratch);
        }
        target.options().forEach((name, value) -> command.add("app." + name + "=" + value));
        if (BURNS_CPU.contains(target.app()) && !target.options().containsKey(ITERATIONS)) {
            calibration.iterations().ifPresent(n -> command.add("app." + ITERATIONS + "=" + n));
        }

        Child backend = null;
        RunningTarget running = null;
        try {
            if (target.backend().isPresent()) {
                backend = backend(target.backend().get(), folder);
                JsonNode ready = awaitReady(backend, "backend");
                command.addAll(
                        calling(target.backend().get(), ready.path("port").asInt()));
            }
            running = started(command, setting, key, variables, folder);
            if (file) {
                running.owns(() -> Folders.delete(scratch));
            }
            if (BURNS_CPU.contains(target.app())) {
                calibration.keep(running.facts().getOrDefault("iterationsPerMs", ""));
            }
            return running;
        } finally {
            if (backend != null) {
                if (running == null) {
                    backend.close();
                } else {
                    running.owns(backend);
                }
            }
        }
    }

    /** The app's options for its backend. What is slow on purpose is no time-out. */
    static List<String> calling(Target.Backend backend, int port) {
        return List.of(
                "app.backend=127.0.0.1:" + port,
                "app.backend.timeout=" + backend.delay().plus(BEYOND_DELAY).toMillis() + "ms");
    }

    private static void fresh(Path folder) throws LabException {
        try {
            Folders.make(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** What can't be deleted stays in the trial's folder. */
    private static void cleared(Path temp) {
        try {
            Folders.delete(temp);
        } catch (IOException e) {
            return;
        }
    }

    /** Launches a web application on a server without a configuration of its own. */
    RunningTarget war(
            Target.War target, Setting setting, Optional<ServerKey> key, Map<String, String> variables, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        UnpackedWar war = UnpackedWar.of(target, folder);
        RunningTarget running = null;
        try {
            List<String> command =
                    server(target.server(), target.jvm(), setting, classPath(TargetParts.classPath(target)), folder);
            command.addAll(war.arguments());
            running = started(command, setting, key, variables, folder);
            running.fact("deployed", war.name() + " at " + target.context());
            running.owns(war);
            return running;
        } finally {
            if (running == null) {
                war.close();
            }
        }
    }

    private static Path controlFile(Path folder) {
        return folder.resolve(CONTROL).toAbsolutePath();
    }

    /** The start of the command for one of Fettle's own servers, without what it serves. */
    private List<String> server(ServerKind server, Target.Jvm jvm, Setting setting, String classPath, Path folder)
            throws LabException {
        Path java = env.jdks().java(jvm.java());
        var command = new ArrayList<String>();
        command.add(java.toString());
        command.add("-XX:+ExitOnOutOfMemoryError");
        if (server.rules().usesUnsafe() && Jdks.releaseOf(java).orElse(0) >= UNSAFE_WARNS_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow"); // it frees its buffers that way, and Java would warn
        }
        // a server that is killed can't delete what it has put there
        command.add("-Djava.io.tmpdir=" + folder.resolve(TEMP).toAbsolutePath());
        command.addAll(JvmArguments.of(jvm, setting));
        command.addAll(List.of("-cp", classPath, "dev.fettle.servers.Main"));
        command.add("server=" + server.id());
        command.add("control=" + controlFile(folder));
        return command;
    }

    /** Starts one of Fettle's own servers with a setting, and waits until it reports ready. */
    private RunningTarget started(
            List<String> command, Setting setting, Optional<ServerKey> key, Map<String, String> variables, Path folder)
            throws TrialFailure, LabException, InterruptedException {
        var environment = new LinkedHashMap<>(CallersLocale.ours());
        environment.putAll(variables);
        key.ifPresent(k -> {
            command.add("tls.keystore=" + k.keystore());
            environment.put(TLS_PASSWORD, k.password()); // other users can read arguments
        });
        setting.values().forEach((knob, value) -> {
            if (Knobs.ofServer(knob)) {
                command.add(knob + "=" + value);
            }
        });
        Path temp = folder.resolve(TEMP);
        fresh(temp);
        long begin = System.nanoTime();
        Child child = Child.start(
                "target",
                ProcessKnobs.around(command, setting, programs.ownNice()),
                environment,
                folder,
                folder.resolve(ProgramLauncher.LOG),
                ProcessKnobs.cpus(setting, env.cpus().server()));
        RunningTarget running = null;
        try {
            JsonNode ready = awaitReady(child, "target");
            double startup = (System.nanoTime() - begin) / 1e6;
            var address = new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), ready.path("port").asInt());
            var up = new RunningTarget(address, Optional.of(child), startup);
            up.owns(() -> cleared(temp));
            describe(up, ready, setting, controlFile(folder));
            running = up;
            return up;
        } finally {
            if (running == null) {
                child.close();
                cleared(temp);
            }
        }
    }

    private void describe(RunningTarget running, JsonNode ready, Setting setting, Path controlFile) {
        running.describe(ready, ready.path("effective"), setting);
        if (setting.get(ServerKind.CHOICE).isPresent()) {
            running.readBack(ServerKind.CHOICE, ready.path("server").asText());
        }
        ready.path("notes").forEach(n -> running.note(n.asText()));
        JsonNode iterations = ready.path("appFacts").path("iterationsPerMs");
        if (iterations.isNumber()) {
            running.fact("iterationsPerMs", iterations.asText());
        }
        var live = new TreeSet<String>();
        ready.path("live").forEach(n -> live.add(n.asText()));
        try {
            ControlAddress control = ControlAddress.read(controlFile);
            running.setThrough(control, OptionalInt.empty(), live);
            running.countWorkers(ControlProbe.connect(control));
        } catch (IOException e) {
            running.note("busy threads not read: the control port does not answer: " + e.getMessage());
        }
    }

    private Child backend(Target.Backend backend, Path folder) throws LabException, InterruptedException {
        List<String> command = List.of(
                env.jdks().java(Optional.empty()).toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(TargetParts.ofBackend()),
                "dev.fettle.servers.Backend",
                "port=0",
                "wait=" + backend.delay().toNanos() / 1000 + "us",
                "bytes=" + backend.bytes());
        return Child.start(
                "backend",
                command,
                CallersLocale.ours(),
                folder,
                folder.resolve("backend.log"),
                env.cpus().generator());
    }

    private String classPath(List<String> parts) throws LabException {
        var paths = new ArrayList<String>();
        for (String part : parts) {
            paths.add(built(part) + (part.endsWith(".jar") ? "" : "/*"));
        }
        return String.join(":", paths);
    }

    private Path built(String part) throws LabException {
        Path path = env.home().resolve(part);
        if (Files.isReadable(path)) {
            return path;
        }
        throw new LabException(
                TargetParts.isFault(part)
                        ? "the faults of the login app are not built: mvn -pl servers/faults -am package -DskipTests"
                                + " builds them"
                        : path + " is missing: build Fettle first (./fettle does)");
    }

    /** Waits for the READY line of one of Fettle's own programs. */
    private JsonNode awaitReady(Child child, String what) throws TrialFailure, InterruptedException {
        Optional<String> line = child.awaitReady(READY, FAILED);
        try {
            if (line.isPresent() && line.get().startsWith(READY)) {
                return json.readTree(line.get().substring(READY.length()));
            }
            if (line.isPresent()) {
                String reason = json.readTree(line.get().substring(FAILED.length()))
                        .path("reason")
                        .asText();
                child.awaitEnd(Duration.ofSeconds(2));
                boolean refused =
                        child.exitCode().orElse(1) == 4 || child.exitCode().orElse(1) == 2;
                throw new TrialFailure(refused ? Kind.IMPOSSIBLE_SETTING : Kind.DID_NOT_START, reason);
            }
        } catch (JsonProcessingException e) {
            throw new TrialFailure(Kind.DID_NOT_START, "the " + what + " said something else than expected: " + line);
        }
        throw new TrialFailure(
                new CrashOutput(child).kind(Kind.DID_NOT_START),
                new CrashOutput(child).ended(what, "before it was ready"));
    }
}
