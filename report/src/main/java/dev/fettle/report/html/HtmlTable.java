package dev.fettle.report.html;

import dev.fettle.model.trial.Measurement;
import dev.fettle.report.Histograms;
import dev.fettle.report.NumberText;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** A table of an HTML report. */
final class HtmlTable {
    /**
     * A cell.
     *
     * @param sort sort key; empty: its text
     * @param css a CSS class; may be empty
     */
    record Cell(String text, String sort, String css) {
        static Cell words(String text) {
            return new Cell(text, "", text.length() > PROSE ? "prose" : "");
        }

        /** A figure, sorted by its value. */
        static Cell figure(String text, double value) {
            return new Cell(text, Double.isFinite(value) ? Double.toString(value) : "", "n");
        }

        /** A figure, sorted by its value. */
        static Cell figure(String text, long value) {
            return figure(text, (double) value);
        }

        Cell styled(String more) {
            return new Cell(text, sort, css.isEmpty() ? more : css + " " + more);
        }
    }

    /** Headings for throughput over time. */
    static final String[] LEAST_MEAN_MOST = {"least /s", "mean /s", "most /s"};

    /** From this length on, in characters, a cell is prose and gets a wide column. */
    private static final int PROSE = 60;

    private record Head(String title, boolean figure, boolean optional) {}

    private record Row(String css, List<Cell> cells) {}

    private final boolean sortable;
    private final List<Head> heads = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    HtmlTable(boolean sortable) {
        this.sortable = sortable;
    }

    /** Draws a table: what is for terminals only is left out. */
    static HtmlTable of(Table table) {
        var drawn = new HtmlTable(table.sortable());
        int[] shown = table.drawn(Table.Where.IN_TERMINALS);
        for (int i : shown) {
            Table.Column c = table.columns().get(i);
            drawn.heads.add(new Head(c.heading(), c.figures(), false));
        }
        for (Table.Row row : table.rows()) {
            drawn.row(
                    css(row.mark()),
                    Arrays.stream(shown)
                            .mapToObj(i ->
                                    cell(table.columns().get(i), row.values().get(i)))
                            .toList());
        }
        return drawn;
    }

    private static Cell cell(Table.Column column, Value value) {
        return column.figures() ? Cell.figure(value.text(), value.figure()) : Cell.words(value.text());
    }

    private static String css(Table.Mark mark) {
        return switch (mark) {
            case PLAIN, CAUTION, GOOD, BAD -> "";
            case BEST -> "won";
            case VOID -> "void";
        };
    }

    /** A table that keeps its order. */
    static HtmlTable plain() {
        return new HtmlTable(false);
    }

    /** A table that is sorted by clicking its headings. */
    static HtmlTable sortable() {
        return new HtmlTable(true);
    }

    /** A table of the percentiles familiar from ab and wrk. */
    static HtmlTable percentiles(String first) {
        return plain().words(first)
                .figures("50 %", "66 %", "75 %", "80 %", "90 %", "95 %", "98 %", "99 %", "99.9 %", "99.99 %", "max");
    }

    /** A row of such a table. */
    HtmlTable percentiles(String name, Histogram h) {
        var figures =
                Histograms.table(h).stream().map(p -> Cell.figure(NumberText.latency(p.millis() * 1e6), p.millis()));
        return row("", Stream.concat(Stream.of(Cell.words(name)), figures).toList());
    }

    /** Cells followed by a measurement's throughput over time, under {@link #LEAST_MEAN_MOST}. */
    static List<Cell> leastMeanMost(Measurement m, Cell... first) {
        var measured = m.windows().stream()
                .filter(Measurement.Window::measured)
                .mapToDouble(Measurement.Window::throughput)
                .summaryStatistics();
        boolean any = measured.getCount() > 0;
        var cells = new ArrayList<>(List.of(first));
        Stream.of(any ? measured.getMin() : Double.NaN, m.throughput(), any ? measured.getMax() : Double.NaN)
                .forEach(rate -> cells.add(Cell.figure(NumberText.number(rate), 0)));
        return cells;
    }

    HtmlTable words(String... titles) {
        List.of(titles).forEach(t -> heads.add(new Head(t, false, false)));
        return this;
    }

    /** Text columns that are left out if every cell is empty. */
    HtmlTable remarks(String... titles) {
        List.of(titles).forEach(t -> heads.add(new Head(t, false, true)));
        return this;
    }

    /** Figure columns that are left out if none is known. */
    HtmlTable knownFigures(String... titles) {
        List.of(titles).forEach(t -> heads.add(new Head(t, true, true)));
        return this;
    }

    HtmlTable figures(String... titles) {
        List.of(titles).forEach(t -> heads.add(new Head(t, true, false)));
        return this;
    }

    HtmlTable row(String css, List<Cell> cells) {
        rows.add(new Row(css, List.copyOf(cells)));
        return this;
    }

    HtmlTable row(String css, Cell... cells) {
        return row(css, List.of(cells));
    }

    void write(Html html, String caption) {
        var columns =
                IntStream.range(0, heads.size()).filter(this::needed).boxed().toList();
        html.in(
                "table",
                t -> {
                    t.el("caption", caption);
                    t.in("thead", head -> head.in("tr", tr -> columns.forEach(i -> th(tr, heads.get(i)))));
                    t.in(
                            "tbody",
                            body -> rows.forEach(r -> body.in(
                                    "tr",
                                    tr -> {
                                        for (int i : columns) {
                                            cell(
                                                    tr,
                                                    r.cells().get(i),
                                                    heads.get(i).figure());
                                        }
                                    },
                                    classes(r.css()))));
                },
                sortable ? new String[] {"data-sortable", ""} : new String[0]);
    }

    private boolean needed(int column) {
        return !heads.get(column).optional()
                || rows.stream()
                        .map(r -> r.cells().get(column).text())
                        .anyMatch(text -> !text.isEmpty() && !text.equals(NumberText.NONE));
    }

    private void th(Html tr, Head head) {
        var attributes = new ArrayList<>(List.of("scope", "col"));
        if (head.figure()) {
            attributes.addAll(List.of("class", "n"));
        }
        tr.el("th", head.title(), attributes.toArray(String[]::new));
    }

    private static void cell(Html tr, Cell cell, boolean figure) {
        var attributes = new ArrayList<String>();
        boolean marked = List.of(cell.css().split(" ")).contains("n");
        String css = (figure && !marked ? "n " + cell.css() : cell.css()).strip();
        attributes.addAll(List.of(classes(css)));
        if (!cell.sort().isEmpty()) {
            attributes.addAll(List.of("data-sort", cell.sort()));
        }
        tr.el("td", cell.text(), attributes.toArray(String[]::new));
    }

    private static String[] classes(String css) {
        return css.isEmpty() ? new String[0] : new String[] {"class", css};
    }
}
