package dev.fettle.cli.run;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.journal.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A plan's file, and whether it has changed since a run began. */
final class PlanFile {
    private PlanFile() {}

    /** The hash that identifies a run's plan. */
    static String hash(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new CliException(ExitCodes.USAGE, "cannot read the plan " + file + ": " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Whether it exists, unchanged since the run began. */
    static boolean unchanged(RunRecord run) {
        return Files.isReadable(run.planFile()) && hash(run.planFile()).equals(run.planHash());
    }
}
