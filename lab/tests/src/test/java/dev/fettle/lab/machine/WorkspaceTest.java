package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** After Ctrl-C what cleans up may be interrupted: the thread still is when the lock is released. */
    @Test
    void aThreadThatIsInterruptedNamesItsRunAndReleasesTheLock() throws Exception {
        Workspace workspace = Workspace.open(folder);
        try (var lock = workspace.lock()) {
            Thread.currentThread().interrupt();
            lock.by("shop-1");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder.resolve("lock")).isEmptyFile();
        try (var again = workspace.lock()) {
            assertThat(again.killed()).isEmpty();
        }
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
        }
    }

    /** Its processes are not ended yet. */
    @Test
    void aKilledRunIsForgottenOnlyWhenAnotherTakesOver() throws Exception {
        Files.writeString(folder.resolve("lock"), "shop-1");
        Workspace workspace = Workspace.open(folder);
        workspace.lock().leave();
        try (var lock = workspace.lock()) {
            assertThat(lock.killed()).contains("shop-1");
            assertThat(folder.resolve("lock")).hasContent("shop-1");
            lock.by("");
            assertThat(folder.resolve("lock")).isEmptyFile();
        }
        try (var lock = workspace.lock()) {
            assertThat(lock.killed()).isEmpty();
        }
    }

    @Test
    void aLockThatIsALinkIsNotWrittenTo() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "keep");
        Path ws = Files.createDirectory(folder.resolve("ws"));
        Files.createSymbolicLink(ws.resolve("lock"), victim);
        Workspace workspace = Workspace.open(ws);
        assertThatThrownBy(workspace::lock).isInstanceOf(LabException.class);
        assertThat(workspace.running()).isEmpty();
        assertThat(victim).hasContent("keep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs", "recordings", "processes", "runs/p-1"})
    void aFolderThatIsALinkIsRefused(String name) throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path ws = folder.resolve("ws");
        Workspace.open(ws);
        Files.deleteIfExists(ws.resolve(name));
        Files.createSymbolicLink(ws.resolve(name), elsewhere);
        assertThatThrownBy(() -> {
                    Workspace workspace = Workspace.open(ws);
                    workspace.runFolder("p-1");
                    workspace.recordings();
                    workspace.part("processes");
                })
                .isInstanceOf(LabException.class)
                .hasMessageContaining("is a link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/zz", "..", "../p-1", "a/b", ".hidden", "", "a\nb", "a b", "ä-1", "a..b"})
    void aNameThatLeadsElsewhereIsNoRuns(String name) throws Exception {
        Workspace workspace = Workspace.open(folder.resolve("ws"));
        assertThatThrownBy(() -> workspace.runFolder(name)).hasMessageContaining("is no name of a run");
        assertThat(KeptName.fits(name)).isFalse();
        assertThat(KeptName.fits(KeptName.of(name))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"rwxrwxrwx, false", "rwxr-xrwx, false", "rwxr-xr-x, true", "rwx------, true"})
    void aFolderThatOthersMayWriteToIsNotTrusted(String permissions, boolean trusted) throws Exception {
        Path ws = Files.createDirectory(folder.resolve("ws"));
        Files.setPosixFilePermissions(ws, PosixFilePermissions.fromString(permissions));
        if (trusted) {
            assertThat(Workspace.existing(ws).folder()).isEqualTo(ws);
        } else {
            assertThatThrownBy(() -> Workspace.existing(ws)).hasMessageContaining("chmod go-w " + ws);
            assertThatThrownBy(() -> Workspace.open(ws)).isInstanceOf(LabException.class);
        }
    }

    /** Only root can give a folder away. */
    @Test
    void aFolderOfAnotherUserIsNotTrusted() throws Exception {
        Path ws = Files.createDirectory(folder.resolve("ws"));
        try {
            Files.setAttribute(ws, "unix:uid", 65534);
        } catch (IOException e) {
            assumeTrue(false, "this is not root");
        }
        assertThatThrownBy(() -> Workspace.existing(ws)).hasMessageContaining("is not trusted");
        assertThatThrownBy(() -> Workspace.open(ws)).isInstanceOf(LabException.class);
    }

    /** Root's folder in another user's: that user can rename it, and put a link there. */
    @ParameterizedTest
    @ValueSource(strings = {".fettle", "project/.fettle", "deeper/project/.fettle"})
    void rootKeepsNothingBelowAnotherUsersFolder(String name) throws Exception {
        assumeTrue(Folders.amRoot(), "only root can make a folder another user's");
        Path home = Files.createDirectory(folder.resolve("home"));
        Path workspace = home.resolve(name);
        Workspace.open(workspace);
        Files.setAttribute(home, "unix:uid", 65_534);
        assertThatThrownBy(() -> Workspace.open(workspace)).hasMessageContaining("belongs to another user");
        assertThatThrownBy(() -> Workspace.existing(workspace)).hasMessageContaining("belongs to another user");
        Folders.delete(workspace);
        assertThatThrownBy(() -> Workspace.open(workspace)).hasMessageContaining("--dir");
        assertThat(workspace).doesNotExist();
    }

    @Test
    void norWhereALinkOfAnotherUserLeads() throws Exception {
        assumeTrue(Folders.amRoot(), "only root can make a folder another user's");
        Path own = Files.createDirectory(folder.resolve("own"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), own);
        Workspace.open(link.resolve(".fettle"));
        Files.setAttribute(link, "unix:uid", 65_534, LinkOption.NOFOLLOW_LINKS);
        assertThatThrownBy(() -> Workspace.open(link.resolve(".fettle")))
                .hasMessageContaining("belongs to another user");
    }
}
