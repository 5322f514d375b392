package dev.fettle.report.text;

import dev.fettle.model.text.Format;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Where;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table for a terminal, no wider than needed and within a maximum width. If it does not fit, optional columns are dropped,
 * the last first; then text columns are truncated; then the others stand below the first ones.
 */
public final class TextTable {
    private static final int LEAST_WORDS = 8;
    private static final String GAP = "  ";

    private enum Role {
        WORDS,
        FIGURES,
        EXTRA
    }

    private record Column(String title, Role role) {
        boolean right() {
            return role != Role.WORDS;
        }
    }

    private record Row(List<String> cells, TerminalStyle style) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** Draws a table: what is not for terminals is left out. */
    static TextTable of(Table table) {
        var drawn = new TextTable();
        int[] shown = table.drawn(Medium.TERMINAL);
        for (int i : shown) {
            Table.Column c = table.columns().get(i);
            if (!c.figures()) {
                drawn.words(c.heading());
            } else if (c.where() == Where.IF_ROOM) {
                drawn.extra(c.heading());
            } else {
                drawn.figures(c.heading());
            }
        }
        for (Table.Row row : table.rows()) {
            drawn.row(
                    TerminalStyle.of(row.tone()),
                    Arrays.stream(shown)
                            .mapToObj(i -> row.values().get(i).text())
                            .toList());
        }
        return drawn;
    }

    /** A left-aligned column that may be truncated. */
    public TextTable words(String title) {
        columns.add(new Column(title, Role.WORDS));
        return this;
    }

    /** Right-aligned columns. */
    TextTable figures(String... titles) {
        Arrays.stream(titles).map(t -> new Column(t, Role.FIGURES)).forEach(columns::add);
        return this;
    }

    /** Adds right-aligned columns that are dropped if the terminal is narrow. */
    TextTable extra(String... titles) {
        Arrays.stream(titles).map(t -> new Column(t, Role.EXTRA)).forEach(columns::add);
        return this;
    }

    /** A row, with cells in column order. */
    TextTable row(TerminalStyle style, List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(new Row(cells.stream().map(Wording::clean).toList(), style));
        return this;
    }

    public TextTable row(TerminalStyle style, String... cells) {
        return row(style, List.of(cells));
    }

    /** The table, each line indented and ended by a line feed. */
    public String render(int width, String indent, boolean colour) {
        var kept = new ArrayList<Integer>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            boolean empty = columns.get(i).role() == Role.EXTRA
                    && rows.stream()
                            .allMatch(r -> r.cells().get(column).isEmpty()
                                    || r.cells().get(column).equals(Format.NONE));
            if (!empty) {
                kept.add(i);
            }
        }
        int room = width - indent.length();
        while (total(kept) > room && kept.stream().anyMatch(i -> columns.get(i).role() == Role.EXTRA)) {
            kept.remove(kept.stream()
                    .filter(i -> columns.get(i).role() == Role.EXTRA)
                    .reduce((a, b) -> b)
                    .orElseThrow());
        }
        var widths = new int[columns.size()];
        kept.forEach(i -> widths[i] = natural(i));
        shrink(kept, widths, room);
        var out = new StringBuilder();
        for (List<Integer> part : parts(kept, widths, room)) {
            out.append(indent)
                    .append(TerminalStyle.DIM.on(
                            line(
                                    part,
                                    widths,
                                    columns.stream().map(Column::title).toList()),
                            colour));
            out.append('\n');
            for (Row row : rows) {
                out.append(indent)
                        .append(row.style().on(line(part, widths, row.cells()), colour))
                        .append('\n');
            }
        }
        return out.toString();
    }

    /** The columns that fit side by side: if not all do, several groups of them, each with the first column. */
    private static List<List<Integer>> parts(List<Integer> kept, int[] widths, int room) {
        var parts = new ArrayList<List<Integer>>();
        var part = new ArrayList<Integer>();
        for (int i : kept) {
            part.add(i);
            if (part.size() > 2 && width(part, widths) > room) {
                part.removeLast();
                parts.add(part);
                part = new ArrayList<>(List.of(kept.getFirst(), i));
            }
        }
        parts.add(part);
        return parts;
    }

    private static int width(List<Integer> columns, int[] widths) {
        return columns.stream().mapToInt(i -> widths[i]).sum() + GAP.length() * (columns.size() - 1);
    }

    private void shrink(List<Integer> kept, int[] widths, int room) {
        int over = width(kept, widths) - room;
        while (over > 0) {
            int widest = -1;
            for (int i : kept) {
                boolean may = columns.get(i).role() == Role.WORDS && widths[i] > LEAST_WORDS;
                if (may && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return;
            }
            widths[widest]--;
            over--;
        }
    }

    private int total(List<Integer> kept) {
        int sum = GAP.length() * (kept.size() - 1);
        for (int i : kept) {
            sum += columns.get(i).role() == Role.WORDS ? Math.min(natural(i), 2 * LEAST_WORDS) : natural(i);
        }
        return sum;
    }

    private int natural(int column) {
        int most = Wording.length(columns.get(column).title());
        for (Row row : rows) {
            most = Math.max(most, Wording.length(row.cells().get(column)));
        }
        return most;
    }

    private String line(List<Integer> kept, int[] widths, List<String> cells) {
        var out = new StringBuilder();
        for (int i : kept) {
            String cell = Wording.cut(cells.get(i), widths[i]);
            String pad = " ".repeat(Math.max(0, widths[i] - Wording.length(cell)));
            out.append(columns.get(i).right() ? pad + cell : cell + pad).append(GAP);
        }
        return out.toString().stripTrailing();
    }
}
