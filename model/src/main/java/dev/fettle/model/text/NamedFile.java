package dev.fettle.model.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens a file that a user or a plan names. What is no file is refused before it is opened: a named pipe waits for a writer,
 * and a device may never end. What a shell has opened for its caller, as in {@code <(command)}, is read.
 */
public final class NamedFile {
    private static final List<String> OPEN_ALREADY = List.of("/dev/stdin", "/dev/fd/", "/proc/self/fd/");

    private static final int TYPE = 0170000;

    private NamedFile() {}

    /**
     * Opens one.
     *
     * @throws NoSuchFileException if there is none
     * @throws IOException if it is no file, or can't be opened
     */
    public static InputStream open(Path file) throws IOException {
        check(file);
        return Files.newInputStream(file);
    }

    /**
     * The content of one.
     *
     * @param most bytes
     * @throws IOException if it is no file, or larger, or can't be read
     */
    public static byte[] bytes(Path file, int most) throws IOException {
        try (InputStream in = open(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IOException("it is larger than " + (most >> 20) + " MiB");
            }
            return bytes;
        }
    }

    /**
     * Refuses what is no file.
     *
     * @throws NoSuchFileException if there is none
     * @throws IOException if it is no file, or can't be opened
     */
    public static void check(Path file) throws IOException {
        if (Files.isRegularFile(file) || OPEN_ALREADY.stream().anyMatch(file.toString()::startsWith)) {
            return;
        }
        String what = switch ((int) Files.getAttribute(file, "unix:mode") & TYPE) {
            case 0010000 -> "a named pipe";
            case 0140000 -> "a socket";
            case 0040000 -> "a folder";
            default -> "a device";
        };
        throw new IOException("it is " + what + ", not a file");
    }
}
