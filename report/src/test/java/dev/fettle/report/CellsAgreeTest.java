package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Text, page, Markdown and JSON of one result show the same figures. What each medium printed is parsed again, cell by cell, and
 * compared with what the others printed of the same table.
 */
class CellsAgreeTest {
    /** Columns whose figures are not in the JSON, which has what they are made of, or which count rows. */
    private static final Set<String> DERIVED = Set.of(
            "least /s", // of the windows
            "most /s",
            "up to", // a distribution's buckets, on a logarithmic scale
            "share",
            "runs", // of a metric: its points
            "seen after",
            "#",
            "p50 of percentiles"); // of a knob: the mean of its trials

    /** Over all points of a watch, of which the JSON has the last. */
    private static final Set<String> OF_SERIES =
            Set.of("watch: least", "watch: mean", "watch: most", "observed: least", "observed: mean", "observed: most");

    private static final Pattern TABLE = Pattern.compile("(?s)<table.*?</table>");
    private static final Pattern ROW = Pattern.compile("(?s)<tr.*?</tr>");
    private static final Pattern CELL = Pattern.compile("(?s)<t[dh][^>]*>(.*?)</t[dh]>");

    /** @param plotted the id of its plot; may be empty */
    private record Drawn(String plotted, Table table) {}

    private static List<Drawn> tables(Result r, Medium medium) {
        var all = new ArrayList<Drawn>();
        collect(Block.drawn(r.document().blocks(), medium, true), all);
        return all;
    }

    private static void collect(List<Block> blocks, List<Drawn> to) {
        for (Block b : blocks) {
            switch (b) {
                case Block.Figures f -> to.add(new Drawn("", f.table()));
                case Block.Plot p -> to.add(new Drawn(p.chart(), p.table()));
                case Block.Section s -> collect(s.blocks(), to);
                case Block.Folded f -> collect(f.blocks(), to);
                case Block.Abreast a -> collect(a.blocks(), to);
                default -> {}
            }
        }
    }

    static Stream<Result> results() {
        return Result.all();
    }

    /** Every table as it was drawn: the texts of its rows, its heading first. Cells that are empty can't be seen in a terminal. */
    private static List<String> lines(Table table, Medium medium) {
        int[] shown = table.drawn(medium);
        var rows = new ArrayList<String>();
        rows.add(row(shown, i -> table.columns().get(i).heading()));
        table.rows().forEach(r -> rows.add(row(shown, i -> r.values().get(i).text())));
        return rows;
    }

    private static String row(int[] shown, IntFunction<String> cell) {
        return squeezed(
                IntStream.of(shown).mapToObj(i -> Wording.clean(cell.apply(i))).collect(Collectors.joining(" ")));
    }

    private static String squeezed(String text) {
        return text.replace('\u00a0', ' ').replaceAll(" {2,}", " ").strip();
    }

    private static List<String> inTerminal(String text) {
        return text.lines().map(CellsAgreeTest::squeezed).toList();
    }

    private static List<String> inMarkdown(String text) {
        return text.lines()
                .filter(l -> l.startsWith("|"))
                .map(l -> squeezed(l.replaceAll("(?<!\\\\)\\|", " ")
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                        .replaceAll("\\\\([|*_])", "$1")
                        .replace("`", "")
                        .replace("&lt;", "<")))
                .filter(l -> !l.matches("[-: ]+"))
                .toList();
    }

    private static List<String> onPage(String page) {
        String markup = page.replaceAll("(?s)<(script|style).*?</\\1>", "");
        return TABLE.matcher(markup)
                .results()
                .flatMap(t -> ROW.matcher(t.group()).results())
                .map(r -> CELL.matcher(r.group())
                        .results()
                        .map(c -> c.group(1)
                                .replace("&lt;", "<")
                                .replace("&gt;", ">")
                                .replace("&quot;", "\"")
                                .replace("&#39;", "'")
                                .replace("&amp;", "&"))
                        .collect(Collectors.joining(" ")))
                .map(l -> squeezed(Wording.clean(l.replace('\uFFFD', ' '))))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("results")
    void everyCellOfEveryTableIsWhatEachMediumPrints(Result r) {
        has(inTerminal(r.text()), r, Medium.TERMINAL);
        has(inMarkdown(r.markdown()), r, Medium.MARKUP);
        if (!r.page().isEmpty()) {
            has(onPage(r.page()), r, Medium.PAGE);
        }
    }

    /** One after the other, each row under its heading. */
    private static void has(List<String> printed, Result r, Medium medium) {
        int at = 0;
        for (Table table : tables(r, medium).stream().map(Drawn::table).toList()) {
            List<String> lines = lines(table, medium);
            if (table.rows().isEmpty() || lines.getFirst().isEmpty()) {
                continue;
            }
            int head = at + printed.subList(at, printed.size()).indexOf(lines.getFirst());
            assertThat(head).as("%s of %s", lines.getFirst(), medium).isGreaterThanOrEqualTo(at);
            assertThat(printed.subList(head, Math.min(printed.size(), head + lines.size())))
                    .as(medium.name())
                    .isEqualTo(lines);
            at = head + lines.size();
        }
    }

    /** A table that two media draw has the same figures in both: by heading, the cells of its columns. */
    @ParameterizedTest
    @MethodSource("results")
    void mediaThatHaveAFigureHaveTheSame(Result r) {
        Map<String, Map<Medium, Set<String>>> columns = new LinkedHashMap<>();
        for (Medium medium : Medium.values()) {
            for (Drawn d : tables(r, medium)) {
                Table t = d.table();
                for (int i : t.drawn(medium)) {
                    if (t.columns().get(i).figures()) {
                        columns.computeIfAbsent(key(t, i), _ -> new LinkedHashMap<>())
                                .computeIfAbsent(medium, _ -> new TreeSet<>())
                                .addAll(t.rows().stream()
                                        .map(row -> row.values().get(i).text())
                                        .toList());
                    }
                }
            }
        }
        assertThat(columns)
                .allSatisfy((column, cells) ->
                        assertThat(Set.copyOf(cells.values())).as(column).hasSize(1));
    }

    /** A column, and of what: the names in the first one. */
    private static String key(Table t, int column) {
        return t.columns().get(column).heading() + " of "
                + new TreeSet<>(
                        t.rows().stream().map(r -> r.values().getFirst().text()).toList());
    }

    /** A figure of a table is a number of the JSON, in its base unit or a multiple of it, digit by digit. */
    @ParameterizedTest
    @MethodSource("results")
    void everyFigureIsInTheJson(Result r) throws Exception {
        var numbers = new TreeSet<Double>();
        collect(new ObjectMapper().readTree(r.json()), numbers);
        var missing = new TreeSet<String>();
        for (Medium medium : Medium.values()) {
            for (Drawn d : tables(r, medium)) {
                Table t = d.table();
                for (int i : t.drawn(medium)) {
                    String heading = t.columns().get(i).heading();
                    if (OF_SERIES.contains(r.name() + ": " + heading)
                            || DERIVED.contains(heading)
                            || DERIVED.contains(heading + " of " + d.plotted())) {
                        continue;
                    }
                    t.rows().stream()
                            .map(row -> row.values().get(i))
                            .filter(v -> Double.isFinite(v.figure()))
                            .filter(v -> !has(numbers, v))
                            .forEach(v -> missing.add(heading + ": " + v.text() + " (" + v.figure() + ")"));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static void collect(JsonNode node, Set<Double> to) {
        if (node.isNumber()) {
            to.add(node.asDouble());
        }
        node.forEach(n -> collect(n, to));
    }

    private static boolean has(TreeSet<Double> numbers, Value v) {
        return Stream.of(1.0, 1e-3, 1e-6, 1e-9).anyMatch(unit -> {
            double n = v.figure() * unit;
            double near = Math.max(1e-12, Math.abs(n) * 1e-9);
            return !numbers.subSet(n - near, true, n + near, true).isEmpty();
        });
    }
}
