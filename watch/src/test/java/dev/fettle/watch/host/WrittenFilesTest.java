package dev.fettle.watch.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrittenFilesTest {
    @TempDir
    Path folder;

    private Path proc = Path.of("");
    private Path log = Path.of("");
    private long now;
    private final TimelineRecorder recorder = new TimelineRecorder(500, () -> now);
    private WrittenFiles files = new WrittenFiles(new Proc(), 7);

    @BeforeEach
    void aProcess() throws IOException {
        proc = folder.resolve("proc");
        log = Files.writeString(folder.resolve("app.log"), "x".repeat(100));
        Files.createDirectories(proc.resolve("7/fd"));
        Files.createDirectories(proc.resolve("7/fdinfo"));
        open(3, log, "0102001");
        open(4, Files.writeString(folder.resolve("read.dat"), "r"), "0100000");
        files = new WrittenFiles(new Proc(proc), 7);
    }

    private void open(int descriptor, Path file, String flags) throws IOException {
        Files.createSymbolicLink(proc.resolve("7/fd/" + descriptor), file);
        Files.writeString(proc.resolve("7/fdinfo/" + descriptor), "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t1\n");
    }

    private Timeline sample() {
        now += 1_000_000_000L;
        files.sample(recorder);
        return recorder.timeline();
    }

    @Test
    void whatIsWrittenToAFileSinceTheFirstLookCounts() throws IOException {
        sample();
        Files.writeString(log, "x".repeat(5_100));
        Files.writeString(folder.resolve("read.dat"), "r".repeat(90_000));
        Timeline t = sample();
        assertThat(t.find(Signals.FILES_GROWN).orElseThrow().observed().max().orElseThrow())
                .isEqualTo(5_000);
        assertThat(t.sightings())
                .filteredOn(s -> s.kind().equals(Sighting.FILE_GREW))
                .singleElement()
                .satisfies(s -> assertThat(s.what()).isEqualTo(log.toString()))
                .satisfies(s -> assertThat(s.count()).isEqualTo(5_000));
        assertThat(t.find(Signals.DISK_FREE)).isPresent();
    }

    /** It was rotated: what it holds now is new. */
    @Test
    void aFileThatGotSmallerWasBegunAnew() throws IOException {
        sample();
        Files.writeString(log, "x".repeat(40));
        assertThat(sample().find(Signals.FILES_GROWN)
                        .orElseThrow()
                        .observed()
                        .max()
                        .orElseThrow())
                .isEqualTo(40);
    }

    @Test
    void aProcessWhoseFilesCantBeReadIsNotObserved() {
        files = new WrittenFiles(new Proc(proc), 8);
        assertThat(sample().whyRecorded(Signals.FILES_GROWN)).isPresent();
    }
}
