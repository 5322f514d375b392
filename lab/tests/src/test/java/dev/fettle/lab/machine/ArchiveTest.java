package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar that may be anybody's. */
class ArchiveTest {
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    Path folder;

    /** @param mebibytes of an entry "zeros", which takes a thousandth of that */
    private Path jar(int mebibytes) throws IOException {
        Path jar = folder.resolve("a.jar");
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(Deflater.BEST_SPEED);
            out.putNextEntry(new ZipEntry("../text"));
            out.write('a');
            out.putNextEntry(new ZipEntry("zeros"));
            byte[] zeros = new byte[MEBIBYTE];
            for (int i = 0; i < mebibytes; i++) {
                out.write(zeros);
            }
        }
        return jar;
    }

    @Test
    void whatItUnpacksToIsBounded() throws IOException {
        try (Archive archive = Archive.open(jar(1025))) {
            assertThat(archive.names(1)).containsExactly("../text");
            assertThat(archive.entry("../text").orElseThrow().readAllBytes()).hasSize(1);
            assertThat(archive.entry("no such")).isEmpty();
            try (InputStream in = archive.entry("zeros").orElseThrow()) {
                in.skipNBytes(1000L * MEBIBYTE);
                assertThatIOException()
                        .isThrownBy(() -> in.transferTo(java.io.OutputStream.nullOutputStream()))
                        .withMessage("it unpacks to more than 1 GiB");
            }
        }
    }

    /** An entry of an archive within it is unpacked when it is passed over. */
    @Test
    void soIsWhatAnArchiveWithinItUnpacksTo() throws IOException {
        Path inner = jar(600);
        Path outer = folder.resolve("outer.jar");
        try (var out = new ZipOutputStream(Files.newOutputStream(outer))) {
            out.setLevel(Deflater.NO_COMPRESSION);
            for (String name : new String[] {"1.jar", "2.jar"}) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(inner, out);
            }
        }
        try (Archive archive = Archive.open(outer)) {
            passOver(archive, "1.jar");
            assertThatIOException()
                    .isThrownBy(() -> passOver(archive, "2.jar"))
                    .withMessage("it unpacks to more than 1 GiB");
        }
    }

    private static void passOver(Archive archive, String name) throws IOException {
        try (var in = archive.within(archive.entry(name).orElseThrow())) {
            while (in.getNextEntry() != null) {
                continue;
            }
        }
    }

    /** The list is read into memory as a whole, whatever its size. */
    @Test
    void soIsItsListOfEntries() throws IOException {
        Path jar = jar(1);
        byte[] bytes = Files.readAllBytes(jar);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length - 22 + 12, 65 << 20);
        Files.write(jar, bytes);
        assertThatExceptionOfType(ZipException.class)
                .isThrownBy(() -> Archive.open(jar))
                .withMessage("its list of entries is larger than 64 MiB");
    }

    @Test
    void whatIsNoArchiveIsNotOpened() throws Exception {
        Path pipe = folder.resolve("pipe.jar");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatIOException().isThrownBy(() -> Archive.open(pipe)).withMessage("it is a named pipe, not a file");
        assertThatIOException().isThrownBy(() -> Archive.open(folder)).withMessage("it is a folder, not a file");
        assertThatIOException().isThrownBy(() -> Archive.open(Files.writeString(folder.resolve("text.jar"), "text")));
    }
}
