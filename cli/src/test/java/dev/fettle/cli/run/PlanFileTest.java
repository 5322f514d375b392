package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
    private static final String PLAN = "name: mine\ntarget: {server: tomcat, app: login}\nload: {connections: 50}\n";

    @TempDir
    Path folder;

    private final PlanReader reader = new PlanReader(2, 4096);

    private static String sha256(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** A file that is changed as soon as its plan is made: what is hashed is what was read. */
    @Test
    void theHashIsOfTheTextThatWasRead() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), PLAN);
        PlanFile.Read read = PlanFile.read(reader, file, plan -> {
            try {
                Files.writeString(file, PLAN.replace("mine", "other"));
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            return plan;
        });
        assertThat(read.plan().name()).isEqualTo("mine");
        assertThat(read.file()).isEqualTo(new PlanFile(file, sha256(PLAN)));
    }

    /** A pipe waits for a writer: it is refused before it is opened. */
    @Test
    @Timeout(60)
    void aNamedPipeIsNoPlan() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> PlanFile.read(reader, pipe))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("named pipe");
    }

    @Test
    void aFileThatChangedOrIsGoneGivesNoPlan() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), PLAN);
        Plan plan = reader.read(file);
        var run = new RunRecord(
                "mine-1", "tune", file, sha256(PLAN), plan, Map.of(), Instant.EPOCH, RunRecord.State.OPEN);
        assertThat(PlanFile.unchanged(run, reader)).contains(plan);
        Files.writeString(file, PLAN + "about: other\n");
        assertThat(PlanFile.unchanged(run, reader)).isEmpty();
        Files.delete(file);
        assertThat(PlanFile.unchanged(run, reader)).isEmpty();
        var none =
                new RunRecord("mine-2", "tune", Path.of(""), "", plan, Map.of(), Instant.EPOCH, RunRecord.State.OPEN);
        assertThat(PlanFile.unchanged(none, reader)).isEmpty();
    }
}
