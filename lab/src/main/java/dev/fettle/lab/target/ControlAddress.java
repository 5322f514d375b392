package dev.fettle.lab.target;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a control port is, and what to say there first. It comes from a file that only its owner can read, and the token goes nowhere
 * else: into no log, journal or command line.
 *
 * @param port on the loopback address
 * @param token the first line of a connection
 */
public record ControlAddress(int port, String token) {
    private static final Pattern CONTENT = Pattern.compile("([0-9]{1,5}) ([0-9a-f]{32})\n");

    private static final int MOST_BYTES = 64;

    /**
     * Reads the file that the agent or one of Fettle's own servers has written.
     *
     * @throws IOException if it can't be read, or holds something else
     */
    public static ControlAddress read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Matcher content = CONTENT.matcher(new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1));
            if (content.matches()) {
                int port = Integer.parseInt(content.group(1));
                if (port > 0 && port <= 65_535) {
                    return new ControlAddress(port, content.group(2));
                }
            }
        }
        throw new IOException(file + " holds no port and token");
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "control port " + port;
    }
}
