package dev.fettle.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.maven.plugin.MojoExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
    @TempDir
    private Path folder;

    private Path home(String name) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path program = Files.writeString(home.resolve("fettle"), "#!/bin/sh\nexit 0\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    @Test
    void theNamedFolderComesFirstThenTheVariableThenThePath() throws Exception {
        Path a = home("a");
        Path b = home("b");
        Path c = home("c");
        Map<String, String> environment = Map.of("FETTLE_HOME", b.toString(), "PATH", "/nowhere::" + c);
        assertThat(Home.launcher(a.toFile(), environment::get)).isEqualTo(a.resolve("fettle"));
        assertThat(Home.launcher(null, environment::get)).isEqualTo(b.resolve("fettle"));
        assertThat(Home.launcher(null, Map.of("PATH", "/nowhere::" + c)::get)).isEqualTo(c.resolve("fettle"));
    }

    @Test
    void oneThatIsNamedAndNotThereIsAnErrorAlthoughThePathHasOne() throws Exception {
        Map<String, String> path = Map.of("PATH", home("c").toString());
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(() -> Home.launcher(folder.toFile(), path::get))
                .withMessageContainingAll(
                        "fettle.home", folder.resolve("fettle").toString());
    }

    @Test
    void withoutOneALineSaysWhatToDo() {
        assertThatExceptionOfType(MojoExecutionException.class)
                .isThrownBy(() -> Home.launcher(null, Map.<String, String>of()::get))
                .withMessageContainingAll("fettle.home", "FETTLE_HOME", "<distribution>", "PATH");
    }

    private Path archive(String name, String content) throws Exception {
        Path archive = folder.resolve(name);
        assertThat(new Run(folder, List.of("tar", "czf", archive.toString(), content)).code())
                .isZero();
        return archive;
    }

    @Test
    void aDistributionIsUnpackedOnceAndItsProgramsStayPrograms() throws Exception {
        home("fettle-1.0-linux-x64");
        Path archive = archive("fettle-dist.tar.gz", "fettle-1.0-linux-x64");
        Path cache = folder.resolve("cache");
        Path unpacked = Home.unpacked(archive, cache);
        assertThat(unpacked.resolve("fettle")).isExecutable();
        Path mark = Files.writeString(unpacked.resolve("mark"), "");
        assertThat(Home.unpacked(archive, cache)).isEqualTo(unpacked);
        assertThat(mark).exists();
        try (Stream<Path> all = Files.list(cache)) {
            assertThat(all).containsExactly(unpacked);
        }
    }

    @Test
    void whatIsNoDistributionLeavesNothingBehind() throws Exception {
        Files.createDirectories(folder.resolve("other"));
        Path other = archive("other.tar.gz", "other");
        Path broken = Files.writeString(folder.resolve("broken.tar.gz"), "no archive");
        Path zip = Files.writeString(folder.resolve("fettle.zip"), "");
        Path cache = folder.resolve("cache");
        for (Path archive : List.of(other, broken, zip)) {
            assertThatExceptionOfType(MojoExecutionException.class)
                    .isThrownBy(() -> Home.unpacked(archive, cache))
                    .withMessageContaining(archive.toString());
        }
        try (Stream<Path> all = Files.list(cache)) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void theCacheIsTheUsersOwn() {
        assertThat(Home.cache(Map.of("XDG_CACHE_HOME", "/c")::get)).isEqualTo(Path.of("/c/fettle/distributions"));
        assertThat(Home.cache(Map.<String, String>of()::get))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".cache/fettle/distributions"));
    }
}
