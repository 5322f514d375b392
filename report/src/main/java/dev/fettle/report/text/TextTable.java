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
final class TextTable {
    private static final int LEAST_WORDS = 8;
    private static final String GAP = "  ";

    private final List<Table.Column> columns;
    private final List<Row> rows;

    private record Row(List<String> cells, TerminalStyle style) {}

    /** Of a table: what is not for terminals is left out. */
    TextTable(Table table) {
        int[] shown = table.drawn(Medium.TERMINAL);
        columns = Arrays.stream(shown).mapToObj(table.columns()::get).toList();
        rows = table.rows().stream()
                .map(r -> new Row(
                        Arrays.stream(shown)
                                .mapToObj(i -> Wording.clean(r.values().get(i).text()))
                                .toList(),
                        TerminalStyle.of(r.tone())))
                .toList();
    }

    /** Whether it is dropped where there is no room. */
    private boolean extra(int column) {
        return columns.get(column).figures() && columns.get(column).where() == Where.IF_ROOM;
    }

    private boolean words(int column) {
        return !columns.get(column).figures();
    }

    /** The table, each line indented and ended by a line feed. */
    String render(int width, String indent, boolean colour) {
        var kept = new ArrayList<Integer>();
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            if (!extra(i) || rows.stream().anyMatch(r -> !isMissing(r.cells().get(column)))) {
                kept.add(i);
            }
        }
        int room = width - indent.length();
        while (total(kept) > room && kept.stream().anyMatch(this::extra)) {
            kept.remove(kept.stream().filter(this::extra).reduce((a, b) -> b).orElseThrow());
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
                                    columns.stream().map(Table.Column::heading).toList()),
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

    private static boolean isMissing(String cell) {
        return cell.isEmpty() || cell.equals(Format.NONE);
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
                boolean may = words(i) && widths[i] > LEAST_WORDS;
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
            sum += words(i) ? Math.min(natural(i), 2 * LEAST_WORDS) : natural(i);
        }
        return sum;
    }

    private int natural(int column) {
        int most = Wording.length(columns.get(column).heading());
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
            out.append(!words(i) ? pad + cell : cell + pad).append(GAP);
        }
        return out.toString().stripTrailing();
    }
}
