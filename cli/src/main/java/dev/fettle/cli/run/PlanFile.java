package dev.fettle.cli.run;

import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.text.Sha256;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A plan's file, and which text of it a run was begun with.
 *
 * @param hash of the very bytes that were read as the plan
 */
public record PlanFile(Path path, String hash) {
    /** A plan, and the text from which it was read. */
    public record Read(PlanFile file, Plan plan) {}

    /**
     * Reads a plan.
     *
     * @throws PlanException if it can't be read or is none
     */
    public static Read read(PlanReader reader, Path path) {
        return read(reader, path, UnaryOperator.identity());
    }

    /** Reads a plan that is changed before its constraints are checked. */
    static Read read(PlanReader reader, Path path, UnaryOperator<Plan> change) {
        byte[] text = PlanReader.bytes(path);
        return new Read(new PlanFile(path, Sha256.hex(text)), reader.read(path, text, change));
    }

    /** The plan of a run, if its file exists, unchanged since the run began. */
    static Optional<Plan> unchanged(RunRecord run, PlanReader reader) {
        Path path = run.planFile();
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            return Optional.empty();
        }
        byte[] text = PlanReader.bytes(path);
        return Sha256.hex(text).equals(run.planHash())
                ? Optional.of(reader.read(path, text, UnaryOperator.identity()))
                : Optional.empty();
    }
}
