package dev.fettle.lab.launch;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
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
            return Files.exists(file) ? Optional.of(Files.readString(file).trim()) : Optional.empty();
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Stores the first result. An app that computes nothing reports 0. */
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
