package dev.fettle.report;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Words and tables in Markdown. */
public final class Markdown {
    private Markdown() {}

    /** Plain text, with Markdown's special characters escaped. */
    public static String text(String words) {
        return words.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }

    /** Words as a sentence of its own: {@link #text} that begins with a capital and ends in a full stop. */
    public static String sentence(String words) {
        return text(Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".");
    }

    /** Text as code; empty text stays empty. */
    public static String code(String code) {
        return code.isEmpty() ? "" : "`" + code.replace("`", "'") + "`";
    }

    /** The head of a table. */
    public static String head(String... columns) {
        return row(columns) + "|---".repeat(columns.length) + "|\n";
    }

    /** A row; its cells are Markdown. */
    public static String row(String... cells) {
        return Arrays.stream(cells).map(c -> c.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
