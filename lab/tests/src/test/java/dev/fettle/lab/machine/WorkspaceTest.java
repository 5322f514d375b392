package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.Fixtures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
    @TempDir
    Path folder;

    @Test
    void theRunThatHoldsTheLockIsInItsFileForThatLong() throws Exception {
        Workspace workspace = Workspace.open(folder);
        try (var lock = workspace.lock()) {
            lock.by("shop-12");
            lock.by("shop-1");
            assertThat(folder.resolve("lock")).hasContent("shop-1");
            assertThatThrownBy(workspace::lock).hasMessageContaining("another fettle is measuring");
        }
        assertThat(folder.resolve("lock")).isEmptyFile();
        assertThat(workspace.running()).isEmpty();
    }

    /** The kernel drops a process's lock when it closes any descriptor of the file, which one process alone does not notice. */
    @Test
    void anotherProcessFindsItLocked() throws Exception {
        Files.writeString(folder.resolve("lock"), "shop-1");
        Workspace workspace = Workspace.open(folder);
        try (var lock = workspace.lock()) {
            assertThat(lock.killed()).contains("shop-1");
            lock.by("shop-2");
            assertThat(another()).isEqualTo("shop-2");
        }
        assertThat(another()).isEqualTo("none");
    }

    private String another() throws Exception {
        var process = Fixtures.java(List.of(), Other.class, folder)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = process.inputReader()) {
            return String.valueOf(out.readLine());
        }
    }

    /** Says which run goes on. */
    static final class Other {
        public static void main(String[] args) throws Exception {
            System.out.println(Workspace.open(Path.of(args[0])).running().orElse("none"));
        }
    }

    @Test
    void aRunThatWasKilledHoldsNothing() throws Exception {
        Files.writeString(folder.resolve("lock"), "shop-1");
        Workspace workspace = Workspace.open(folder);
        assertThat(workspace.running()).isEmpty();
        try (var lock = workspace.lock()) {
            assertThat(lock.killed()).contains("shop-1");
            assertThat(folder.resolve("lock"))
                    .as("before it is known which run it is")
                    .isEmptyFile();
        }
    }
}
