package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fettle.lab.machine.DiskSpace;
import dev.fettle.lab.machine.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBoundTest {
    private static final long MEBI = 1 << 20;
    private static final DiskSpace PLENTY = new DiskSpace(0, _ -> Long.MAX_VALUE);

    @TempDir
    Path folder;

    private static void await(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) {
            Thread.sleep(10);
        }
    }

    private static long onDisk(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(stat.inputReader().readLine()) * 512;
    }

    /** It counts its lines, so that none is missing but where it is said; 40 MB of them, and then no more until it is asked. */
    private Process writer(Path log) throws Exception {
        return new ProcessBuilder("sh", "-c", "seq 1 5000000; read x; echo last; read x")
                .redirectOutput(log.toFile())
                .start();
    }

    @Test
    void aProcessThatWritesMuchGoesOnAndItsLogStaysBounded() throws Exception {
        Path log = folder.resolve("target.log");
        Process writer = writer(log);
        try (var bound = LogBound.of(log, 4 * MEBI, PLENTY)) {
            await(() -> log.toFile().length() > 38_000_000);
            while (onDisk(log) > 4 * MEBI + MEBI) {
                Thread.sleep(10);
            }
            assertThat(writer.isAlive()).isTrue();
            writer.getOutputStream().write('\n');
            writer.getOutputStream().flush();
            await(() -> log.toFile().length() > 38_888_896);
            assertThat(new LogLines(log, List.of()).with("last", false)).isPresent();
            writer.destroyForcibly().waitFor();
            bound.close();
            assertThat(bound.leftOut()).isGreaterThan(30 * MEBI);
        } finally {
            writer.destroyForcibly();
        }
        assertThat(Files.size(log)).isBetween(MEBI, 5 * MEBI);
        String text = Files.readString(log);
        assertThat(text.startsWith("1\n2\n3\n") && text.endsWith("\n5000000\nlast\n"))
                .isTrue();
        assertThat(text.indexOf(0)).isNegative();
        String[] parts = text.split("\n… \\(|here: .*\\)\n");
        long left = Long.parseLong(parts[1].split(" ")[0]);
        assertThat(parts[0].length() + left + parts[2].length())
                .as("nothing else is missing")
                .isEqualTo(38_888_896 + 5);
    }

    @Test
    void soAreLogsThatItWritesByItself() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("base/logs"));
        Path access = logs.resolve("access.txt");
        Path data = Files.createDirectories(folder.resolve("base/data")).resolve("db.txt");
        Process writer = writer(access);
        Process other = writer(data);
        try (var bound = LogBound.of(Files.createFile(folder.resolve("target.log")), 4 * MEBI, PLENTY)) {
            bound.within(folder);
            await(() -> access.toFile().length() > 38_000_000 && data.toFile().length() > 38_000_000);
            while (onDisk(access) > 5 * MEBI) {
                Thread.sleep(10);
            }
            writer.destroyForcibly().waitFor();
            other.destroyForcibly().waitFor();
        } finally {
            writer.destroyForcibly();
            other.destroyForcibly();
        }
        assertThat(Files.size(access)).isLessThan(5 * MEBI);
        assertThat(Files.size(data)).as("what is no log is the process's own").isGreaterThan(38_000_000);
    }

    /** A log that is long from the start, for which no process is needed. */
    private static Path longLog(Path file) throws Exception {
        return Files.write(file, new byte[(int) (8 * MEBI)]);
    }

    @Test
    void aLogThatHasASecondNameStaysWhole() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("trial/logs"));
        Path cut = longLog(logs.resolve("access.txt"));
        Path kept = longLog(folder.resolve("data"));
        Files.createLink(logs.resolve("data.txt"), kept);
        try (var bound = LogBound.of(Files.createFile(folder.resolve("trial/target.log")), 4 * MEBI, PLENTY)) {
            bound.within(folder.resolve("trial"));
            await(() -> holed(cut));
        }
        assertThat(onDisk(kept)).isEqualTo(8 * MEBI);
        assertThat(Files.size(logs.resolve("data.txt"))).isEqualTo(8 * MEBI);
    }

    /** While root cuts a log, that user could put a link to anything in its place. */
    @Test
    void aLogInAFolderOfAnotherUserIsNotCut() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "root only");
        Path own = longLog(Files.createDirectories(folder.resolve("logs")).resolve("access.txt"));
        Path logs = Files.createDirectories(folder.resolve("base/logs"));
        Path below = longLog(logs.resolve("access.txt"));
        Files.setAttribute(folder.resolve("base"), "unix:uid", 65_534);
        Path open = Files.createDirectories(folder.resolve("open/logs"));
        Path writable = longLog(open.resolve("access.txt"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (var bound = LogBound.of(Files.createFile(folder.resolve("target.log")), 4 * MEBI, PLENTY)) {
            bound.within(folder);
            await(() -> holed(own));
        }
        assertThat(List.of(Files.size(below), Files.size(writable))).containsOnly(8 * MEBI);
        assertThat(Files.size(own)).isLessThan(5 * MEBI);
    }

    private static boolean holed(Path file) {
        try {
            return onDisk(file) < 5 * MEBI;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aShortLogStaysAsItIs() throws Exception {
        Path log = Files.writeString(folder.resolve("target.log"), "one\ntwo\n");
        LogBound.of(log, 4 * MEBI, PLENTY).close();
        assertThat(log).hasContent("one\ntwo\n");
    }

    @Test
    void aDiskThatFillsUpEndsTheTrial() throws Exception {
        var free = new AtomicLong(600 * MEBI);
        var disk = new DiskSpace(512 * MEBI, _ -> free.get());
        disk.check(folder);
        try (var bound = LogBound.of(Files.createFile(folder.resolve("target.log")), 4 * MEBI, disk)) {
            assertThat(bound.full()).isEmpty();
            free.set(400 * MEBI);
            assertThatThrownBy(() -> disk.check(folder))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("only 400 MiB are free on the disk of " + folder)
                    .hasMessageContaining("fettle resume");
            free.set(100 * MEBI);
            await(() -> bound.full().isPresent());
            assertThat(bound.full().orElseThrow()).startsWith("only 100 MiB are left");
        }
    }
}
