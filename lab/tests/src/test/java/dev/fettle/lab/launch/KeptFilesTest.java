package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept from one trial, or one run, to the next. */
class KeptFilesTest {
    @TempDir
    Path folder;

    @Test
    void artifactsOfTwoGroupsAreTwo() throws Exception {
        Path kept = folder.resolve("artifacts");
        var artifacts = new Artifacts(kept, folder.resolve("repository"), note -> {
            throw new AssertionError(note);
        });
        Path foo = kept.resolve("com.foo/app-1.0.jar");
        Files.createDirectories(foo.getParent());
        Files.writeString(foo, "foo");
        assertThat(artifacts.isThere("com.foo:app:1.0")).isTrue();
        assertThat(artifacts.isThere("com.bar:app:1.0")).isFalse();
        assertThat(artifacts.file("com.foo:app:1.0")).isEqualTo(foo);
    }

    @Test
    void theFirstCalibrationIsKept() throws Exception {
        var calibration = new Calibration(folder);
        assertThat(calibration.iterations()).isEmpty();
        calibration.keep("");
        calibration.keep("0");
        assertThat(calibration.iterations()).isEmpty();
        calibration.keep("104729");
        calibration.keep("7");
        assertThat(new Calibration(folder).iterations()).contains("104729");
    }

    /** A disk was full, or the power was cut. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\0\0\0\0\0\0", "0", "-5", "12x"})
    void whatIsNoNumberIsMeasuredAnew(String left) throws Exception {
        Files.writeString(folder.resolve("iterations-per-ms"), left);
        var calibration = new Calibration(folder);
        assertThat(calibration.iterations()).isEmpty();
        calibration.keep("104729");
        assertThat(calibration.iterations()).contains("104729");
    }
}
