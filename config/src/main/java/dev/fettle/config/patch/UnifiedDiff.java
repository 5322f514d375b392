package dev.fettle.config.patch;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The difference of two texts in the unified format of patch(1) and git. */
public final class UnifiedDiff {
    /** Follows a last line without a line feed. */
    static final String NO_NEWLINE = "\n\\ No newline at end of file";

    private static final int CONTEXT = 3;

    private UnifiedDiff() {}

    /**
     * The patch that turns one text into the other; empty if they are equal.
     *
     * @param path of the file, for the header
     */
    public static String of(String path, String before, String after) {
        List<String> old = lines(before);
        return UnifiedDiffUtils.generateUnifiedDiff(
                        "a/" + path, "b/" + path, old, DiffUtils.diff(old, lines(after)), CONTEXT)
                .stream()
                .map(l -> l.startsWith("@@") ? head(l) : l + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Corrects a hunk's header: an empty range is named by the line before it, and a range of one line has no length.
     */
    private static String head(String hunk) {
        return hunk.replaceAll("([-+])1,0\\b", "$10,0").replaceAll("([-+]\\d+),1\\b", "$1") + "\n";
    }

    /** Lines without their ends. */
    static List<String> lines(String text) {
        var lines = new ArrayList<>(List.of(text.split("\n", -1)));
        String last = lines.removeLast();
        if (!last.isEmpty()) {
            lines.add(last + NO_NEWLINE);
        }
        return lines;
    }
}
