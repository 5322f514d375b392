package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
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

    /** A project that was checked out with its {@code .fettle}. */
    @Test
    void nothingInAWorkspaceIsPutOnAClassPath() throws Exception {
        Path workspace = folder.resolve("project/.fettle");
        var env = Fixtures.unloaded(workspace);
        for (String name :
                List.of("com.foo/app-1.0.jar", "app-1.0.jar", "tomcat-11.0.0/apache-tomcat-11.0.0/lib/catalina.jar")) {
            Path planted = workspace.resolve("artifacts").resolve(name);
            Files.createDirectories(planted.getParent());
            Files.writeString(planted, "not ours");
        }
        var artifacts = Artifacts.of(env, _ -> {});
        assertThat(artifacts.isThere("com.foo:app:1.0")).isFalse();
        var tomcat = new Target.Standalone(
                ServerKind.TOMCAT,
                Optional.of("11.0.0"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
        assertThat(Distribution.isThere(tomcat, artifacts)).isFalse();
        assertThat(artifacts.folder()).isEqualTo(env.state().resolve("artifacts"));
    }

    @Test
    void norIsWhatOthersMayHaveKeptForThisUser() throws Exception {
        Path kept = folder.resolve("artifacts");
        var artifacts = new Artifacts(kept, folder.resolve("repository"), _ -> {});
        Path foo = kept.resolve("com.foo/app-1.0.jar");
        Files.createDirectories(foo.getParent());
        Files.writeString(foo, "foo");
        assertThat(artifacts.file("com.foo:app:1.0")).isEqualTo(foo);
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatExceptionOfType(LabException.class).isThrownBy(() -> artifacts.file("com.foo:app:1.0"));
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwx------"));
        Path elsewhere = Files.move(kept, folder.resolve("elsewhere"));
        Files.createSymbolicLink(kept, elsewhere);
        assertThatExceptionOfType(LabException.class).isThrownBy(() -> artifacts.file("com.foo:app:1.0"));
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
