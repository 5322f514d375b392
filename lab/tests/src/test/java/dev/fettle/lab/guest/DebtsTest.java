package dev.fettle.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Guest;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever can write into the folder of the debts chooses what is set in this user's processes, and what root writes to. */
class DebtsTest {
    private static final int NOBODY = 65_534;

    @TempDir
    Path folder;

    private final Proc proc = new Proc();

    @BeforeEach
    void root() {
        assumeTrue(proc.user("self").orElse(-1) == 0, "only root can make a folder another user's");
    }

    private void refused(Path state) {
        var guest = new Guest(proc, ProcessHandle.current().pid(), 1);
        var debts = new Debts(state, proc);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(
                        () -> debts.owe(guest, Debts.Kind.RECORDING, Map.of()).settle())
                .withMessageContaining("belongs to another user");
        assertThatExceptionOfType(LabException.class).isThrownBy(debts::all);
    }

    private static void giveAway(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void anotherUsersFolderIsNotUsed() throws Exception {
        Path state = Files.createDirectory(folder.resolve("fettle"));
        giveAway(state);
        refused(state);
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void norOneInAnothersHome() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path state = Files.createDirectory(home.resolve("fettle"));
        giveAway(home);
        refused(state);
    }

    @Test
    void norOneThatAnothersLinkLeadsTo() throws Exception {
        Path home = Files.createDirectory(
                folder.resolve("tmp"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path victim = Files.createDirectory(folder.resolve("victim"));
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path link = Files.createSymbolicLink(home.resolve("fettle"), victim);
        giveAway(link);
        refused(link);
        assertThat(victim).isEmptyDirectory();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void ofAnOwnLinkTheFolderIsUsed() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("own"));
        var guest = new Guest(proc, ProcessHandle.current().pid(), 1);
        Debts.Own owed = new Debts(link, proc).owe(guest, Debts.Kind.RECORDING, Map.of());
        assertThat(own).isNotEmptyDirectory();
        owed.settle();
    }
}
