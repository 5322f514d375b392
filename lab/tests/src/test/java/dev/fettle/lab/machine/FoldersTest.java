package dev.fettle.lab.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

    /** Commands that root starts may become another user's, and need the folder. */
    @Test
    void aTrialsFolderIsForItsOwnerOnlyUnlessThatIsRoot() throws Exception {
        Path own = Workspace.fresh(folder, "trial-1", false);
        assertThat(permissions(own)).isEqualTo("rwx------");
        Path roots = Workspace.fresh(folder, "trial-1", true);
        assertThat(roots).isEqualTo(folder.resolve("trial-1-2"));
        assertThat(permissions(roots)).isEqualTo(permissions(Files.createDirectory(folder.resolve("any"))));
    }
}
