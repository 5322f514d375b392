package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How many iterations of the sample apps' loop make a millisecond of CPU time on this machine. The first trial of a run
 * finds out, all others are told: if each calibrated for itself, its noise would look like an effect of the setting. Kept in
 * the run's folder, so that it holds across a resume.
 */
public final class Calibration {
    private final Path file;

    public Calibration(Path runFolder) {
        this.file = runFolder.resolve("iterations-per-ms");
    }

    /** What the first trial found. */
    Optional<String> iterations() throws LabException {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).trim()) : Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Keeps it, if it is the first. An app that computes nothing has nothing calibrated: it says 0. */
    void keep(String iterations) throws LabException {
        if (iterations.isEmpty() || iterations.equals("0") || Files.exists(file)) {
            return;
        }
        try {
            Files.writeString(file, iterations);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
