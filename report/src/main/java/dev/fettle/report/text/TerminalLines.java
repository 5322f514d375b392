package dev.fettle.report.text;

import dev.fettle.report.Wording;
import java.util.Locale;

/** Writes lines for a terminal: names with values, headings, paragraphs, none wider than the width. */
final class TerminalLines {
    private static final int NAME = 20;

    private final StringBuilder out = new StringBuilder();
    private final int width;
    private final boolean colour;

    TerminalLines(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    /** A name and its value; a long value continues below. */
    void line(String name, String value) {
        line(name, value, TerminalStyle.PLAIN);
    }

    /** A name and its value, emphasised. */
    void line(String name, String value, TerminalStyle style) {
        String label = String.format(Locale.ROOT, "%-" + NAME + "s", name);
        for (String part : Wording.wrap(value, Math.max(NAME, width - NAME))) {
            out.append(label).append(style.on(part, colour)).append('\n');
            label = " ".repeat(NAME);
        }
    }

    /** An empty line and a heading. */
    void heading(String text) {
        out.append('\n')
                .append(TerminalStyle.HEAD.on(Wording.clean(text), colour))
                .append('\n');
    }

    /** Indented, wrapped text. */
    void paragraph(String text, TerminalStyle style) {
        for (String part : Wording.wrap(text, Math.max(NAME, width - 2))) {
            out.append("  ").append(style.on(part, colour)).append('\n');
        }
    }

    /** A line as is: the caller ensures it is clean and narrow enough. */
    void raw(String text) {
        out.append(text.stripTrailing()).append('\n');
    }

    void gap() {
        out.append('\n');
    }

    int width() {
        return width;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
