package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandWordsTest {
    @Test
    void quotesAndBackslashesAreThoseOfAShell() {
        assertThat(CommandWords.of("mvn -q -DskipTests package"))
                .containsExactly("mvn", "-q", "-DskipTests", "package");
        assertThat(CommandWords.of("./build.sh \"a b\" 'c $d' e\\ f {port}"))
                .containsExactly("./build.sh", "a b", "c $d", "e f", "{port}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a && b", "a | b", "a; b", "a > f", "echo $HOME", "echo \"$HOME\"", "a `b`", "a \"b", ""})
    void whatTakesAShellIsRefused(String text) {
        assertThatThrownBy(() -> CommandWords.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
