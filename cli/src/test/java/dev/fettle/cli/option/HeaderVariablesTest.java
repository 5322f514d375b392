package dev.fettle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ${NAME}} in the value of a header: the list of processes shows the name only. */
class HeaderVariablesTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("TOKEN", "open-barley", "a1", "x$1\\", "EMPTY", "", "NESTED", "${TOKEN}");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "'Authorization: Bearer ${TOKEN}', 'Authorization: Bearer open-barley'",
        "'X-Key:${TOKEN}-${a1}', 'X-Key:open-barley-x$1\\'",
        "'Cookie: a=${EMPTY}; b=$5', 'Cookie: a=; b=$5'",
        "'X-Key: ${NESTED}', 'X-Key: ${TOKEN}'",
        "'X-${TOKEN}: 1', 'X-${TOKEN}: 1'",
        "'Accept: text/html', 'Accept: text/html'",
        "'no colon ${TOKEN}', 'no colon ${TOKEN}'"
    })
    void aVariableIsFilledIn(String given, String sent) {
        assertThat(RequestOptions.lines(given, ENVIRONMENT)).containsExactly(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: ${MISSING}",
                "Authorization: ${TOKEN:-open-barley}",
                "Authorization: ${",
                "Authorization: ${}",
                "Authorization: ${1}",
                "Authorization: ${TOKEN} ${token}",
                "User-Agent: ${TOKEN}",
                "accept: ${TOKEN}"
            })
    void whatIsNoVariableIsRefusedWithoutItsValue(String given) {
        assertThatThrownBy(() -> RequestOptions.lines(given, ENVIRONMENT))
                .hasMessageStartingWith("-H '" + given.substring(0, given.indexOf(':')) + "': ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("open-barley", "\n"));
    }

    @Test
    void aFileIsTakenAsItIs() throws Exception {
        Path file = Files.writeString(folder.resolve("headers"), "X-Key: ${TOKEN}\n\nX-Other: ${\n");
        assertThat(RequestOptions.lines("@" + file, ENVIRONMENT)).containsExactly("X-Key: ${TOKEN}", "X-Other: ${");
    }
}
