package dev.fettle.lab.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The end of a log, which may be longer than what there is of memory. */
public final class LogEnd {
    private LogEnd() {}

    /**
     * The last bytes of a file, as text.
     *
     * @param most bytes that are read
     */
    public static String of(Path log, int most) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            long length = file.length();
            var end = new byte[(int) Math.min(most, length)];
            file.seek(length - end.length);
            int read = 0;
            for (int n = 0; n >= 0 && read < end.length; n = file.read(end, read, end.length - read)) {
                read += n;
            }
            return new String(end, 0, read, StandardCharsets.UTF_8);
        }
    }
}
