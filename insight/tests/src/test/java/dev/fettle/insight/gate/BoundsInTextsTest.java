package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

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
}
