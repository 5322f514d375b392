package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Only {@code model.text.Format} decides how a figure reads: no other class that people read has a pattern for one. */
class FiguresInTextsTest {
    private static final List<String> ROOMS =
            List.of("model", "config", "watch", "insight", "report", "lab", "cli", "bench");

    /** A pattern for a number with decimals. */
    private static final Pattern PATTERN =
            Pattern.compile("\"[^\"\\n]*%(?:\\d+\\$)?[-+ ,0#(]*\\d*(?:\\.\\d+)?[feg]\\b");

    /** A decimal unit of bytes; {@code 8KB} is how other programs write it. */
    private static final Pattern DECIMAL = Pattern.compile("\"(?:[^\"\\n]* )?(?:kB|KB|MB|GB|TB)\\b[^\"\\n]*\"");

    /** What programs read: XML, names of files and drawings; and figures of the bench's own, which no report has. */
    private static final Set<String> FOR_PROGRAMS =
            Set.of("JunitReport", "AuditDocs", "TunerProof", "TruthRecord", "Plot", "Bands", "WatchCost", "FuzzParser");

    private static Map<Path, String> sources() throws Exception {
        var all = new TreeMap<Path, String>();
        for (String room : ROOMS) {
            try (Stream<Path> files = Files.walk(Fettle.home().resolve(room).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    all.put(file, Files.readString(file));
                }
            }
        }
        assertThat(all).hasSizeGreaterThan(500);
        return all;
    }

    private static List<String> found(Pattern pattern) throws Exception {
        var out = new ArrayList<String>();
        sources().forEach((file, text) -> {
            String name = file.getFileName().toString().replace(".java", "");
            if (!FOR_PROGRAMS.contains(name)) {
                text.lines().filter(l -> pattern.matcher(l).find()).forEach(l -> out.add(name + ": " + l.strip()));
            }
        });
        return out;
    }

    @Test
    void noOtherClassFormatsADecimalNumber() throws Exception {
        assertThat(found(PATTERN)).isEmpty();
    }

    @Test
    void bytesHaveNoDecimalUnit() throws Exception {
        assertThat(found(DECIMAL)).isEmpty();
    }

    /** The exceptions are exceptions: each has such a pattern. */
    @Test
    void noExceptionIsLeftOver() throws Exception {
        Map<Path, String> all = sources();
        assertThat(FOR_PROGRAMS)
                .allSatisfy(name -> assertThat(all.entrySet())
                        .anyMatch(e -> e.getKey().getFileName().toString().equals(name + ".java")
                                && PATTERN.matcher(e.getValue()).find()));
    }
}
