package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.stats.Interval;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class JournalTest {
    @TempDir
    Path folder;

    private static final Plan PLAN = Plan.of(
                    "a plan/with odd chars", Fixtures.hello(ServerKind.TOMCAT), Fixtures.load(8, "Hello"))
            .withSeed(1);

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
                new Verdict(List.of(new Verdict.Reason("died", "x", false))),
                List.of());
    }

    public static RunRecord begin(Journal journal) throws LabException {
        return journal.begin("tune", Path.of("/plans/p.yaml"), "abc", PLAN, Map.of("kernel", "Linux"), Instant.EPOCH);
    }

    private static final CapacityAsked ASKED = new CapacityAsked(
            "http://127.0.0.1:8080/",
            new CapacityOptions(
                    Slo.parse("p99.9<50ms,errors<0.1%,throughput>10/s"),
                    OptionalDouble.empty(),
                    Duration.ofSeconds(5),
                    0.03,
                    3,
                    Duration.ofMinutes(5),
                    true,
                    42,
                    true,
                    Optional.of(new CapacityOptions.Spike(
                            2, OptionalDouble.of(7), 0.7, Duration.ofSeconds(10), Duration.ofSeconds(30))),
                    1),
            OptionalDouble.of(900),
            true);

    /** A probe as version 2 wrote it. */
    private static String judged(int ordinal) {
        return """
                {"probe":{"phase":"NARROW","rate":%d.0,"seconds":5.0,"achieved":99.2,"finished":500,"responses":498,
                "failed":2,"lost":1,"held":3,"errors":{"STATUS":2},"examples":{"STATUS":"status 503"},
                "latency":{"count":498,"mean":5000000.0,"p50":4000000,"p75":5,"p90":6,"p95":7,"p99":8,"p999":9,"p9999":10,
                "max":11},"sendLagP99Millis":0.2,"generatorCpu":0.4,"took":"PT6.5S","evidence":{"cpus":2,"cpuShare":0.97,
                "busy":19.9,"workers":20.0,"mostWorkers":null,"gcShare":0.01,"dropped":3.0,"acceptQueue":100}},
                "verdict":{"result":"BROKEN","broken":["p99 was 60 ms (< 50 ms)"]}}""".formatted(100 * ordinal);
    }

    private static void check(Judged j, double rate) {
        assertThat(j.verdict())
                .isEqualTo(new ProbeVerdict(ProbeVerdict.Result.BROKEN, List.of("p99 was 60 ms (< 50 ms)")));
        Probe p = j.probe();
        assertThat(p.phase()).isEqualTo(Probe.Phase.NARROW);
        assertThat(List.of(p.rate(), p.seconds(), p.throughput(), p.generatorCpu()))
                .isEqualTo(List.of(rate, 5.0, 99.2, 0.4));
        assertThat(List.of(p.finished(), p.responses(), p.failed(), p.lost(), p.held()))
                .isEqualTo(List.of(500L, 498L, 2L, 1L, 3L));
        assertThat(p.errors()).isEqualTo(Map.of(ErrorKind.STATUS, 2L));
        assertThat(p.seen().measurement().errorExamples()).isEqualTo(Map.of(ErrorKind.STATUS, "status 503"));
        assertThat(p.latency()).isEqualTo(new LatencySummary(498, 5e6, 4_000_000, 5, 6, 7, 8, 9, 10, 11));
        assertThat(p.sendLagP99Millis()).hasValue(0.2);
        assertThat(p.took()).isEqualTo(Duration.ofMillis(6500));
        assertThat(p.cpuShare()).hasValue(0.97);
        assertThat(p.gcShare()).hasValue(0.01);
        assertThat(p.mostWorkers()).isEmpty();
        Evidence server = p.server().orElseThrow();
        assertThat(server.serverCpus()).isEqualTo(2);
        assertThat(server.busyWorkers()).hasValue(19.9);
        assertThat(server.workers()).hasValue(20);
        assertThat(server.listenOverflows()).hasValue(3);
        assertThat(server.acceptQueueLimit()).hasValue(100);
        assertThat(server.queued()).isEmpty();
        assertThat(server.serverSteal()).isEmpty();
    }

    /** With a bound that JSON has no number for, and without a lag. */
    private static CapacityConclusion findings() {
        Slo slo = ASKED.options().slo();
        var slice = new Slice(0.5, 1, 70, 60, 2, 0, 1, Map.of(ErrorKind.RESET, 2L), LatencySummary.NONE);
        return new CapacityConclusion(
                OptionalDouble.of(1.25),
                Optional.of(new CapacityResult(
                        slo,
                        CapacityResult.Outcome.UNCONFIRMED,
                        700,
                        Optional.of(new Interval(710, 650, Double.POSITIVE_INFINITY, 0.95)),
                        2,
                        Optional.of(
                                new CapacityResult.Broke(800, "p99 was 60 ms (< 50 ms)", Optional.of("it was full"))),
                        "About 700/s.",
                        List.of("a note"))),
                Optional.of(new OverloadResult(
                        slo,
                        490,
                        1400,
                        slice,
                        slice,
                        slice,
                        OptionalDouble.empty(),
                        "It did not recover.",
                        List.of(),
                        List.of(slice, slice),
                        Optional.of("the generator was late"))),
                List.of(),
                List.of("not steady"));
    }

    @Test
    void aCapacitySearchIsReadBackAsItWasWritten() throws Exception {
        Path file = folder.resolve("journal.db");
        String id;
        try (Journal journal = Journal.open(file)) {
            id = journal.begin(
                            "capacity", Path.of(""), "", PLAN.withCapacity(Optional.of(ASKED)), Map.of(), Instant.EPOCH)
                    .id();
            journal.conclude(id, findings());
        }
        try (Journal journal = Journal.open(file)) {
            assertThat(journal.find(id).orElseThrow().plan()).isEqualTo(PLAN.withCapacity(Optional.of(ASKED)));
            assertThat(journal.conclusion(id)).contains(findings());
        }
    }

    @Test
    void aCapacitySearchOfVersion2IsReadAndGoesOn() throws Exception {
        Path file = folder.resolve("journal.db");
        String id;
        try (Journal journal = Journal.open(file)) {
            id = journal.begin("capacity", Path.of(""), "", PLAN, Map.of(), Instant.EPOCH)
                    .id();
        }
        var json = Json.mapper();
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = db.createStatement()) {
            s.execute("CREATE TABLE capacity (run TEXT PRIMARY KEY REFERENCES run(id), asked TEXT NOT NULL) STRICT");
            s.execute("CREATE TABLE probe (run TEXT NOT NULL REFERENCES run(id), ordinal INTEGER NOT NULL,"
                    + " judged TEXT NOT NULL, PRIMARY KEY (run, ordinal)) STRICT");
            s.execute("PRAGMA user_version=2");
            insert(db, "INSERT INTO capacity VALUES (?, ?)", id, json.writeValueAsString(ASKED));
            insert(db, "INSERT INTO probe VALUES (?, 1, ?)", id, judged(1));
            insert(db, "INSERT INTO probe VALUES (?, 2, ?)", id, judged(2));
        }
        try (Journal journal = Journal.open(file)) {
            assertThat(journal.find(id).orElseThrow().plan()).isEqualTo(PLAN.withCapacity(Optional.of(ASKED)));
            List<Judged> probes = Judged.of(journal.trials(id));
            assertThat(probes).hasSize(2);
            check(probes.getFirst(), 100);
            check(probes.getLast(), 200);
            assertThat(journal.conclusion(id)).isEmpty();
            journal.add(id, List.of(outcome(3)));
            assertThat(journal.trials(id)).hasSize(3).last().isEqualTo(outcome(3));
            journal.conclude(id, findings());
            assertThat(journal.conclusion(id)).contains(findings());
        }
    }

    private static void insert(Connection db, String sql, String runId, String text) throws SQLException {
        try (var s = db.prepareStatement(sql)) {
            s.setString(1, runId);
            s.setString(2, text);
            s.executeUpdate();
        }
    }

    @Test
    void whatIsWrittenIsReadBackByIdNumberAndLatest() throws Exception {
        Path file = folder.resolve("journal.db");
        String first;
        try (Journal journal = Journal.open(file)) {
            first = begin(journal).id();
            begin(journal);
            journal.add(first, List.of(outcome(1)));
            journal.add(first, List.of(outcome(2)));
        }
        try (Journal journal = Journal.open(file)) {
            assertThat(first).isEqualTo("a-plan-with-odd-chars-1");
            assertThat(journal.trials(first)).containsExactly(outcome(1), outcome(2));
            assertThat(journal.find(first)).isPresent();
            assertThat(journal.find("1").orElseThrow().id()).isEqualTo(first);
            assertThat(journal.find("latest").orElseThrow().id()).endsWith("-2");
            assertThat(journal.find(first.replaceFirst("-1$", "")).orElseThrow().id())
                    .as("a plan's name is its newest run")
                    .endsWith("-2");
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
                    journal.add(id, List.of(outcome(written + 1)));
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
                    journal.add(id, List.of(outcome(i)));
                    System.out.println(i);
                }
            }
        }
    }

    @Test
    void whatIsDamagedIsToldInOneLine() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            for (int i = 0; i < 5; i++) {
                begin(journal);
            }
        }
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = db.createStatement()) {
            s.execute("UPDATE run SET plan = '{broken' WHERE sequence = 5");
            s.execute("UPDATE run SET plan = '{\"name\": \"x\"}' WHERE sequence = 4");
            s.execute("UPDATE run SET started = 'yesterday' WHERE sequence = 3");
            s.execute("UPDATE run SET environment = '[]' WHERE sequence = 2");
        }
        try (Journal journal = Journal.open(file)) {
            for (String name : List.of("latest", "5", "4", "3", "2")) {
                assertThatExceptionOfType(LabException.class)
                        .isThrownBy(() -> journal.find(name))
                        .withMessageStartingWith("cannot read the journal " + file + ": ")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
            }
            assertThat(journal.find("1")).isPresent();
            List<KeptRun> all = journal.runs();
            assertThat(all).extracting(r -> r.run().isPresent()).containsExactly(false, false, false, false, true);
            assertThat(all.getFirst().id()).endsWith("-5");
            assertThat(all)
                    .filteredOn(r -> r.run().isEmpty())
                    .allSatisfy(r -> assertThat(r.why()).isNotBlank().doesNotContain("\n"));
        }
    }

    /** While another Fettle writes: nothing that is there already is written again. */
    @Test
    void openingAJournalThatIsUpToDateWaitsForNobody() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            begin(journal);
            try (var db = DriverManager.getConnection("jdbc:sqlite:" + file);
                    var s = db.createStatement()) {
                s.execute("BEGIN IMMEDIATE");
                try (Journal other = Journal.open(file)) {
                    assertThat(other.runs()).hasSize(1);
                }
                s.execute("ROLLBACK");
            }
        }
    }

    /** As on a full disk: there is no room for what SQLite keeps beside an open database. */
    @Test
    void whatCannotBeOpenedForWritingIsRead() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            begin(journal);
        }
        Files.createSymbolicLink(
                folder.resolve("journal.db-shm"), folder.resolve("none").resolve("x")); // in its place
        assertThatExceptionOfType(LabException.class).isThrownBy(() -> Journal.open(file));
        try (Journal journal = Journal.read(file)) {
            assertThat(journal.runs()).hasSize(1);
        }
    }

    @Test
    void itIsWhereItsPathSays() throws Exception {
        Path odd = Files.createDirectory(folder.resolve("what? 100% a&b#c=d"));
        try (Journal journal = Journal.open(odd.resolve("journal.db"))) {
            journal.add(begin(journal).id(), List.of(outcome(1)));
        }
        assertThat(odd.resolve("journal.db")).isRegularFile();
        try (Journal journal = Journal.readOnly(odd.resolve("journal.db"))) {
            assertThat(journal.runs()).hasSize(1);
        }
        assertThat(folder)
                .isDirectoryNotContaining(p -> p.getFileName().toString().equals("what"));
    }

    @Test
    void aKillAtAnyMomentLosesNothingThatWasSaidToBeWritten() throws Exception {
        Path file = folder.resolve("journal.db");
        Path temp = Files.createDirectory(folder.resolve("temp"));
        var random = new Random(7);
        for (int round = 0; round < 5; round++) {
            Process writer = Fixtures.java(
                            List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + temp),
                            Writer.class,
                            file)
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
            assertThat(temp).as("temporary files that a kill leaves").isEmptyDirectory();
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
    void whereNothingMayBeWrittenItIsRead() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            journal.add(begin(journal).id(), List.of(outcome(1)));
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
        try {
            assumeFalse(Files.isWritable(folder), "this user may write everywhere");
            try (Journal journal = Journal.read(file)) {
                assertThat(journal.trials(journal.runs().getFirst().id())).containsExactly(outcome(1));
            }
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** As it lies there, and while somebody else writes it. */
    @Test
    void readingOnlyWritesNothing() throws Exception {
        Path file = folder.resolve("journal.db");
        String id;
        try (Journal writer = Journal.open(file)) {
            id = begin(writer).id();
            writer.add(id, List.of(outcome(1)));
            assertThat(folder.resolve("journal.db-wal")).exists();
            try (Journal journal = Journal.readOnly(file)) {
                assertThat(journal.trials(id)).containsExactly(outcome(1));
            }
        }
        byte[] before = Files.readAllBytes(file);
        try (Journal journal = Journal.readOnly(file)) {
            assertThat(journal.trials(id)).containsExactly(outcome(1));
            assertThatExceptionOfType(LabException.class).isThrownBy(() -> begin(journal));
        }
        assertThat(file).hasBinaryContent(before);
        assertThat(folder.resolve("journal.db-wal")).doesNotExist();
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
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Journal.read(file))
                .withMessageContaining("newer Fettle");
    }
}
