package dev.fettle.lab.journal;

import dev.fettle.model.text.ShortLines;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The lines of a text that others wrote: bounded, and whatever is no UTF-8 replaced. */
final class TextLines {
    /** Of a file of which nothing is known, no more is read: it may have no lines, as a dump of memory. */
    private static final long MOST_LOOKED_AT = 8L << 20;

    private TextLines() {}

    static BufferedReader open(Path file) throws IOException {
        return lines(reader(file));
    }

    private static Reader reader(Path file) throws IOException {
        return new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8);
    }

    private static BufferedReader lines(Reader in) {
        return new BufferedReader(new ShortLines(in, ShortLines.MOST));
    }

    /** Whether one of the first lines of a file is as asked; not, if it can't be read. */
    static boolean any(Path file, int lines, Predicate<String> is) {
        return !first(file, lines, is, 1).isEmpty();
    }

    /** The first lines of a file that are not blank; none, if it can't be read. */
    static List<String> head(Path file, int lines) {
        return first(file, 10 * lines, l -> !l.isBlank(), lines);
    }

    private static List<String> first(Path file, int lines, Predicate<String> is, int most) {
        var found = new ArrayList<String>();
        if (!Files.isRegularFile(file)) {
            return found;
        }
        try (BufferedReader in = lines(new Beginning(reader(file)))) {
            for (int i = 0; i < lines && found.size() < most; i++) {
                String line = in.readLine();
                if (line == null) {
                    break;
                }
                if (is.test(line)) {
                    found.add(line);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return found;
    }

    /** Ends early. */
    private static final class Beginning extends FilterReader {
        private long left = MOST_LOOKED_AT;

        Beginning(Reader in) {
            super(in);
        }

        @Override
        public int read(char[] into, int from, int most) throws IOException {
            int n = left <= 0 ? -1 : super.read(into, from, most);
            left -= Math.max(0, n);
            return n;
        }
    }
}
