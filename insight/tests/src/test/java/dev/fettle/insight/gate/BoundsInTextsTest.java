package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.rule.Bounds;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.rule.RuleTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bound stands once, as data of its rule: no text has a number of its own, and code has the names of bounds. */
class BoundsInTextsTest {
    private static final Path SOURCES = Path.of("../src/main/java/dev/fettle/insight");

    private static final Pattern PLACE = Pattern.compile("\\{([^}:|?]+)[^}]*}|\\[!([^:]+):");

    /** A number as digits or as a word. */
    private static final Pattern NUMBER = Pattern.compile(
            "(?i)\\d|\\b(?:half|thirds?|fifth|tenth|quarter|two|three|four|five|ten|hundred|thousand|one in|nine in)\\b");

    /** Numbers that bound nothing: how the sources of bounds are named, what they were derived from, and parts of the time. */
    private static final Pattern NO_BOUND = Pattern.compile(
            "RFC 6298|sent again after 1 s|resolv\\.conf\\(5\\)|p90|p9+(?:\\.9)?"
                    + "|0\\.1 to 0\\.3 ms to copy, at 1 to 3 GiB/s|takes about 1 ms: measured|as even in 1 to 6 % of the runs"
                    + "|status 500 and above|below 500|the last third|half a G1 region|HTTP/[12](?:\\.1)?|204, 304, HEAD|the two are|95 % interval");

    private static String withoutPlaces(String text) {
        return NO_BOUND.matcher(PLACE.matcher(text).replaceAll("")).replaceAll("");
    }

    /** A rule's text takes its bound from the data that decides, so the two change together. */
    @ParameterizedTest
    @ValueSource(strings = {"gate", "advice", "diagnosis"})
    void noNumberIsTypedIntoWhatARuleIsAbout(String table) {
        assertThat(RuleTable.read(table).all()).allSatisfy(r -> {
            assertThat(withoutPlaces(r.texts().getOrDefault("what", "")))
                    .as(r.id())
                    .doesNotContainPattern(NUMBER);
            assertThat(withoutPlaces(r.texts().getOrDefault("threshold", "")))
                    .as(r.id())
                    .doesNotContainPattern(NUMBER);
        });
    }

    /** A share that is typed into a message is a bound that stands twice. A percentile's name is none. */
    @ParameterizedTest
    @ValueSource(strings = {"gate", "advice", "diagnosis"})
    void noShareIsTypedIntoAText(String table) {
        assertThat(RuleTable.read(table).all())
                .allSatisfy(r -> assertThat(r.texts().values())
                        .as(r.id())
                        .allSatisfy(text -> assertThat(withoutPlaces(text).replace("1 % of the requests left", ""))
                                .doesNotContainPattern("\\d %")));
    }

    /** A text can always be filled in: what it names is a bound, or a figure that code has a name for. */
    @ParameterizedTest
    @ValueSource(strings = {"gate", "advice", "diagnosis"})
    void whatATextNamesIsThere(String table) throws IOException {
        String code = sources();
        var unknown = new ArrayList<String>();
        for (RuleEntry r : RuleTable.read(table).all()) {
            r.texts()
                    .forEach((which, text) -> PLACE.matcher(text).results().forEach(m -> {
                        String name = m.group(1) == null ? m.group(2) : m.group(1);
                        if (!code.contains('"' + name + '"') && !isBound(r, name)) {
                            unknown.add(r.id() + ": " + which + ": " + name);
                        }
                    }));
        }
        assertThat(unknown).isEmpty();
    }

    private static boolean isBound(RuleEntry r, String name) {
        return r.bounds().containsKey(name) || isShared(name);
    }

    private static boolean isShared(String name) {
        try {
            return Bounds.value(name) > Double.NEGATIVE_INFINITY;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Code that asks for a bound asks for one that there is: every bound of a table is asked for, in code or in a text. */
    @ParameterizedTest
    @ValueSource(strings = {"gate", "advice", "diagnosis"})
    void everyBoundDecidesSomething(String table) throws IOException {
        String code = sources();
        assertThat(RuleTable.read(table).all())
                .allSatisfy(r -> assertThat(r.bounds().keySet())
                        .as(r.id())
                        .allSatisfy(name -> assertThat(code).contains('"' + name + '"')));
    }

    private static String sources() throws IOException {
        var code = new StringBuilder();
        for (String folder : List.of("gate", "diagnose", "explain")) {
            try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    code.append(Files.readString(file));
                }
            }
        }
        return code.toString();
    }
}
