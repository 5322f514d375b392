package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import dev.fettle.report.RuleDocs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code fettle diagnose} where nothing is measured. */
class DiagnoseCommandTest {
    private static final String PLAN = "name: page\ntarget: {url: \"http://127.0.0.1:9\"}\nload: {connections: 5}\n";

    @TempDir
    Path folder;

    private record Ended(int code, String out, String err) {}

    private Ended diagnose(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = new ArrayList<>(List.of("diagnose"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--dir", folder.resolve("ws").toString()));
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    @BeforeEach
    void aPlanAndARun() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), PLAN);
        Plan plan = new PlanReader(2, 4096).read("p.yaml", PLAN);
        try (Journal journal = Journal.open(Workspace.open(folder.resolve("ws")).journalFile())) {
            journal.begin("diagnose", file, "abc", plan, Map.of(), Instant.EPOCH);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:9/ --trial 2|--trial is for a run",
                "--pid 4194303 --trial 2|--trial is for a run",
                "PLAN --trial 2|--trial is for a run",
                "page-1 --no-test|--no-test is for a PLAN or a URL",
                "page-1 --no-profile|--no-profile is for a PLAN",
                "page-1 --pid 17|--pid is for a URL: of a run, only what was measured then is judged",
                "PLAN --pid 17|--pid is for a URL: a plan says it itself, target: {pid: 17}",
                "http://127.0.0.1:9/ --second-opinion|--second-opinion records the server's process",
                "PLAN --second-opinion|a URL does not say which that is: name it with --pid, or in the plan",
                "--rules --pid 17|--rules prints all rules as a page: leave out --pid",
                "--rules page-1|--rules prints all rules as a page: leave out 'page-1'",
                "--rules --json|--rules prints all rules as a page: leave out --json"
            })
    void whatSaysNothingIsRefused(String arguments, String words) {
        Ended e = diagnose(
                arguments.replace("PLAN", folder.resolve("p.yaml").toString()).split(" "));
        assertThat(e.code).as(e.err).isEqualTo(2);
        assertThat(e.err.lines()).singleElement().asString().contains(words);
    }

    /** To write it anew: {@code fettle diagnose --rules > docs/diagnosis-rules.md}. */
    @Test
    void thePageOfRulesIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/diagnosis-rules.md")))
                .as("docs/diagnosis-rules.md; write it anew with: fettle diagnose --rules > docs/diagnosis-rules.md")
                .isEqualTo(diagnose("--rules").out);
    }

    @Test
    void theGatesTableIsUpToDate() throws Exception {
        assertThat(Files.readString(Fettle.home().resolve("docs/methodology.md")))
                .as("docs/methodology.md, the table of the validity gate")
                .contains("\n\n" + RuleDocs.gate() + "\n");
    }

    @Test
    void whatIsNothingOfTheThreeIsToldSo() {
        Ended e = diagnose("my.yml");
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .isEqualTo("fettle: 'my.yml' is neither a URL, nor a plan that can be read, nor a run in "
                        + folder.resolve("ws") + "; newest runs: page-1\n");
    }
}
