package dev.fettle.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a log is written and whenever it is looked at, the first line is found. */
class LogLinesTest {
    private static final List<String> TEXTS = List.of("ab", "ä", "bb");

    @TempDir
    Path folder;

    @Provide
    Arbitrary<List<String>> parts() {
        return Arbitraries.strings()
                .withChars('a', 'b', 'ä', '\n')
                .ofMaxLength(6)
                .list()
                .ofMaxSize(8);
    }

    @Property(tries = 300)
    void theFirstLineIsFoundInWhateverPartsItIsWritten(@ForAll("parts") List<String> parts) throws Exception {
        Path log = Files.createTempFile("fettle", ".log");
        try {
            var lines = new LogLines(log, TEXTS.subList(0, 1));
            for (String part : parts) {
                Files.writeString(log, part, StandardOpenOption.APPEND);
                String all = Files.readString(log);
                agrees(lines, all.substring(0, all.lastIndexOf('\n') + 1), false);
            }
            agrees(lines, Files.readString(log), true);
        } finally {
            Files.delete(log);
        }
    }

    private static void agrees(LogLines lines, String whole, boolean ended) {
        for (String text : TEXTS) {
            assertThat(lines.with(text, ended).map(LogLines.Line::text))
                    .isEqualTo(whole.lines().filter(l -> l.contains(text)).findFirst());
            assertThat(lines.startingWith(text, ended).map(LogLines.Line::text))
                    .isEqualTo(whole.lines().filter(l -> l.startsWith(text)).findFirst());
        }
    }

    @Test
    void linesLongerThanWhatIsReadAtOnceAreNoObstacle() throws Exception {
        Path log = folder.resolve("log");
        Files.writeString(log, "x".repeat(1_000_000) + "\nwanted\n" + "y".repeat(1_000_000));
        var lines = new LogLines(log, List.of());
        assertThat(lines.startingWith("wanted", false)).hasValue(new LogLines.Line(1_000_001, "wanted"));
        assertThat(lines.with("z", true)).isEmpty();
        Files.writeString(log, "\nz\n", StandardOpenOption.APPEND);
        assertThat(lines.with("z", true).map(LogLines.Line::text)).hasValue("z");
    }

    @Test
    void aLogThatIsEmptiedIsReadFromItsBeginning() throws Exception {
        Path log = folder.resolve("log");
        var lines = new LogLines(log, List.of());
        assertThat(lines.with("new", false)).isEqualTo(Optional.empty()); // it is not there yet
        Files.writeString(log, "old and long\n");
        assertThat(lines.with("new", false)).isEmpty();
        Files.writeString(log, "new\n");
        assertThat(lines.with("new", false).map(LogLines.Line::text)).hasValue("new");
    }
}
