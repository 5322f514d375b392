package dev.fettle.lab.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
    @TempDir
    Path folder;

    private static String permissions(Path of) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
    }

    @Test
    void aFileIsReplacedAsAWhole() throws Exception {
        Path file = folder.resolve("file");
        Folders.replace(file, "one and more".getBytes(UTF_8));
        Folders.replace(file, "two".getBytes(UTF_8));
        assertThat(file).hasContent("two");
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    void anInterruptStopsNoReplacement() throws Exception {
        Path file = folder.resolve("file");
        Thread.currentThread().interrupt();
        Folders.replace(file, "whole".getBytes(UTF_8));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).hasContent("whole");
    }

    @Test
    void aPrivateFileTakesThePlaceOfAnother() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old and longer");
        Folders.writePrivate(file, "new".getBytes(UTF_8));
        assertThat(file).hasContent("new");
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @Test
    void aTrialsFolderIsForItsOwnerOnlyUntilOthersAreLetThrough() throws Exception {
        Workspace workspace = Workspace.open(folder.resolve("ws"));
        Path run = workspace.runFolder("p-1");
        Path trial = Workspace.fresh(run, "trial-1");
        assertThat(Workspace.fresh(run, "trial-1")).isEqualTo(run.resolve("trial-1-2"));
        for (Path at = trial; at.startsWith(folder.resolve("ws")); at = at.getParent()) {
            assertThat(permissions(at)).as("%s", at).isEqualTo("rwx------");
        }
        workspace.letThrough(trial);
        for (Path at = trial; at.startsWith(folder.resolve("ws")); at = at.getParent()) {
            assertThat(permissions(at)).as("%s", at).isEqualTo("rwx-----x");
        }
        assertThat(permissions(run.resolve("trial-1-2"))).isEqualTo("rwx------");
    }

    /** What is kept may be somebody else's, with links to what its owner wants to have overwritten. */
    @Test
    void aLinkInThePlaceOfAKeptFileIsReplaced() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "keep");
        Path link = Files.createSymbolicLink(folder.resolve("link"), victim);
        Folders.replace(link, "new".getBytes(UTF_8));
        assertThat(victim).hasContent("keep");
        assertThat(link).hasContent("new");
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(permissions(link)).isEqualTo("rw-------");
        Path inFolder = Files.createSymbolicLink(folder.resolve("links"), folder);
        assertThatThrownBy(() -> Folders.make(inFolder)).hasMessageContaining("it is a link");
    }

    /** A link that the user names is the user's. */
    @Test
    void aFileThatTheUserNamesKeepsItsLinkAndItsPermissions() throws Exception {
        Path there = Files.writeString(folder.resolve("there"), "old");
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("there"));
        Folders.write(link, "new".getBytes(UTF_8));
        assertThat(there).hasContent("new");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(permissions(there)).isEqualTo("rw-r-----");
        Path nowhere = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("fresh"));
        Folders.write(nowhere, "made".getBytes(UTF_8));
        assertThat(folder.resolve("fresh")).hasContent("made");
        assertThat(permissions(folder.resolve("fresh")))
                .isEqualTo(permissions(Files.createFile(folder.resolve("any"))));
        Folders.write(Path.of("/dev/null"), "gone".getBytes(UTF_8));
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
        try (var all = Files.list(folder)) {
            assertThat(all.map(f -> f.getFileName().toString())).noneMatch(f -> f.contains("unfinished"));
        }
    }
}
