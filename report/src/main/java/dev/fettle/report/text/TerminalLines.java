package dev.fettle.report.text;

import dev.fettle.report.Wording;
import java.util.Locale;

/** Writes lines of a terminal: names with values beside them, headings, paragraphs; nothing wider than it may be. */
final class TerminalLines {
    private static final int NAME = 20;

    private final StringBuilder out = new StringBuilder();
    private final int width;
    private final boolean colour;

    TerminalLines(int width, boolean colour) {
        this.width = width;
        this.colour = colour;
    }

    /** A name and what it has to say; text that is too long goes on below. */
    void line(String name, String value) {
        line(name, value, TerminalStyle.PLAIN);
    }

    /** A name and what it has to say, emphasised. */
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

    /** Text, indented, wrapped. */
    void paragraph(String text, TerminalStyle style) {
        for (String part : Wording.wrap(text, Math.max(NAME, width - 2))) {
            out.append("  ").append(style.on(part, colour)).append('\n');
        }
    }

    /** A line as it is: it must be clean, and narrow enough. */
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
