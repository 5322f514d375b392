package dev.fettle.lab.launch;

import dev.fettle.config.ConfigException;
import dev.fettle.config.process.ShellReader;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** Asks Jetty's start.jar for the command it would run. */
record JettyCommand(Path home, Path base, Path java) {
    private static final long BOUND_SECONDS = 30;
    private static final String OUTPUT = "start.out";
    private static final String LOG = "start.log";

    /**
     * The command, as an argument list starting with the java program.
     *
     * @throws TrialFailure with start.jar's own message, if it refuses
     */
    List<String> dryRun() throws TrialFailure, LabException, InterruptedException {
        Path out = base.resolve(OUTPUT);
        Path log = base.resolve(LOG);
        try {
            Process start = new ProcessBuilder(
                            java.toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-jar",
                            home.resolve("start.jar").toString(),
                            "jetty.home=" + home,
                            "jetty.base=" + base,
                            "--exec-properties=" + properties(base), // else its command has their values
                            "--dry-run")
                    .directory(base.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(log.toFile())
                    .start();
            start.getOutputStream().close();
            try {
                if (!start.waitFor(BOUND_SECONDS, TimeUnit.SECONDS) || start.exitValue() != 0) {
                    throw refused(Files.readString(log) + Files.readString(out));
                }
            } finally {
                start.descendants().forEach(ProcessHandle::destroyForcibly);
                start.destroyForcibly();
            }
            String command = Files.readString(out);
            Files.delete(out);
            return ShellReader.words(command);
        } catch (IOException e) {
            throw new LabException("cannot ask start.jar for its command: " + e.getMessage(), e);
        } catch (ConfigException e) {
            throw new LabException("start.jar's command can't be read: " + e.getMessage(), e);
        }
    }

    private static Path properties(Path base) {
        return base.resolve("start.properties");
    }

    /** The properties that start.jar has put into a file that its command names, {@code name=value}. */
    List<String> properties() throws LabException {
        Path file = properties(base);
        if (!Files.exists(file)) {
            return List.of();
        }
        var all = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            all.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return all.stringPropertyNames().stream()
                .sorted()
                .map(name -> name + "=" + all.getProperty(name))
                .toList();
    }

    private static TrialFailure refused(String said) {
        List<String> lines =
                said.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
        String words = lines.stream()
                .filter(l -> l.startsWith("ERROR") || l.contains("Exception: "))
                .findFirst()
                .or(() -> lines.stream().findFirst())
                .orElse("it gave no command within " + BOUND_SECONDS + " s");
        return new TrialFailure(Kind.DID_NOT_START, "Jetty's start.jar refuses the configuration: " + words);
    }
}
