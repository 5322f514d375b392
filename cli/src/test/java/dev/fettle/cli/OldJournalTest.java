package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.terminal.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs of every kind that a Fettle of journal version 2 has written are shown as that one showed them: a capacity with a spike,
 * one of a watched process, one that was cut off, a sweep, a comparison and a tune.
 */
class OldJournalTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void write() throws Exception {
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                var s = db.createStatement()) {
            for (String sql : golden("journal.sql").split(";\n")) {
                s.executeUpdate(sql);
            }
        }
    }

    @Test
    void allRunsAreListed() throws Exception {
        assertThat(fettle("runs")).isEqualTo(golden("runs.txt"));
        assertThat(fettle("runs", "--json")).isEqualTo(golden("runs.json"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity-1", "old-sweep-4", "capacity-6", "old-compare-7", "old-capacity-8", "old-tune-9"})
    void whatARunFoundIsShown(String run) throws Exception {
        assertThat(fettle("show", run, "--trials")).isEqualTo(golden(run + ".txt"));
        assertThat(rounded(fettle("show", run, "--json"))).isEqualTo(rounded(golden(run + ".json")));
        fettle("report", run);
        String page = Files.readString(folder.resolve("runs").resolve(run).resolve("report.html"));
        assertThat(words(page)).isEqualTo(golden(run + ".page.txt"));
    }

    /** A diagnosis of a capacity search is a diagnosis, not a capacity search with another conclusion. */
    @ParameterizedTest
    @ValueSource(strings = {"capacity-1", "capacity-6", "old-capacity-8"})
    void aCapacitySearchIsDiagnosedLater(String run) {
        for (String[] more : new String[][] {{}, {"--trial", "1"}}) {
            var arguments = new ArrayList<>(List.of("diagnose", run));
            arguments.addAll(List.of(more));
            assertThat(diagnosed(arguments)).contains(run);
            arguments.add("--json");
            assertThat(diagnosed(arguments)).contains("\"schema\" : \"fettle.run/1\"", "\"kind\" : \"diagnose\"");
        }
    }

    private static String diagnosed(List<String> arguments) {
        Ended e = ended(arguments);
        assertThat(e.code).as(e.err).isIn(ExitCodes.OK, ExitCodes.NO_VALID_RESULT);
        return e.out;
    }

    private record Ended(int code, String out, String err) {}

    private static Ended ended(List<String> arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = new ArrayList<>(arguments);
        all.addAll(List.of("--dir", folder.toString()));
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    private static String fettle(String... arguments) {
        Ended e = ended(List.of(arguments));
        assertThat(e.code).as(e.err).isZero();
        return withoutDates(e.out);
    }

    /** The clock of a list is the reader's. */
    private static String withoutDates(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d", "DATE");
    }

    /** A probe's share of a CPU is kept as seconds now: its last bit may be another. */
    private static String rounded(String json) {
        return json.replaceAll("(\\.[0-9]{14})[0-9]+", "$1");
    }

    /** What a reader of a page sees, but for charts. */
    private static String words(String page) {
        String text = page.replaceAll("(?s)<(script|style|svg)\\b.*?</\\1>", "").replaceAll("<[^>]*>", "\n");
        return withoutDates(text)
                .lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String golden(String name) throws Exception {
        String path = "old-journal/" + name.toLowerCase(Locale.ROOT);
        try (var in = Objects.requireNonNull(OldJournalTest.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
