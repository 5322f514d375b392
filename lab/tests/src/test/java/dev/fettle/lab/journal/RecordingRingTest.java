package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.WatchPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingRingTest {
    private static final Instant BEGIN = Instant.parse("2026-11-29T02:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private void piece(RecordingRing ring, Instant at, int seconds) throws Exception {
        try (WatchRecording recording = ring.begin("process 7", at)) {
            for (int i = 1; i <= seconds; i++) {
                recording.add(new WatchPoint(i, Map.of("cpu.total", 0.5), List.of(), Map.of()));
            }
        }
        Path newest = folder.resolve(names().reversed().stream()
                .filter(n -> n.endsWith(".jsonl"))
                .findFirst()
                .orElseThrow());
        Files.setLastModifiedTime(newest, FileTime.from(at.plusSeconds(seconds)));
    }

    @Test
    void whatIsOldIsDeletedAndNothingElse() throws Exception {
        Path other = Files.writeString(folder.resolve("fettle-notes.txt"), "mine");
        Files.setLastModifiedTime(other, FileTime.from(BEGIN.minus(Duration.ofDays(9))));
        RecordingRing ring = RecordingRing.open(folder, HOUR, 1L << 30);
        for (int minute = 0; minute <= 90; minute += 30) {
            piece(ring, BEGIN.plus(Duration.ofMinutes(minute)), 10);
        }
        assertThat(names())
                .containsExactly(
                        "fettle-20261129T023000Z.jsonl",
                        "fettle-20261129T030000Z.jsonl",
                        "fettle-20261129T033000Z.jsonl",
                        "fettle-notes.txt");
    }

    @Test
    void theOldestAreDeletedWhenThereIsNoRoom() throws Exception {
        RecordingRing ring = RecordingRing.open(folder, Duration.ofDays(1), 4000);
        for (int i = 0; i < 8; i++) {
            piece(ring, BEGIN.plusSeconds(60L * i), 10);
        }
        long bytes = 0;
        for (String name : names()) {
            bytes += Files.size(folder.resolve(name));
        }
        assertThat(bytes).isLessThanOrEqualTo(4000);
        assertThat(names()).contains("fettle-20261129T020700Z.jsonl").doesNotContain("fettle-20261129T020000Z.jsonl");
        assertThat(ring.isFull()).isTrue();
    }

    /** Two within a second, as of a process that ends at once, are two. */
    @Test
    void piecesOfOneSecond() throws Exception {
        RecordingRing ring = RecordingRing.open(folder, HOUR, 1L << 30);
        ring.begin("a", BEGIN).close();
        ring.begin("b", BEGIN).close();
        assertThat(names()).hasSize(2);
        assertThat(ring.isFull()).isFalse();
    }

    @Test
    void aFolderOfItsOwn() throws Exception {
        Path own = folder.resolve("own");
        assertThat(RecordingRing.open(own, Duration.ofHours(24), 1L << 30).piece())
                .isEqualTo(Duration.ofSeconds(864));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        assertThat(RecordingRing.open(own, Duration.ofMinutes(10), 1L << 30).piece())
                .isEqualTo(Duration.ofMinutes(1));
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> RecordingRing.open(file, HOUR, 1L << 30))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("is a file");
    }

    /** A part of a ring is read across its pieces. */
    @Test
    void aPartOfARing() throws Exception {
        RecordingRing ring = RecordingRing.open(folder, HOUR, 1L << 30);
        for (int i = 0; i < 6; i++) {
            piece(ring, BEGIN.plusSeconds(60L * i), 60);
        }
        OthersFiles part = OthersFiles.read(
                OthersFiles.in(folder),
                new OthersFiles.Asked(false, BEGIN.plusSeconds(90), BEGIN.plusSeconds(330), java.util.Optional.empty()),
                BEGIN.plusSeconds(400));
        assertThat(part.read()).singleElement().asString().startsWith("5 pieces of a recording of fettle watch");
        assertThat(part.from()).contains(BEGIN.plusSeconds(90));
        assertThat(part.timeline().points() * part.timeline().stepMillis()).isBetween(235_000L, 245_000L);
        assertThat(part.timeline().find("cpu.total").orElseThrow().observed().count())
                .isBetween(235L, 241L);
    }
}
