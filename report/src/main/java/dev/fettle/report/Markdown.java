package dev.fettle.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Words and tables in Markdown. */
public final class Markdown {
    private Markdown() {}

    /** Plain text, with Markdown's special characters escaped. */
    public static String text(String words) {
        return words.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }

    /** Text as code; empty text stays empty. */
    public static String code(String code) {
        return code.isEmpty() ? "" : "`" + code.replace("`", "'") + "`";
    }

    /** The head of a table. */
    public static String head(String... columns) {
        return row(List.of(columns)) + "|---".repeat(columns.length) + "|\n";
    }

    /** A row; its cells are Markdown. */
    public static String row(String... cells) {
        return row(Arrays.asList(cells));
    }

    /** As {@link #row(String...)}. */
    public static String row(List<String> cells) {
        return cells.stream().map(c -> c.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
