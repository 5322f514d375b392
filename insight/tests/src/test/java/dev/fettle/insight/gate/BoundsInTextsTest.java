package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.words.Say;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bound stands once, as a constant: the texts of the gate's rules have no share of their own. */
class BoundsInTextsTest {
    private static final Pattern SHARE = Pattern.compile("\"[^\"\\n]*\\d %");

    /** A percentile's name, no bound. */
    private static final Pattern PERCENTILE = Pattern.compile("\"1 % of the requests left");

    @Test
    void noShareIsTypedIntoARuleOfTheGate() throws IOException {
        Path source = Path.of("../src/main/java/dev/fettle/insight/gate/GateRules.java");
        List<String> typed = Files.readAllLines(source).stream()
                .filter(line ->
                        SHARE.matcher(line).find() && !PERCENTILE.matcher(line).find())
                .toList();
        assertThat(typed).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.001, 0.1 %", "0.85, 85 %", "1.02, 102 %", "0.5, 50 %", "0.125, 12.5 %"})
    void aBoundReadsAsAPersonWouldWriteIt(double bound, String text) {
        assertThat(Say.share(bound)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.00 B",
        "253, 253 B",
        "1024, 1.00 KiB",
        "1048576, 1.00 MiB",
        "327155712, 312 MiB",
        "1072693248, 1.00 GiB",
        "5368709120, 5.00 GiB"
    })
    void bytesHaveBinaryUnits(double bytes, String text) {
        assertThat(Say.memory(bytes)).isEqualTo(text);
    }
}
