package dev.fettle.report.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.report.Markdown;
import dev.fettle.report.RunReport;
import dev.fettle.report.text.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MarkdownReportTest {
    static Stream<String> names() {
        return Runs.all().keySet().stream();
    }

    /** Each table has as many cells in each row, and nothing that a target or a plan said is markup. */
    @ParameterizedTest
    @MethodSource("names")
    void tablesAreWhole(String name) {
        RunReport run = Runs.all().get(name);
        String text = MarkdownReport.of(run);
        run.conclusion().ifPresent(c -> assertThat(text).contains(Markdown.text(c.headline())));
        boolean code = false;
        int cells = 0;
        for (String line : text.lines().toList()) {
            if (line.startsWith("```")) {
                code = !code;
            } else if (!code) {
                assertThat(line).doesNotContain("<").matches("\\P{Cntrl}*");
                int bars = line.replace("\\|", "").length()
                        - line.replace("\\|", "").replace("|", "").length();
                if (line.startsWith("|")) {
                    assertThat(cells == 0 || cells == bars).as(line).isTrue();
                    cells = bars;
                } else {
                    cells = 0;
                }
            }
        }
        assertThat(code).isFalse();
    }

    @Test
    void aTuneHasItsDuelWhyAndWhatToPaste() {
        String text = MarkdownReport.of(Runs.tune());
        List<String> headings = new ArrayList<>();
        text.lines().filter(l -> l.startsWith("### ")).forEach(l -> headings.add(l.substring(4)));
        assertThat(headings)
                .startsWith("Winner against default", "The duel, pair by pair", "Why the default was slower")
                .endsWith("Settings tried, best first, as the search measured them", "Notes");
        assertThat(text).contains("| pair | default /s | winner /s | change |", "maxThreads=\"318\"");
    }
}
