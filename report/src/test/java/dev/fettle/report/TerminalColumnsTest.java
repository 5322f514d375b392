package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalColumnsTest {
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "threads.max=50 – 1.5 × µs …, 27",
        "ÄÖÜß, 4",
        "日本語, 6",
        "한국어, 6",
        "ひらカタ, 8",
        "「」。, 6",
        "ＡＢ１, 6",
        "ｱｲｳ, 3",
        "e\u0301a, 2",
        "\ud83d\ude00!, 3",
        "\ud842\udfb7, 2",
        "a\u200bb, 2",
        "▁▂█ → ≤, 7",
        "привет, 6"
    })
    void aTextTakesSoManyColumns(String text, int columns) {
        assertThat(TerminalColumns.of(text)).isEqualTo(columns);
    }

    @Test
    void aTextIsCutBetweenCharacters() {
        assertThat(Wording.cut("日本語", 6)).isEqualTo("日本語");
        assertThat(Wording.cut("日本語", 5)).isEqualTo("日本…");
        assertThat(Wording.cut("日本語", 4)).isEqualTo("日…");
        assertThat(Wording.cut("\ud83d\ude00\ud83d\ude00", 3)).isEqualTo("\ud83d\ude00…");
        assertThat(TerminalColumns.first("日本語", 3)).isEqualTo("日");
        assertThat(TerminalColumns.first("e\u0301a", 1)).isEqualTo("e\u0301");
        assertThat(TerminalColumns.first("abc", 0)).isEmpty();
    }
}
