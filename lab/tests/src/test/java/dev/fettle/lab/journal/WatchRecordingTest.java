package dev.fettle.lab.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.WatchPoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchRecordingTest {
    @TempDir
    Path folder;

    private Path recorded() throws LabException {
        Path file = folder.resolve("a.watch");
        try (var recording = new WatchRecording(file, "process 7", Instant.parse("2026-01-02T03:04:05Z"))) {
            recording.add(new WatchPoint(
                    1.001,
                    Map.of("cpu.total", 0.5, "gc.count", 2.0),
                    List.of(new Sighting("peer.closeWait", "10.0.0.5:5432", 3)),
                    Map.of("heap.used", "no JVM")));
            recording.add(new WatchPoint(2.002, Map.of("cpu.total", 1.5, "gc.count", 3.0), List.of(), Map.of()));
        }
        return file;
    }

    @Test
    void whatWasRecordedIsReadAgain() throws Exception {
        Path file = recorded();
        assertThat(WatchRecording.is(file)).isTrue();
        var points = new ArrayList<WatchPoint>();
        WatchRecording.Recorded read = WatchRecording.read(file, points::add);
        assertThat(read.about()).isEqualTo("process 7");
        assertThat(points).extracting(WatchPoint::at).containsExactly(1.001, 2.002);
        assertThat(read.seconds()).isEqualTo(2);
        assertThat(read.timeline().find("cpu.total")).contains(Series.of(0.5, 1.5));
        assertThat(read.timeline().sum("gc.count").optional()).hasValue(5);
        assertThat(read.timeline().notObserved()).containsEntry("heap.used", "no JVM");
        assertThat(read.timeline().sightings("peer.closeWait")).hasSize(1);
        assertThat(read.cut()).isFalse();
    }

    @Test
    void whatWasCutOffIsReadUpToThere() throws Exception {
        Path file = recorded();
        Files.writeString(file, "{\"at\":3.0,\"val", StandardOpenOption.APPEND);
        WatchRecording.Recorded read = WatchRecording.read(file);
        assertThat(read.seconds()).isEqualTo(2);
        assertThat(read.cut()).isTrue();
    }

    /** The first byte of two. */
    @Test
    void whatWasCutOffWithinACharacterIsReadUpToThere() throws Exception {
        Path file = recorded();
        Files.writeString(file, "{\"at\":3.0,\"notObserved\":{\"heap.used\":\"", StandardOpenOption.APPEND);
        Files.write(file, new byte[] {(byte) 0xc3}, StandardOpenOption.APPEND);
        assertThat(WatchRecording.is(file)).isTrue();
        WatchRecording.Recorded read = WatchRecording.read(file);
        assertThat(read.seconds()).isEqualTo(2);
        assertThat(read.cut()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "7",
                "{\"at\":3,\"values\":{\"heap.used\":null}}",
                "{\"at\":3,\"notObserved\":{\"heap.used\":null}}",
                "{\"at\":3,\"sightings\":[{\"what\":\"a\",\"count\":1}]}",
                "{\"at\":3,\"sightings\":[{\"kind\":\"lock\",\"count\":1}]}",
                "{\"at\":3,\"sightings\":[null]}"
            })
    void aLineThatIsNoSecondIsSaidInOneLine(String line) throws Exception {
        Path file = Files.writeString(recorded(), line + "\n{\"at\":4}\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> WatchRecording.read(file))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("line 4: not a second");
    }

    @Test
    void aHeadWithoutAllOfItIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("h"), "{\"fettleWatch\":1,\"about\":\"process 7\"}\n");
        assertThatThrownBy(() -> WatchRecording.read(file))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no recording of fettle watch");
    }

    @Test
    void aLineWithoutEndIsRefused() throws Exception {
        Path file = Files.writeString(
                recorded(), "{\"at\":3,\"values\":{\"" + "x".repeat(3 << 20), StandardOpenOption.APPEND);
        assertThatThrownBy(() -> WatchRecording.read(file))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("a line of more than 1.00 MiB");
    }

    @Test
    void whatIsNoRecordingIsRefusedInOneLine() throws Exception {
        Path text = Files.writeString(folder.resolve("b"), "name: plan\n");
        assertThat(WatchRecording.is(text)).isFalse();
        assertThat(WatchRecording.is(folder)).isFalse();
        assertThatThrownBy(() -> WatchRecording.read(text)).hasMessageContaining("no recording of fettle watch");
        Path later = Files.writeString(folder.resolve("c"), "{\"fettleWatch\":99}\n");
        assertThat(WatchRecording.is(later)).isTrue();
        assertThatThrownBy(() -> WatchRecording.read(later)).hasMessageContaining("later version");
        Path broken = Files.writeString(recorded(), "nonsense\n{\"at\":4}\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> WatchRecording.read(broken)).hasMessageContaining("line 4");
    }

    @Test
    void aFullDiskIsSaidAndWhatCameBeforeIsThere() {
        assertThatThrownBy(() -> {
                    try (var recording = new WatchRecording(Path.of("/dev/full"), "x", Instant.EPOCH)) {
                        recording.add(new WatchPoint(1, Map.of(), List.of(), Map.of()));
                    }
                })
                .isInstanceOf(LabException.class)
                .hasMessageContaining("/dev/full")
                .hasMessageContaining("No space left");
    }
}
