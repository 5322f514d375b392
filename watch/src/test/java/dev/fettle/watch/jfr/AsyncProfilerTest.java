package dev.fettle.watch.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.fettle.model.trial.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsyncProfilerTest {
    @Test
    void theLibraryIsPutWhereOnlyThisUserMayWriteAndMendedIfItIsAnother(@TempDir Path base) throws IOException {
        byte[] real = ProfilerLibrary.bytes("Linux", "amd64");
        Path file = ProfilerLibrary.unpack(base, real);
        assertThat(file).hasBinaryContent(real);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        Object same = Files.getAttribute(file, "unix:ino");
        assertThat(ProfilerLibrary.unpack(base, real)).isEqualTo(file);
        assertThat(Files.getAttribute(file, "unix:ino")).as("left as it is").isEqualTo(same);
        Files.writeString(file, "something else");
        assertThat(ProfilerLibrary.unpack(base, real)).hasBinaryContent(real);
    }

    @Test
    void aFolderThatOthersCanWriteToOrThatIsALinkIsRefused(@TempDir Path base) throws IOException {
        byte[] any = {1};
        Path folder = ProfilerLibrary.unpack(base, any).getParent();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThatIOException()
                .isThrownBy(() -> ProfilerLibrary.unpack(base, any))
                .withMessageContaining("is not a folder of this user alone");
        Path elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        Files.delete(folder.resolve(ProfilerLibrary.NAME));
        Files.delete(folder);
        Files.createSymbolicLink(folder, elsewhere);
        assertThatIOException()
                .isThrownBy(() -> ProfilerLibrary.unpack(base, any))
                .withMessageContaining("is not a folder of this user alone");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv64", "Mac OS X, aarch64", "Windows 11, amd64"})
    void machinesWithoutALibrary(String system, String machine) {
        assertThatIOException()
                .isThrownBy(() -> ProfilerLibrary.bytes(system, machine))
                .withMessage("it has no library for " + system + " on " + machine);
    }

    @Test
    void whatIsSampledIsWhatWasAskedFor() {
        assertThat(AsyncRecording.events(Set.of(Profile.Kind.WALL))).isEqualTo("wall=20ms");
        assertThat(AsyncRecording.events(EnumSet.allOf(Profile.Kind.class)))
                .isEqualTo("event=cpu,interval=10ms,wall=20ms,lock=1ms,alloc=524288");
    }

    /** A run of samples of one thread counts as far as it lies in the time that is measured, from 1,000 to 2,000 ms here. */
    @ParameterizedTest
    @CsvSource({
        "0, 500, 0",
        "500, 1000, 500",
        "1200, 100, 100",
        "1900, 300, 100",
        "2100, 100, 0",
        "0, 5000, 1000",
        "0, 1000, 0"
    })
    void aRunOfSamplesIsCutToTheTimeMeasured(long start, double millis, double within) {
        assertThat(AsyncReader.within(
                        Instant.ofEpochMilli(start), millis, Instant.ofEpochMilli(1000), Instant.ofEpochMilli(2000)))
                .isEqualTo(within);
    }
}
