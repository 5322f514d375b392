package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.Budget;
import dev.fettle.model.Objective;
import dev.fettle.model.Plan;
import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    Path folder;

    private static final Plan PLAN = new Plan(
            "a plan/with odd chars",
            "",
            Fixtures.hello(ServerKind.TOMCAT),
            Fixtures.load(8, "Hello"),
            Setting.DEFAULT,
            List.of(),
            Objective.DEFAULT,
            Budget.DEFAULT,
            Optional.empty(),
            Optional.empty(),
            1);

    static TrialOutcome outcome(int ordinal) {
        return new TrialOutcome(
                ordinal,
                Fixtures.spec(PLAN.target(), Setting.of("threads.max", "" + ordinal), PLAN.load()),
                Instant.EPOCH.plusSeconds(ordinal),
                Duration.ofSeconds(ordinal),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.DIED, "x")),
                new Verdict(List.of(new Verdict.Reason("died", "x", false))));
    }

    private static RunRecord begin(Journal journal) throws LabException {
        return journal.begin("tune", Path.of("/plans/p.yaml"), "abc", PLAN, Map.of("kernel", "Linux"), Instant.EPOCH);
    }

    @Test
    void whatIsWrittenIsReadBackByIdNumberAndLatest() throws Exception {
        Path file = folder.resolve("journal.db");
        String first;
        try (Journal journal = Journal.open(file)) {
            first = begin(journal).id();
            begin(journal);
            journal.add(first, outcome(1));
            journal.add(first, outcome(2));
        }
        try (Journal journal = Journal.open(file)) {
            assertThat(first).isEqualTo("a-plan-with-odd-chars-1");
            assertThat(journal.trials(first)).containsExactly(outcome(1), outcome(2));
            assertThat(journal.find(first)).isPresent();
            assertThat(journal.find("1").orElseThrow().id()).isEqualTo(first);
            assertThat(journal.find("latest").orElseThrow().id()).endsWith("-2");
            assertThat(journal.find("nope")).isEmpty();
            assertThat(journal.find("1; DROP TABLE run")).isEmpty();
            assertThat(journal.runs()).hasSize(2);
            assertThat(journal.find(first).orElseThrow().plan()).isEqualTo(PLAN);
            assertThat(journal.find(first).orElseThrow().state()).isEqualTo(RunRecord.State.OPEN);
            assertThat(journal.conclusion(first)).isEmpty();
        }
    }

    @Test
    void aFullDiskIsSaidInOneLineAndNothingThatWasFinishedIsLost() throws Exception {
        Path file = folder.resolve("journal.db");
        int written = 0;
        String id;
        try (Journal journal = Journal.open(file, 12)) {
            id = begin(journal).id();
            LabException full = null;
            while (full == null) {
                try {
                    journal.add(id, outcome(written + 1));
                    written++;
                } catch (LabException e) {
                    full = e;
                }
            }
            assertThat(full).hasMessageContaining("SQLITE_FULL").hasMessageContaining("free some disk space");
        }
        assertThat(written).isPositive();
        try (Journal journal = Journal.open(file)) {
            assertThat(journal.trials(id)).hasSize(written);
        }
    }

    /** Writes trials for ever and says each one that is on disk. */
    public static final class Writer {
        public static void main(String[] args) throws Exception {
            try (Journal journal = Journal.open(Path.of(args[0]))) {
                String id = begin(journal).id();
                System.out.println(id);
                for (int i = 1; ; i++) {
                    journal.add(id, outcome(i));
                    System.out.println(i);
                }
            }
        }
    }

    @Test
    void aKillAtAnyMomentLosesNothingThatWasSaidToBeWritten() throws Exception {
        Path file = folder.resolve("journal.db");
        var random = new Random(7);
        for (int round = 0; round < 5; round++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var said = new ArrayList<String>();
            try (var out = writer.inputReader()) {
                int upTo = 1 + random.nextInt(40);
                for (int i = 0; i < upTo; i++) {
                    said.add(out.readLine());
                }
                writer.destroyForcibly().waitFor();
            }
            try (Journal journal = Journal.open(file)) {
                List<TrialOutcome> kept = journal.trials(said.getFirst());
                assertThat(kept.size()).isGreaterThanOrEqualTo(said.size() - 1);
                for (int i = 0; i < kept.size(); i++) {
                    assertThat(kept.get(i)).isEqualTo(outcome(i + 1));
                }
            }
        }
    }

    @Test
    void aJournalOfANewerFettleIsLeftAlone() throws Exception {
        Path file = folder.resolve("journal.db");
        Journal.open(file).close();
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = db.createStatement()) {
            s.execute("PRAGMA user_version=99");
        }
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Journal.open(file))
                .withMessageContaining("newer Fettle");
    }
}
