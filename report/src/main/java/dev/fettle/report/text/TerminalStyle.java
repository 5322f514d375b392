package dev.fettle.report.text;

import dev.fettle.report.document.Tone;

/** Terminal emphasis; {@link #PLAIN} prints no escape sequence at all. */
public enum TerminalStyle {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    GOOD("32"),
    BAD("31"),
    WARN("33"),
    HEAD("1;36");

    private final String code;

    TerminalStyle(String code) {
        this.code = code;
    }

    /** The style of what stands out in this tone. */
    static TerminalStyle of(Tone tone) {
        return switch (tone) {
            case PLAIN, CODE -> PLAIN;
            case STRONG -> BOLD;
            case QUIET -> DIM;
            case GOOD -> GOOD;
            case CAUTION -> WARN;
            case BAD -> BAD;
        };
    }

    /** The text in this style, or unchanged without colour. */
    String on(String text, boolean colour) {
        return colour && !code.isEmpty() && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
