package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.text.Runs;
import dev.fettle.report.text.TextReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each kind of result says, word for word, in one file. After a change that is meant, {@code -Dfettle.golden=write} writes the
 * files; read the difference before you commit it.
 */
class GoldenTest {
    private static final Path FILES = Path.of("src", "test", "resources", "dev", "fettle", "report", "golden");

    static Stream<Map.Entry<String, String>> all() {
        var texts = new TreeMap<String, String>();
        for (String name : new String[] {
            "tune", "aa", "early", "grid", "compare", "programs", "gate", "layers", "spike", "diagnose"
        }) {
            RunReport run = Runs.all().get(name);
            texts.put(name + ".txt", new TextReport(100, false).report(run));
            texts.put(name + ".md", MarkdownReport.of(run));
        }
        texts.put("tune-answer.txt", new TextReport(100, false, TextReport.Detail.ANSWER).report(Runs.tune()));
        texts.put("capacity.txt", new TextReport(100, false).document(CapacityDocument.of(Capacities.found())));
        Benches.all()
                .forEach((name, r) ->
                        texts.put("bench-" + name + ".txt", new TextReport(100, false).document(BenchDocument.of(r))));
        texts.put("bench-open.md", MarkdownReport.of(BenchDocument.of(Benches.open())));
        return texts.entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aReportSaysWhatItsFileSays(Map.Entry<String, String> report) throws Exception {
        Path file = FILES.resolve(report.getKey());
        if ("write".equals(System.getProperty("fettle.golden"))) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, report.getValue());
        }
        assertThat(report.getValue()).isEqualTo(Files.readString(file));
    }
}
