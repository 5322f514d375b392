package dev.fettle.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file by which a launcher learns where a {@link ControlPort} is and what to say there: {@code PORT TOKEN} on one line. Only its
 * owner can read it, so the token is on no command line and in no log.
 */
public final class ControlFile {
    private ControlFile() {}

    /**
     * Writes the file, all or nothing: a reader never sees half of it.
     *
     * @throws IOException if it can't be written
     */
    public static void write(ControlPort control, Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + "." + System.nanoTime());
        try {
            Files.createFile(
                    unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(
                    unfinished, (control.port() + " " + control.token() + "\n").getBytes(StandardCharsets.US_ASCII));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
