package dev.fettle.lab.journal;

import dev.fettle.model.text.ShortLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The lines of a text that others wrote: bounded, and whatever is no UTF-8 replaced. */
final class TextLines {
    private TextLines() {}

    static BufferedReader open(Path file) throws IOException {
        return new BufferedReader(new ShortLines(
                new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), ShortLines.MOST));
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
        try (BufferedReader in = open(file)) {
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
}
