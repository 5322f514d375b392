package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.Child;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Spring Boot jar, extracted by its own tools into a trial's folder: the application's jar, and its libraries next to it.
 *
 * @param folder that it is in, removed at the end
 * @param jar to start
 */
record ExtractedJar(Path folder, Path jar) implements AutoCloseable {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final String LOG = "extract.log";

    /**
     * Extracts a jar.
     *
     * @param java that runs the tools
     * @param cpus that they may use
     * @throws TrialFailure with the tools' own message, if the jar has none, or they refuse
     */
    static ExtractedJar of(Path java, Path jar, Path trial, Set<Integer> cpus)
            throws TrialFailure, LabException, InterruptedException {
        Path folder = trial.resolve("extracted");
        List<String> command = List.of(
                java.toString(),
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--destination",
                folder.toString());
        var extracted = new ExtractedJar(folder, folder.resolve(String.valueOf(jar.getFileName())));
        try (Child tools = Child.start("extract", command, Map.of(), List.of(), trial, trial.resolve(LOG), cpus)) {
            boolean ended = tools.awaitEnd(BOUND);
            if (!ended || tools.exitCode().orElse(1) != 0 || !Files.isRegularFile(extracted.jar)) {
                extracted.close();
                throw new TrialFailure(
                        Kind.IMPOSSIBLE_SETTING,
                        "%s=%s: java -Djarmode=tools -jar %s extract %s"
                                .formatted(
                                        BootLayout.KNOB,
                                        BootLayout.EXTRACTED,
                                        jar,
                                        ended
                                                ? "gave no " + extracted.jar.getFileName() + ": " + said(tools)
                                                : "did not end within " + BOUND.toSeconds() + " s"));
            }
        }
        return extracted;
    }

    private static String said(Child tools) {
        return Optional.of(tools.tail(3)).filter(t -> !t.isBlank()).orElse("it said nothing");
    }

    @Override
    public void close() throws LabException {
        try (Stream<Path> all = Files.exists(folder) ? Files.walk(folder) : Stream.empty()) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(p);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot remove " + folder + ": " + e.getMessage(), e);
        }
    }
}
