package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.report.document.Block;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import dev.fettle.report.text.Runs;
import dev.fettle.report.text.TextReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An answer fits a screen of 40 lines, whatever its kind and size, and says where the rest is. */
class FirstScreenTest {
    private static final int LINES = 40;
    private static final String WHERE = "fettle show x-1 --details";

    private record Answer(String name, int width, String text) {
        @Override
        public String toString() {
            return name + " at " + width;
        }

        /** A line that is longer than the terminal takes several. */
        long lines() {
            return text.lines()
                    .mapToLong(l -> Math.max(1, Math.ceilDiv(l.length(), width)))
                    .sum();
        }
    }

    static Stream<Answer> answers() {
        return IntStream.of(80, 100, 200).boxed().flatMap(width -> {
            var text = new TextReport(width, false, TextReport.Detail.ANSWER);
            Map<String, String> all = new TreeMap<>();
            Runs.all().forEach((name, r) -> all.put(name, text.report(r)));
            Capacities.all()
                    .forEach((name, r) -> all.put("capacity " + name, text.document(CapacityDocument.of(r), WHERE)));
            all.put("large", text.document(large(), WHERE));
            return all.entrySet().stream().map(e -> new Answer(e.getKey(), width, e.getValue()));
        });
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerFitsAScreen(Answer answer) {
        assertThat(answer.lines()).as(answer.text()).isLessThanOrEqualTo(LINES);
    }

    /** Much of everything that an answer may have. */
    private static Document large() {
        var blocks = new ArrayList<Block>();
        for (int n = 0; n < 12; n++) {
            blocks.add(new Block.Section("", "", new Block.Figures("Variants at " + n, table(60, 40)), sentence(n)));
        }
        blocks.add(new Block.Section("why", "Why", Collections.nCopies(9, reason())));
        blocks.add(new Block.Section(
                "paste",
                "To paste",
                Collections.nCopies(5, new Block.Snippet("conf/server.xml", "maxThreads=\"300\"\n"))));
        var head = new Head(
                "tune x",
                List.of("tune x", "run x-1"),
                "",
                "",
                "It is better.",
                List.of(),
                List.of(),
                Collections.nCopies(20, "A note."));
        return new Document(head, blocks, Checks.NONE);
    }

    private static Block sentence(int n) {
        return new Block.Paragraph("Variant " + n + " is not within the limits. ".repeat(4));
    }

    private static Block reason() {
        return new Block.Reason(
                "The pool is full",
                "",
                List.of("a", "b"),
                List.of("All are busy. ".repeat(9), "Others wait. ".repeat(9), "So it is. ".repeat(9), "To do: more."),
                0,
                List.of(),
                "twice as many");
    }

    private static Table table(int rows, int best) {
        return Table.<Integer>of(IntStream.rangeClosed(1, rows).boxed().toList())
                .words("variant", n -> "v" + n)
                .figure("throughput /s", Value::count)
                .tone(n -> n == best ? Tone.STRONG : Tone.PLAIN)
                .build();
    }

    @Test
    void whatIsBestAndWhatToPasteStay() {
        String text = new TextReport(100, false, TextReport.Detail.ANSWER).document(large(), WHERE);
        assertThat(text).contains("It is better.", "  v40 ", "of 60 rows", "maxThreads", "To do: more.", WHERE);
        assertThat(text.lines().filter(l -> l.contains("maxThreads"))).hasSize(1);
    }

    @Test
    void withDetailsNothingIsLeftOut() {
        String text = new TextReport(100, false).document(large(), WHERE);
        assertThat(text.lines().filter(l -> l.matches(" +v\\d+ .*"))).hasSize(12 * 60);
        assertThat(text).doesNotContain(WHERE, "…");
    }

    @Test
    void aCommandIsInOnePiece() {
        for (int width = 40; width < 140; width++) {
            assertThat(new TextReport(width, false, TextReport.Detail.ANSWER).document(large(), WHERE))
                    .contains(WHERE);
        }
    }

    @Test
    void rowsAroundTheFirstOtherToneStay() {
        Table table = Table.<Integer>of(IntStream.range(0, 30).boxed().toList())
                .figure("n", Value::count)
                .tone(n -> n < 20 ? Tone.GOOD : Tone.BAD)
                .build();
        assertThat(table.around(4).rows())
                .extracting(r -> r.values().getFirst().text())
                .containsExactly("18", "19", "20", "21");
        assertThat(table.around(40)).isEqualTo(table);
        assertThat(table(30, 30).around(4).rows())
                .hasSize(4)
                .contains(table(30, 30).rows().getLast());
        assertThat(table(30, 0).around(4).rows()).isEqualTo(table(30, 0).rows().subList(0, 4));
    }
}
