package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The drivers and what measures wait and read the time through a {@code Clock} that was passed in: else no test could. */
class TimeIsPassedInTest {
    private static final Path LAB = Fixtures.home().resolve("lab/src/main/java/dev/fettle/lab");

    private static final Pattern OWN_TIME = Pattern.compile(
            "System\\s*(\\.|::)\\s*(nanoTime|currentTimeMillis)|Thread\\s*(\\.|::)\\s*sleep|TimeUnit\\.\\w+\\s*\\.\\s*sleep"
                    + "|(Instant|Local\\w+|Zoned\\w+|Offset\\w+)\\s*(\\.|::)\\s*now\\b|InstantSource\\.system|new Date\\(");

    /** Where time enters: a bench and a watch have no environment, and recordings and dumps are of this machine anyway. */
    private static final Set<String> DOORS =
            Set.of("Bench.java", "LiveWatch.java", "Profiling.java", "DumpKeeper.java");

    private static List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        for (Path folder : List.of(LAB, LAB.resolve("measure"), LAB.resolve("port"), LAB.resolve("engine"))) {
            try (Stream<Path> all = Files.list(folder)) {
                all.filter(f -> f.toString().endsWith(".java")).forEach(files::add);
            }
        }
        assertThat(files).hasSizeGreaterThan(40);
        return files;
    }

    private static String code(Path file) throws IOException {
        return Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//[^\n]*", "");
    }

    @Test
    void noDriverReadsTheClockOrSleepsByItself() throws IOException {
        var wrong = new ArrayList<String>();
        for (Path file : files()) {
            String code = code(file);
            OWN_TIME.matcher(code).results().forEach(m -> wrong.add(LAB.relativize(file) + ": " + m.group()));
            if (code.contains("Clock.SYSTEM")
                    && !DOORS.contains(file.getFileName().toString())) {
                wrong.add(LAB.relativize(file) + ": Clock.SYSTEM");
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** What crosses a port is data: no file, no stream, no callback, and no object of the other side. */
    @Test
    void portsKnowNothingOfThisMachine() throws IOException {
        var wrong = new ArrayList<String>();
        try (Stream<Path> all = Files.list(LAB.resolve("port"))) {
            for (Path file : all.toList()) {
                Pattern.compile(
                                "(?m)^import (dev\\.fettle\\.(watch|lab\\.(?!machine))|java\\.util\\.function|java\\.nio\\.channels)\\S*;")
                        .matcher(code(file))
                        .results()
                        .forEach(m -> wrong.add(file.getFileName() + ": " + m.group()));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatIsLookedForIsFound() {
        for (String own : List.of(
                "System.nanoTime()",
                "System::nanoTime",
                "Thread.sleep(5)",
                "Instant.now()",
                "System\n        .currentTimeMillis()")) {
            assertThat(OWN_TIME.matcher(own).find()).as(own).isTrue();
        }
        assertThat(OWN_TIME.matcher("clock.nanos(); clock.sleep(LOOK); clock.instant()")
                        .find())
                .isFalse();
    }
}
