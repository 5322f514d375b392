package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bound stands once, as a constant: the texts of the gate's rules have no share of their own. */
class BoundsInTextsTest {
    private static final Pattern SHARE = Pattern.compile("\"[^\"\\n]*\\d %");

    /** A percentile's name, no bound. */
    private static final Pattern PERCENTILE = Pattern.compile("\"1 % of the requests left");

    @ParameterizedTest
    @ValueSource(strings = {"GateRules", "GateAdvice"})
    void noShareIsTypedIntoARuleOfTheGate(String rules) throws IOException {
        Path source = Path.of("../src/main/java/dev/fettle/insight/gate/" + rules + ".java");
        List<String> typed = Files.readAllLines(source).stream()
                .filter(line ->
                        SHARE.matcher(line).find() && !PERCENTILE.matcher(line).find())
                .toList();
        assertThat(typed).isEmpty();
    }

    private static final Path DIAGNOSE = Path.of("../src/main/java/dev/fettle/insight/diagnose");

    /** What stands before the ids of the rules that explain a rule: its id, its stage, what it is about, and its bound. */
    private static final Pattern RULE = Pattern.compile(
            "new Rule\\(\\s*\\w+(?:\\.\\w+)?,\\s*Stage\\.\\w+,(.*?)(?:List\\.of\\(|symptomOf)", Pattern.DOTALL);

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** A number as digits or as a word. */
    private static final Pattern NUMBER = Pattern.compile(
            "(?i)\\d|\\b(?:half|thirds?|fifth|tenth|quarter|two|three|four|five|ten|hundred|thousand|one in|nine in)\\b");

    /** Numbers that bound nothing: how the sources of bounds are named, what they were derived from, and parts of the time. */
    private static final Pattern NO_BOUND =
            Pattern.compile("RFC 6298|sent again after 1 s|resolv\\.conf\\(5\\)|p90|p9+(?:\\.9)?"
                    + "|0\\.1 to 0\\.3 ms to copy, at 1 to 3 GiB/s|takes about 1 ms: measured|as even in 1 to 6 % of the runs"
                    + "|status 500 and above|below 500|the last third|half a G1 region");

    /** A rule's text takes its bound from the constant that decides, so the two change together. */
    @Test
    void noRuleOfTheDiagnosisHasANumberTypedIntoItsBound() throws IOException {
        var typed = new ArrayList<String>();
        int rules = 0;
        try (Stream<Path> files = Files.list(DIAGNOSE)) {
            for (Path file : files.sorted().toList()) {
                for (Matcher m = RULE.matcher(Files.readString(file)); m.find(); ) {
                    rules++;
                    LITERAL.matcher(m.group(1))
                            .results()
                            .map(r -> NO_BOUND.matcher(r.group(1)).replaceAll(""))
                            .filter(t -> NUMBER.matcher(t).find())
                            .forEach(t -> typed.add(file.getFileName() + ": " + t));
                }
            }
        }
        assertThat(typed).isEmpty();
        assertThat(rules).isGreaterThan(40);
    }
}
