package dev.fettle.lab.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.process.GivenSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HookLogTest {
    private static final String SECRET = "hunter2hunter2";

    @TempDir
    Path folder;

    private String masked(String text) throws Exception {
        Path log = Files.writeString(folder.resolve("log"), text);
        HookLog.mask(log, GivenSecrets.of(List.of("db", "--password=" + SECRET), Map.of()));
        return Files.readString(log);
    }

    @Test
    void linesStayLinesWithoutTheirSecrets() throws Exception {
        assertThat(masked("one\r\n\ntwo " + SECRET + "\rthree\n\n")).isEqualTo("one\n\ntwo ***\nthree\n\n");
        assertThat(masked("no end")).isEqualTo("no end\n");
        assertThat(masked("")).isEmpty();
    }

    /** A program that prints hundreds of megabytes without an end of line is no reason for Fettle to end. */
    @ParameterizedTest
    @ValueSource(ints = {-20, -10, -1, 0, 1, 10, 16_370, 16_380, 16_384, 20_000})
    void ofALineWithoutEndTheBeginningIsKeptAndNoPartOfASecret(int at) throws Exception {
        var line = new StringBuilder("x".repeat(HookLog.LONGEST + 1_000_000));
        line.replace(HookLog.LONGEST + at, HookLog.LONGEST + at + SECRET.length(), SECRET);
        String kept = masked(line + "\nnext\n");
        assertThat(kept)
                .endsWith("… (of " + line.length() + " characters in this line, the rest is left out)\nnext\n")
                .hasSizeBetween(HookLog.LONGEST - 100, HookLog.LONGEST + 100);
        assertThat(kept.substring(0, kept.indexOf('…'))).matches("x+(\\*\\*\\*x*)?");
    }

    @Test
    void aLineIsNotCutInTheMiddleOfACharacter() throws Exception {
        String smiles = "\uD83D\uDE00".repeat(HookLog.LONGEST);
        assertThat(masked(smiles).codePoints().limit(1000)).allMatch(c -> c == 0x1F600);
        assertThat(masked("x" + smiles)).startsWith("x\uD83D\uDE00").contains("the rest is left out");
    }
}
