package dev.fettle.cli.terminal;

import dev.fettle.model.text.OneLine;
import dev.fettle.report.TerminalColumns;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * Where a command writes: results to standard output, and progress to standard error when the result is JSON. A live
 * line is overwritten in place on a terminal and left out elsewhere.
 */
public final class Screen {
    private static final int DEFAULT_WIDTH = 100;
    private static final int DEFAULT_HEIGHT = 40;
    private static final int LEAST_HEIGHT = 10;
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    /** The colours of {@code report}'s TerminalStyle. */
    private static final Pattern COLOURS = Pattern.compile("\033\\[(?:[012]|3[1236]|1;36)m");

    private final PrintWriter out;
    private final PrintWriter progress;
    private final PrintWriter err;
    private final boolean terminal;
    private final boolean colour;
    private final BooleanSupplier resultShown;
    private boolean liveShown;

    /**
     * The screen of a command.
     *
     * @param json whether the result is JSON
     * @param colour whether to use colours on a terminal
     */
    public Screen(CommandLine line, boolean json, boolean colour) {
        this(line, json, colour, () -> TerminalWidth.isTerminal(STANDARD_OUTPUT));
    }

    /** @param resultShown whether the result goes to a terminal */
    Screen(CommandLine line, boolean json, boolean colour, BooleanSupplier resultShown) {
        this.resultShown = resultShown;
        this.terminal = isTerminal(json, Screen::hasConsole, () -> TerminalWidth.isTerminal(STANDARD_ERROR));
        this.colour = terminal && colour && System.getenv("NO_COLOR") == null;
        this.out = line.getOut();
        this.err = line.getErr();
        this.progress = json ? line.getErr() : line.getOut();
    }

    /** Whether progress is shown on a terminal: it goes to standard error for JSON, and that may be a file. */
    static boolean isTerminal(boolean json, BooleanSupplier console, BooleanSupplier error) {
        return console.getAsBoolean() && (!json || error.getAsBoolean());
    }

    private static boolean hasConsole() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /** Whether a person may be watching. */
    public boolean terminal() {
        return terminal;
    }

    public boolean colour() {
        return colour;
    }

    /** Columns of the terminal. */
    public int width() {
        String columns = System.getenv("COLUMNS");
        if (columns != null && columns.matches("[0-9]{1,4}")) {
            return Math.max(20, Integer.parseInt(columns));
        }
        return terminal ? TerminalWidth.columns().orElse(DEFAULT_WIDTH) : DEFAULT_WIDTH;
    }

    /** Lines of the terminal. */
    public int height() {
        String lines = System.getenv("LINES");
        if (lines != null && lines.matches("[0-9]{1,4}")) {
            return Math.max(LEAST_HEIGHT, Integer.parseInt(lines));
        }
        return terminal ? TerminalWidth.rows().orElse(DEFAULT_HEIGHT) : DEFAULT_HEIGHT;
    }

    /** Takes over the whole terminal for frames; closing restores its content. */
    public synchronized Whole whole() {
        out.print("\033[?1049h\033[?25l");
        out.flush();
        return () -> {
            out.print("\033[?25h\033[?1049l");
            out.flush();
        };
    }

    /** The whole terminal. */
    public interface Whole extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Shows a frame in place of the previous one, lower than the terminal. A line is erased before it is written: after one that is as
     * wide as the terminal, that would take its last character.
     */
    public synchronized void frame(String text) {
        out.print("\033[H\033[K" + OneLine.shown(text, COLOURS).stripTrailing().replace("\n", "\n\033[K") + "\n\033[J");
        out.flush();
    }

    /** Permanent lines of progress. They may repeat what others have written, so no control character gets through. */
    public void say(String text) {
        drawn(OneLine.each(text));
    }

    /** Permanent lines of progress that a report has drawn: it may have used colours, and has cleaned what others have written. */
    public synchronized void drawn(String text) {
        clear();
        String shown = OneLine.shown(text, COLOURS);
        progress.print(shown.endsWith("\n") ? shown : shown + "\n");
        progress.flush();
    }

    /** A note on what is going on. */
    public void note(String text) {
        say("  note    " + text);
    }

    /** The live line: replaces the previous one. */
    public synchronized void live(String text) {
        if (!terminal) {
            return;
        }
        progress.print("\r\033[K" + TerminalColumns.first(OneLine.of(text), width() - 1));
        progress.flush();
        liveShown = true;
    }

    /**
     * The result itself, to standard output. A terminal gets no control character but colours, whoever has written it; a file or a pipe
     * gets what there is, byte for byte: it may be a configuration or JSON.
     */
    public synchronized void result(String text) {
        clear();
        String shown = resultShown.getAsBoolean() ? OneLine.shown(text, COLOURS) : text;
        out.print(shown.endsWith("\n") ? shown : shown + "\n");
        out.flush();
    }

    /** Whether nobody reads results any more, as after {@code | head -1}. */
    public boolean isGone() {
        return StandardOutput.isGone();
    }

    /** A line besides the result, to standard error. */
    public synchronized void error(String text) {
        clear();
        err.println(OneLine.each(text));
        err.flush();
    }

    private void clear() {
        if (liveShown) {
            progress.print("\r\033[K");
            liveShown = false;
        }
    }
}
