package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                    OptionalFigure.empty(),
                    Duration.ofSeconds(5),
                    0.03,
                    3,
                    Duration.ofMinutes(5),
                    true,
                    42,
                    true,
                    Optional.of(new CapacityOptions.Spike(
                            2, OptionalFigure.of(7), 0.7, Duration.ofSeconds(10), Duration.ofSeconds(30))),
                    1,
                    Duration.ofSeconds(5)),
            OptionalFigure.of(900),
            true);

    /** With a bound that JSON has no number for, and without a lag. */
    private static CapacityConclusion findings() {
        Slo slo = ASKED.options().slo();
        var slice = new Slice(0.5, 1, 70, 60, 2, 0, 1, Map.of(ErrorKind.RESET, 2L), LatencySummary.NONE);
        return new CapacityConclusion(
                OptionalFigure.of(1.25),
                Optional.of(new CapacityResult(
                        slo,
                        CapacityResult.Outcome.UNCONFIRMED,
                        700,
                        Optional.of(new Interval(710, 650, Double.POSITIVE_INFINITY, 0.95)),
                        2,
                        Optional.of(
                                new CapacityResult.Broke(800, "p99 was 60 ms (< 50 ms)", Optional.of("it was full"))),
                        "About 700/s.",
                        List.of("a note"),
                        Optional.empty())),
                Optional.of(new OverloadResult(
                        slo,
                        490,
                        1400,
                        slice,
                        slice,
                        slice,
                        OptionalFigure.empty(),
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
        ServerSocketChannel.open(StandardProtocolFamily.UNIX) // what can't be opened, in its place
                .bind(UnixDomainSocketAddress.of(folder.resolve("journal.db-shm")))
                .close();
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

    private static final int ROUNDS = Integer.getInteger("fettle.kills", 3);

    @Test
    void aKillAtAnyMomentLosesNothingThatWasSaidToBeWritten() throws Exception {
        Path file = folder.resolve("journal.db");
        Path temp = Files.createDirectory(folder.resolve("temp"));
        var random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
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

    @ParameterizedTest
    @CsvSource({"99, newer", "3, older"})
    void aJournalOfAnotherFettleIsLeftAlone(int version, String which) throws Exception {
        Path file = folder.resolve("journal.db");
        Journal.open(file).close();
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file);
                var s = db.createStatement()) {
            s.execute("PRAGMA user_version=" + version);
        }
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Journal.open(file))
                .withMessageContaining("%s Fettle (journal version %d,", which, version);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Journal.read(file))
                .withMessageContaining("%s Fettle (journal version %d,", which, version);
    }

    private void changed(String... sql) throws Exception {
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                var s = db.createStatement()) {
            for (String one : sql) {
                s.execute(one);
            }
        }
    }

    /** They become folders. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/tmp/zz", "../../zz", "..", ".ssh", "-rf", "a/b", "a b", "a..b", "", "x\u001b[2J", "ä", "--json"
            })
    void anIdThatIsNoneIsNotRead(String id) throws Exception {
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            begin(journal);
        }
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                var s = db.prepareStatement("UPDATE run SET id = ?")) {
            s.setString(1, id);
            s.execute();
        }
        try (Journal journal = Journal.read(folder.resolve("journal.db"))) {
            assertThat(journal.runs()).hasSize(1).allMatch(r -> r.run().isEmpty());
            assertThatThrownBy(() -> journal.find("latest")).hasMessageContaining("that is no id of a run");
        }
    }

    /** Of a plan called über, say. */
    @Test
    void anIdOfAnOlderFettleThatBeginsWithADashIsRead() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            assertThat(begin(journal).id()).isEqualTo("a-plan-with-odd-chars-1");
            assertThat(journal.begin(
                                    "tune",
                                    Path.of(""),
                                    "",
                                    PLAN.with().name("über").build(),
                                    Map.of(),
                                    Instant.EPOCH)
                            .id())
                    .isEqualTo("ber-2");
        }
        changed("UPDATE run SET id = '-ber-2' WHERE sequence = 2");
        try (Journal journal = Journal.read(file)) {
            assertThat(journal.find("2").orElseThrow().id()).isEqualTo("-ber-2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM run; END",
                "CREATE VIEW v AS SELECT * FROM run",
                "CREATE VIRTUAL TABLE f USING fts5(x)"
            })
    void aJournalThatDoesSomethingByItselfIsRefused(String sql) throws Exception {
        Path file = folder.resolve("journal.db");
        Journal.open(file).close();
        changed(sql);
        assertThatThrownBy(() -> Journal.open(file)).hasMessageContaining("that is no journal of Fettle's");
        assertThatThrownBy(() -> Journal.read(file)).hasMessageContaining("that is no journal of Fettle's");
        assertThatThrownBy(() -> Journal.readOnly(file)).hasMessageContaining("that is no journal of Fettle's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm"})
    void aLinkIsNoJournal(String ending) throws Exception {
        Path file = folder.resolve("journal.db");
        Path elsewhere = folder.resolve("elsewhere");
        Journal.open(elsewhere).close();
        if (!ending.isEmpty()) {
            Journal.open(file).close();
        }
        Files.createSymbolicLink(Path.of(file + ending), elsewhere);
        assertThatThrownBy(() -> Journal.open(file)).hasMessageContaining("is a link");
        assertThatThrownBy(() -> Journal.read(file)).hasMessageContaining("is a link");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "[]", "7", "{\"name\": null, \"target\": {}}", "{\"name\""})
    void aPlanThatIsNoneDoesNotHideOtherRuns(String plan) throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            begin(journal);
            begin(journal);
        }
        changed("UPDATE run SET plan = '" + plan + "' WHERE sequence = 1");
        try (Journal journal = Journal.read(file)) {
            assertThat(journal.runs()).hasSize(2);
            assertThat(journal.find("latest")).isPresent();
        }
    }

    /** More than anything that Fettle writes, and than fits into its memory. */
    @Test
    void aValueOfAnySizeIsNotRead() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            begin(journal);
        }
        changed("UPDATE run SET plan = hex(zeroblob(70000000))");
        try (Journal journal = Journal.read(file)) {
            assertThatThrownBy(journal::runs).isInstanceOf(LabException.class).hasMessageContaining("too big");
        }
    }

    @Test
    void onlyItsOwnerCanReadIt() throws Exception {
        Path file = folder.resolve("journal.db");
        try (Journal journal = Journal.open(file)) {
            begin(journal);
            for (String ending : List.of("", "-wal", "-shm")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file + ending))))
                        .as("'%s'", ending)
                        .isEqualTo("rw-------");
            }
        }
    }

    /** SQLite deletes the file that a rollback journal names as that of all databases of a transaction. */
    @Test
    void aRollbackJournalDeletesNothing() throws Exception {
        Path file = folder.resolve("journal.db");
        Journal.open(file).close();
        Path victim = Files.writeString(folder.resolve("victim"), "keep");
        byte[] name = victim.toString().getBytes(StandardCharsets.UTF_8);
        int pageSize = 4096;
        int pages = (int) (Files.size(file) / pageSize);
        byte[] magic = HexFormat.of().parseHex("d9d505f920a163d7");
        byte[] page = Arrays.copyOf(Files.readAllBytes(file), pageSize);
        int nonce = 12345;
        int sum = nonce;
        for (int i = pageSize - 200; i > 0; i -= 200) {
            sum += page[i] & 0xff;
        }
        int names = 0;
        for (byte b : name) {
            names += b;
        }
        int head = 512;
        int whole = (head + 4 + pageSize + 4 + 511) / 512 * 512;
        var hot = ByteBuffer.allocate(whole + 4 + name.length + 8 + magic.length);
        hot.put(magic).putInt(1).putInt(nonce).putInt(pages).putInt(512).putInt(pageSize);
        hot.position(head).putInt(1).put(page).putInt(sum);
        hot.position(whole)
                .putInt(0x40000000 / pageSize + 1)
                .put(name)
                .putInt(name.length)
                .putInt(names)
                .put(magic);
        Files.write(Path.of(file + "-journal"), hot.array());
        assertThatThrownBy(() -> Journal.open(file)).hasMessageContaining("journal.db-journal");
        assertThatThrownBy(() -> Journal.read(file)).hasMessageContaining("journal.db-journal");
        assertThat(victim).hasContent("keep");
    }

    /** Another Fettle that opens it meanwhile would refuse it, and so would the next one if this one is killed. */
    @Test
    void aNewOneIsAtNoTimeWhatOthersRefuse() throws Exception {
        try (WatchService seen = folder.getFileSystem().newWatchService()) {
            folder.register(seen, StandardWatchEventKinds.ENTRY_CREATE);
            Path file = folder.resolve("journal.db");
            Journal.open(file).close();
            var names = new ArrayList<String>();
            Files.createFile(folder.resolve("end")); // the events are in order
            while (!names.contains("end")) {
                WatchKey key = seen.take();
                key.pollEvents().forEach(e -> names.add(String.valueOf(e.context())));
                key.reset();
            }
            assertThat(names).contains("journal.db-wal").doesNotContain("journal.db-journal");
            try (var left = Files.list(folder)) {
                assertThat(left.map(f -> f.getFileName().toString())).containsExactlyInAnyOrder("journal.db", "end");
            }
        }
    }
}
