package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.journal.OthersFiles.Asked;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.WatchPoint;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OthersFilesTest {
    private static final Instant BEGIN = Instant.parse("2026-11-28T02:00:00Z");
    private static final Instant NOW = Instant.parse("2026-11-29T02:00:00Z");

    @TempDir
    Path folder;

    /** Ten pauses, six seconds apart. */
    private void gcLog(String name, Instant from) throws Exception {
        var log = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            log.append(
                    "[%s+0000][%d.000s][info][gc] GC(%d) Pause Full (Allocation Failure) 518M->512M(520M) 350.000ms\n"
                            .formatted(
                                    DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS")
                                            .withZone(ZoneId.of("UTC"))
                                            .format(from.plusSeconds(6 * i)),
                                    5 + 6 * i,
                                    i));
        }
        Files.writeString(folder.resolve(name), log);
    }

    private void dump(String name, Instant at, String frame) throws Exception {
        String time = LocalDateTime.ofInstant(at, ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"));
        Files.writeString(
                folder.resolve(name),
                time + "\nFull thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode):\n\n"
                        + "\"worker-1\" #21 [1] prio=5 cpu=1.00ms elapsed=9.00s tid=0x1 nid=1 runnable  [0x1]\n"
                        + "   java.lang.Thread.State: RUNNABLE\n\tat " + frame + "(Cart.java:10)\n");
    }

    private void watched(String name, Instant from, int seconds) throws Exception {
        try (var recording = new WatchRecording(folder.resolve(name), "process 7", from)) {
            for (int i = 1; i <= seconds; i++) {
                recording.add(new WatchPoint(
                        i,
                        Map.of("cpu.total", 0.5, "gc.pauseMax", 7.0),
                        List.of(new Sighting("lock", "a.B", i)),
                        Map.of()));
            }
        }
    }

    private void histogram(String name, long bytes, Instant at) throws Exception {
        Path file = Files.writeString(
                folder.resolve(name),
                " num     #instances         #bytes  class name\n   1: %d %d shop.Cart\nTotal %d %d\n"
                        .formatted(bytes / 16, bytes, bytes / 16, bytes));
        Files.setLastModifiedTime(file, FileTime.from(at));
    }

    private OthersFiles read() throws LabException {
        return OthersFiles.read(OthersFiles.in(folder), Asked.all(false), NOW);
    }

    private static double firstSeconds(OthersFiles all, String id) {
        Series s = all.timeline().find(id).orElseThrow();
        int i = 0;
        while (Double.isNaN(s.at(i))) {
            i++;
        }
        return i * all.timeline().stepMillis() / 1e3;
    }

    /** A request every second, each of one client or of its own. */
    private void accessLog(String name, boolean oneClient, double seconds) throws Exception {
        var log = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            log.append("10.0.0.%d - - [%s] \"GET / HTTP/1.1\" 200 5 %.3f\n"
                    .formatted(
                            oneClient ? 1 : i,
                            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", java.util.Locale.ROOT)
                                    .withZone(ZoneId.of("UTC"))
                                    .format(BEGIN.plusSeconds(i)),
                            seconds));
        }
        Files.writeString(folder.resolve(name), log);
    }

    /** Which log is in front shows in its clients, or in how long its requests take. */
    @Test
    void twoAccessLogsAreTwoLayers() throws Exception {
        accessLog("a", true, 0.2);
        accessLog("b", false, 0.3);
        OthersFiles all = read();
        assertThat(all.timeline().mean(Signals.REQUESTS_UNDER_WAY).getAsDouble())
                .isBetween(0.19, 0.21);
        assertThat(all.timeline().mean(Signals.FRONT_UNDER_WAY).getAsDouble()).isBetween(0.29, 0.31);
        assertThat(all.notes()).anyMatch(n -> n.startsWith("b is taken for the log of what is in front of a"));
        accessLog("b", true, 0.1);
        assertThat(read().timeline().mean(Signals.FRONT_UNDER_WAY).getAsDouble())
                .isBetween(0.19, 0.21);
    }

    @Test
    void aPartOfRecordingsAndLogs() throws Exception {
        watched("w1", BEGIN, 60);
        watched("w2", BEGIN.plusSeconds(60), 60);
        accessLog("a", true, 0.2);
        List<Path> files = OthersFiles.in(folder);
        assertThat(OthersFiles.started(files)).isEqualTo(BEGIN);
        OthersFiles part = OthersFiles.read(
                files, new Asked(false, BEGIN.plusSeconds(70), BEGIN.plusSeconds(90), java.util.Optional.empty()), NOW);
        assertThat(part.read()).hasSize(2);
        assertThat(part.from()).contains(BEGIN.plusSeconds(70));
        assertThat(part.timeline().points() * part.timeline().stepMillis()).isBetween(18_000L, 22_000L);
        assertThatThrownBy(() -> OthersFiles.read(
                        files,
                        new Asked(false, BEGIN.plusSeconds(7000), BEGIN.plusSeconds(7010), java.util.Optional.empty()),
                        NOW))
                .hasMessageContaining("nothing was recorded in that time");
    }

    @Test
    void filesOfAllKindsAreOnOneClock() throws Exception {
        watched("w", BEGIN, 30);
        gcLog("g", BEGIN.plusSeconds(60));
        dump("d2", BEGIN.plusSeconds(90), "shop.Cart.total");
        dump("d1", BEGIN.plusSeconds(80), "shop.Cart.total");
        OthersFiles all = read();
        assertThat(all.read()).hasSize(4);
        assertThat(all.unread()).isEmpty();
        assertThat(all.from()).contains(BEGIN);
        assertThat(firstSeconds(all, Signals.CPU_TOTAL)).isZero();
        assertThat(firstSeconds(all, Signals.HEAP_LIVE)).isBetween(58.0, 62.0);
        assertThat(all.timeline().threads().moments())
                .extracting(m -> m.millis())
                .containsExactly(80_000L, 90_000L);
        assertThat(all.timeline().threads().moments().get(1).groups().getFirst().still())
                .isEqualTo(1);
        // both have pauses: those of the watch count
        assertThat(all.timeline().max(Signals.GC_PAUSE_MAX).getAsDouble()).isEqualTo(7);
        assertThat(all.timeline().sum(Signals.GC_COUNT).getAsDouble()).isEqualTo(9);
        assertThat(all.timeline().sightings(Sighting.LOCK)).isNotEmpty();
        assertThat(all.notes()).isEmpty();
    }

    @Test
    void logsThatFollowEachOtherAreOne() throws Exception {
        gcLog("gc.log.0", BEGIN);
        gcLog("gc.log.1", BEGIN.plusSeconds(120));
        OthersFiles all = read();
        assertThat(all.timeline().sum(Signals.GC_COUNT).getAsDouble()).isEqualTo(18);
        assertThat(all.timeline().points() * all.timeline().stepMillis()).isBetween(173_000L, 180_000L);
    }

    @Test
    void whatGrewIsOfTheFirstAndTheLastByTheirFilesTimes() throws Exception {
        histogram("b", 1_000_000, BEGIN);
        histogram("a", 5_000_000, BEGIN.plusSeconds(300));
        OthersFiles all = read();
        assertThat(all.timeline().sightings(Sighting.HISTOGRAM_GREW)).anySatisfy(s -> {
            assertThat(s.what()).isEqualTo("shop.Cart");
            assertThat(s.count()).isEqualTo(4_000_000);
        });
        assertThat(all.timeline()
                        .sightings(Sighting.HISTOGRAM_SECONDS)
                        .getFirst()
                        .count())
                .isEqualTo(300);
        assertThat(all.notes()).anyMatch(n -> n.contains("b first"));
        histogram("b", 1_000_000, BEGIN.plusSeconds(300));
        assertThat(read().timeline().sightings(Sighting.HISTOGRAM_SECONDS)).isEmpty();
    }

    /** What is of no known kind is listed and left alone, and so is what leads elsewhere. */
    @Test
    void whatIsNotReadIsListed() throws Exception {
        gcLog("gc.log", BEGIN);
        Files.writeString(folder.resolve("notes.yaml"), "a: 1");
        Files.writeString(folder.resolve("empty"), "");
        Files.createDirectory(folder.resolve("sub"));
        Path outside = Files.createTempFile("gc", ".log");
        try {
            Files.copy(folder.resolve("gc.log"), outside, StandardCopyOption.REPLACE_EXISTING);
            Files.createSymbolicLink(folder.resolve("link"), outside);
            Files.write(folder.resolve("old.jfr.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
            Files.writeString(folder.resolve("bad.jfr"), "FLR\0 and no more");
            OthersFiles all = read();
            assertThat(all.read()).singleElement().asString().startsWith("gc.log: a GC log");
            assertThat(all.unread())
                    .extracting(u -> u.substring(0, u.indexOf(':')))
                    .containsExactly("bad.jfr", "empty", "link", "notes.yaml", "old.jfr.gz", "sub");
            assertThat(OthersFiles.read(List.of(folder.resolve("link")), Asked.all(true), NOW)
                            .read())
                    .as("named by the user")
                    .hasSize(1);
            assertThat(all.unread()).contains("old.jfr.gz: packed, unpack it first");
        } finally {
            Files.delete(outside);
        }
    }

    @Test
    void whereNothingCanBeReadThatIsOneLine() throws Exception {
        assertThatThrownBy(this::read).isInstanceOf(LabException.class).hasMessageContaining("there is no file");
        Files.writeString(folder.resolve("notes.yaml"), "a: 1");
        assertThatThrownBy(this::read)
                .isInstanceOf(LabException.class)
                .hasMessageContaining("notes.yaml: of no kind that is known");
        for (int i = 0; i < 201; i++) {
            Files.writeString(folder.resolve("f" + i), "");
        }
        assertThatThrownBy(this::read).isInstanceOf(LabException.class).hasMessageContaining("more than 200 files");
    }

    /** Whoever wrote them: no time is so far away that figures could not be put together. */
    @Test
    void timesThatCantBeAreNone() throws Exception {
        gcLog("early.log", Instant.parse("0001-01-01T00:00:00Z"));
        gcLog("late.log", Instant.parse("9999-01-01T00:00:00Z"));
        dump("early.txt", Instant.parse("0009-01-01T00:00:00Z"), "shop.Cart.add");
        Files.setLastModifiedTime(folder.resolve("early.txt"), FileTime.from(BEGIN));
        watched("sound.jsonl", BEGIN, 10);
        for (String far : List.of("+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z")) {
            Files.writeString(
                    folder.resolve("far" + far.charAt(0) + ".jsonl"),
                    "{\"fettleWatch\":1,\"about\":\"process 7\",\"started\":\"" + far + "\"}\n{\"at\":1.0}\n");
        }
        Files.writeString(
                folder.resolve("at.jsonl"),
                "{\"fettleWatch\":1,\"about\":\"process 7\",\"started\":\"2026-11-28T02:00:00Z\"}\n{\"at\":1e300}\n{\"at\":2}\n");
        OthersFiles read = read();
        assertThat(read.from()).contains(BEGIN);
        assertThat(read.read()).hasSize(4);
        assertThat(read.unread()).hasSize(3);
    }

    /** A terabyte of zeros, which takes no place on a disk, would be read for an hour. */
    @Test
    @Timeout(60)
    void ofALargeFileWithoutLinesLittleIsRead() throws Exception {
        watched("sound.jsonl", BEGIN, 10);
        try (var core = new RandomAccessFile(folder.resolve("core").toFile(), "rw")) {
            core.setLength(1L << 40);
        }
        assertThat(read().unread()).singleElement().asString().startsWith("core: ");
    }
}
