package dev.fettle.watch.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On recordings of this JVM itself. */
@Timeout(60)
class RecordingReaderTest {
    @TempDir
    Path folder;

    /** Waits while it is initialised: no JDK lets a virtual thread leave its carrier then. */
    private static final class Slow {
        private static final long AWAKE = awake();

        private static long awake() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 1;
        }
    }

    @Test
    void whereAVirtualThreadWaitedOnItsCarrierIsSighted() throws Exception {
        Set<Profile.Kind> none = EnumSet.noneOf(Profile.Kind.class);
        Path file = folder.resolve("pinned.jfr");
        try (var recording = new Recording()) {
            recording.setSettings(RecordingSettings.of(none, Runtime.version().feature()));
            recording.start();
            Thread.ofVirtual().start(() -> assertThat(Slow.AWAKE).isOne()).join();
            recording.stop();
            recording.dump(file);
        }
        RecordingReader.Recorded found =
                RecordingReader.read(file, none, Instant.EPOCH, Instant.now().plusSeconds(60), n -> true);
        assertThat(found.sightings()).anySatisfy(s -> {
            assertThat(s.kind()).isEqualTo(Sighting.JFR_PINNED);
            assertThat(s.what()).isEqualTo(Slow.class.getName() + ".awake");
            assertThat(s.count()).isGreaterThanOrEqualTo(1);
        });
    }
}
