package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How many iterations of the sample apps' loop take a millisecond of CPU time on this machine. The first trial of a run
 * measures it and all others reuse it: if each calibrated itself, the noise would look like an effect of the setting. Kept in
 * the run's folder, so that it survives a resume.
 */
public final class Calibration {
    private final Path file;

    public Calibration(Path runFolder) {
        this.file = runFolder.resolve("iterations-per-ms");
    }

    /** The first trial's result. */
    Optional<String> iterations() throws LabException {
        try {
            // a disk that was full, or a power cut, may have left something else
            return Files.exists(file)
                    ? Optional.of(Files.readString(file).trim()).filter(Calibration::counts)
                    : Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static boolean counts(String iterations) {
        return iterations.matches("[1-9][0-9]*");
    }

    /** Stores the first result. An app that computes nothing reports 0. */
    void keep(String iterations) throws LabException {
        if (!counts(iterations) || iterations().isPresent()) {
            return;
        }
        try {
            Folders.replace(file, iterations.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
