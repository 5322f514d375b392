package dev.fettle.lab.capture;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A capture as one file: a zip archive with a flat list of files. */
public final class CaptureArchive {
    private CaptureArchive() {}

    /**
     * Writes it, for its owner's eyes only.
     *
     * @param to must not exist
     * @param files names of files in the folder
     * @return its size in bytes
     * @throws LabException if it can't be written; then there is none
     */
    public static long write(Path to, Path folder, List<String> files) throws LabException {
        boolean made = false;
        boolean done = false;
        try (OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                to,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))))) {
            made = true;
            try (var zip = new ZipOutputStream(out)) {
                for (String file : files) {
                    zip.putNextEntry(new ZipEntry(file));
                    Files.copy(folder.resolve(file), zip);
                    zip.closeEntry();
                }
            }
            done = true;
        } catch (IOException e) {
            throw new LabException("cannot write " + to + ": " + e.getMessage(), e);
        } finally {
            if (made && !done) {
                delete(to);
            }
        }
        try {
            return Files.size(to);
        } catch (IOException e) {
            throw new LabException("cannot read " + to + ": " + e.getMessage(), e);
        }
    }

    private static void delete(Path half) {
        try {
            Files.deleteIfExists(half);
        } catch (IOException e) {
            return; // half of it stays, and the error says that it is not whole
        }
    }
}
