package dev.fettle.lab.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds lines in a log that grows. Each part of it is read once for all texts that are wanted, so no line is missed, however much
 * comes between two looks, unless that is more than {@link LogBound} keeps.
 */
final class LogLines {
    private static final int PIECE = 256 * 1024;

    /** Of a log that is longer than it may be, this much is read of its beginning, and of what is new. */
    private static final long KEPT = LogBound.MOST / 4;

    /**
     * What a line must have.
     *
     * @param text its UTF-8 bytes as characters, as the log is searched
     * @param first whether the line has to begin with it
     */
    private record Wanted(String text, boolean first) {}

    /**
     * The first line that has it.
     *
     * @param at where in the log it begins
     */
    record Line(long at, String text) {}

    private final Path log;
    private final Map<Wanted, Line> found = new HashMap<>();
    /** Up to where the log was searched for each text that is not found yet. */
    private final Map<Wanted, Long> sought = new HashMap<>();

    /** @param likely texts that will be asked for */
    LogLines(Path log, List<String> likely) {
        this.log = log;
        likely.forEach(text -> sought.put(wanted(text, false), 0L));
    }

    private static Wanted wanted(String text, boolean first) {
        return new Wanted(new String(text.getBytes(UTF_8), ISO_8859_1), first);
    }

    /**
     * The first line that contains a text.
     *
     * @param ended whether nothing is written any more, so that a last line without an end counts
     */
    Optional<Line> with(String text, boolean ended) {
        return find(wanted(text, false), ended);
    }

    /** The first line that begins with a text. */
    Optional<Line> startingWith(String text, boolean ended) {
        return find(wanted(text, true), ended);
    }

    private synchronized Optional<Line> find(Wanted wanted, boolean ended) {
        if (!found.containsKey(wanted)) {
            sought.putIfAbsent(wanted, 0L);
            try (var file = Files.newByteChannel(log)) {
                search(file, ended);
            } catch (IOException e) {
                return Optional.empty(); // it is not there yet
            }
        }
        return Optional.ofNullable(found.get(wanted));
    }

    private void search(SeekableByteChannel file, boolean ended) throws IOException {
        long at = sought.values().stream().mapToLong(v -> v).min().orElse(0);
        if (at > file.size()) {
            at = 0; // it was emptied
        }
        long upTo = file.size(); // what comes meanwhile is for the next look
        boolean more = true;
        while (more) {
            if (upTo > LogBound.MOST && at > KEPT && at < upTo - KEPT) {
                at = upTo - KEPT; // there may be a hole, and anyway more than can be read next to a load
            }
            var piece = ByteBuffer.allocate((int) Math.min(upTo - at, PIECE));
            file.position(at);
            while (piece.hasRemaining() && file.read(piece) >= 0) {
                continue;
            }
            more = !piece.hasRemaining() && at + piece.position() < upTo;
            var text = new String(piece.array(), 0, piece.position(), ISO_8859_1);
            int lines = text.lastIndexOf('\n') + 1;
            if (more ? lines == 0 : ended) {
                lines = text.length(); // one line longer than a piece, or the last one
            }
            take(text.substring(0, lines), at);
            at += lines;
        }
        long end = at;
        sought.replaceAll((_, _) -> end);
    }

    private void take(String lines, long at) {
        sought.keySet().removeIf(w -> {
            int begin = begin(lines, w);
            if (begin < 0) {
                return false;
            }
            int newline = lines.indexOf('\n', begin);
            String line = lines.substring(begin, newline < 0 ? lines.length() : newline);
            found.put(w, new Line(at + begin, new String(line.getBytes(ISO_8859_1), UTF_8).replaceFirst("\r$", "")));
            return true;
        });
    }

    /** Where the first line that has it begins; -1 if none does. */
    private static int begin(String lines, Wanted wanted) {
        if (!wanted.first()) {
            int in = lines.indexOf(wanted.text());
            return in < 0 ? -1 : lines.lastIndexOf('\n', in) + 1;
        }
        if (lines.startsWith(wanted.text())) {
            return 0;
        }
        int after = lines.indexOf("\n" + wanted.text());
        return after < 0 ? -1 : after + 1;
    }
}
