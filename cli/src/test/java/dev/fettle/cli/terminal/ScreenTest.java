package dev.fettle.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ScreenTest {
    private final StringWriter out = new StringWriter();
    private final Screen screen = new Screen(
            new CommandLine(CommandSpec.create())
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(out, true)),
            false,
            false);

    /** The name of somebody else's program, say. */
    @Test
    void whatOthersHaveWrittenDoesNotMoveTheCursor() {
        screen.say("one\033[2J\n\ntwo\r\u009bthree\n");
        screen.note("busy: \033]0;x\007java");
        screen.error("by hand: \033[1A");
        assertThat(out.toString()).isEqualTo("one [2J\n\ntwo  three\n  note    busy:  ]0;x java\nby hand:  [1A\n");
    }

    /** Progress of a command with JSON goes to standard error, and that may be a file: it gets no escape codes. */
    @ParameterizedTest
    @CsvSource({
        "false, true, true, true",
        "false, true, false, true",
        "true, true, true, true",
        "true, true, false, false",
        "true, false, true, false",
        "false, false, true, false"
    })
    void progressIsShownOnATerminal(boolean json, boolean console, boolean error, boolean shown) {
        assertThat(Screen.isTerminal(json, () -> console, () -> error)).isEqualTo(shown);
    }

    /** Surefire reads this process's output through pipes. */
    @Test
    void aPipeIsNoTerminal() {
        assertThat(TerminalWidth.isTerminal(1)).isFalse();
        assertThat(TerminalWidth.isTerminal(99)).isFalse();
    }

    @Test
    void aLineOfAFrameKeepsItsLastCharacter() {
        screen.frame("one\ntwo\n");
        assertThat(out.toString()).isEqualTo("\033[H\033[Kone\n\033[Ktwo\n\033[J");
    }

    @Test
    void whatAReportHasDrawnKeepsItsColours() {
        screen.drawn("\033[1mvalid\033[0m");
        assertThat(out.toString()).isEqualTo("\033[1mvalid\033[0m\n");
    }

    /** A configuration is written to a file as it is; a person who reads it is not to be deceived by what it has. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void aResultControlsNoTerminal(boolean terminal, boolean json) {
        String foreign = "a\033[2Jb\033]0;x\007c\u009b31md\u202Ee\u2066f\r\n\tg\033[8mh\u200fi\0\u007fj\n";
        var shown = new Screen(
                new CommandLine(CommandSpec.create()).setOut(new PrintWriter(out, true)), json, true, () -> terminal);
        shown.result(foreign + "\033[1;36mhead\033[0m");
        assertThat(out.toString())
                .isEqualTo(
                        terminal
                                ? "a[2Jb]0;xc31mdef\n\tg[8mhij\n\033[1;36mhead\033[0m\n"
                                : foreign + "\033[1;36mhead\033[0m\n");
    }

    @Test
    void whatIsDrawnKeepsNoOtherCodes() {
        screen.frame("\033[32mone\033[0m\033[3J\u009b2J");
        screen.drawn("\033[1mvalid\033[0m\033]8;;http://x\007");
        assertThat(out.toString())
                .isEqualTo("\033[H\033[K\033[32mone\033[0m[3J2J\n\033[J\033[1mvalid\033[0m]8;;http://x\n");
    }
}
