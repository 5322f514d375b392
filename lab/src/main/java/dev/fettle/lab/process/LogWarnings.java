package dev.fettle.lab.process;

import dev.fettle.model.text.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program's output warns of: its lines with the level of a warning or an error, from that word on, with {@code #} in place of
 * numbers, so that two processes of one program print the same.
 */
final class LogWarnings {
    /** As the usual libraries print them, in capitals and as a word of their own; the last is HotSpot's. */
    private static final List<String> LEVELS = List.of("WARN", "WARNING", "ERROR", "SEVERE", "FATAL", "VM warning");

    /** A level comes before the message: after a time, a process, a thread and a class. */
    private static final int LEVEL_WITHIN = 120;

    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_KINDS = 100;
    private static final int LONGEST = 160;

    private LogWarnings() {}

    /** How often each was printed, in order of the first; of an output that can't be read none. */
    static Map<String, Integer> of(Path log) {
        try (InputStream in = Files.newInputStream(log)) {
            return of(new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Map.of();
        }
    }

    static Map<String, Integer> of(String output) {
        var counts = new LinkedHashMap<String, Integer>();
        output.lines().map(OneLine::colourless).forEach(line -> {
            int at = level(line);
            if (at >= 0) {
                String text = plain(line.substring(at, Math.min(line.length(), at + 2 * LONGEST)));
                if (counts.containsKey(text) || counts.size() < MOST_KINDS) {
                    counts.merge(text, 1, Integer::sum);
                }
            }
        });
        return counts;
    }

    /** Where the level stands; -1 if the line has none of these. */
    private static int level(String line) {
        int first = -1;
        for (String level : LEVELS) {
            int at = line.indexOf(level);
            boolean word = at >= 0
                    && at < LEVEL_WITHIN
                    && (at == 0 || !Character.isLetterOrDigit(line.charAt(at - 1)))
                    && (at + level.length() == line.length()
                            || !Character.isLetterOrDigit(line.charAt(at + level.length())));
            if (word && (first < 0 || at < first)) {
                first = at;
            }
        }
        return first;
    }

    private static String plain(String text) {
        var out = new StringBuilder();
        boolean number = false;
        boolean blank = false;
        String line = OneLine.of(text);
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (Character.isDigit(c)) {
                if (!number) {
                    out.append('#');
                }
            } else if (c != ' ' || !blank) {
                out.append(c);
            }
            number = Character.isDigit(c);
            blank = c == ' ';
        }
        return out.length() > LONGEST
                ? out.substring(0, LONGEST) + "…"
                : out.toString().strip();
    }
}
