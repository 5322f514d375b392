package dev.fettle.model.imports;

import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.imports.TableColumn.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Results in Markdown tables: a heading says what a column contains, and each row is a test. Of two columns for one figure the
 * one counts whose heading names it; where both do, and differ, neither does.
 */
final class ResultTable {
    /** What a row is of whose number of responses is not told, but a share of them. */
    private static final double SOME = 1_000_000;

    private ResultTable() {}

    /** A cell that is a figure. */
    private record Read(int at, TableColumn column, double value) {}

    /** One result per row of every table with a column that it knows. */
    static List<Published> read(String text) {
        var all = new ArrayList<Published>();
        // siege pauses between requests, which decides what its figures mean
        String tool = Pattern.compile("(?i)\\bsiege\\b").matcher(text).find() ? "siege" : "a table";
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (!lines.get(i).contains("|") || !isRule(lines.get(i + 1))) {
                continue;
            }
            int columns = cells(lines.get(i + 1)).size();
            var rows = new ArrayList<>(List.of(aligned(lines.get(i), columns)));
            for (i += 2; i < lines.size() && lines.get(i).contains("|"); i++) {
                rows.add(aligned(lines.get(i), columns));
            }
            read(tool, turned(plainNumbers(rows)), all);
        }
        return all;
    }

    private static void read(String tool, List<List<String>> rows, List<Published> all) {
        List<String> head = rows.getFirst();
        List<TableColumn> columns = head.stream().map(TableColumn::of).toList();
        for (List<String> cells : rows.subList(1, rows.size())) {
            row(tool, head, columns, cells).ifPresent(all::add);
            ResultSplit.checkNumber(all.size());
        }
    }

    /** The headings of the first table of which none is known; empty if there is no table. */
    static List<String> unknownHeadings(String text) {
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).contains("|") && isRule(lines.get(i + 1))) {
                return cells(lines.get(i)).stream().filter(c -> !c.isEmpty()).toList();
            }
        }
        return List.of();
    }

    /** A line's cells. Without pipes at its ends, its first cell may be empty: then the pipe in front is no border. */
    private static List<String> aligned(String line, int columns) {
        var cells = new ArrayList<>(cells(line));
        if (cells.size() < columns && line.startsWith("|")) {
            cells.addFirst("");
        }
        return cells;
    }

    private static boolean isKnown(String heading) {
        return TableColumn.of(heading).kind() != Kind.OTHER;
    }

    /** The table with a test in each row, where it has one in each column: then the names of the figures stand in the first one. */
    private static List<List<String>> turned(List<List<String>> rows) {
        List<String> head = rows.getFirst();
        long across = head.stream().filter(ResultTable::isKnown).count();
        long down = rows.stream().skip(1).filter(r -> isKnown(r.getFirst())).count();
        boolean words = rows.stream().skip(1).noneMatch(r -> r.getFirst().matches("[0-9].*"));
        if (across > 0 || down < 2 || !words) {
            return rows;
        }
        var out = new ArrayList<List<String>>();
        for (int c = 0; c < head.size(); c++) {
            int column = c;
            out.add(rows.stream()
                    .map(r -> column < r.size() ? r.get(column) : "")
                    .toList());
        }
        return out;
    }

    private static final Pattern DECIMAL_COMMA =
            Pattern.compile("(?:[0-9]{1,3}(?:\\.[0-9]{3})+|[0-9]+),[0-9]+(?![0-9.,]).*");
    private static final Pattern GROUPS = Pattern.compile("(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])");
    private static final Pattern DECIMAL_POINT = Pattern.compile("[0-9]+\\.[0-9]{1,2}(?![0-9]).*|[0-9,]+\\.[0-9]+.*");

    /** Figures with a point for the fraction and nothing between the thousands. */
    private static List<List<String>> plainNumbers(List<List<String>> rows) {
        List<String> cells = rows.stream().skip(1).flatMap(List::stream).toList();
        boolean comma = cells.stream()
                        .anyMatch(c -> DECIMAL_COMMA.matcher(c).matches()
                                && !GROUPS.matcher(c).lookingAt())
                && cells.stream()
                        .noneMatch(c ->
                                DECIMAL_POINT.matcher(c).matches() && !c.matches("[0-9]{1,3}(?:\\.[0-9]{3})+(?:,.*)?"));
        var out = new ArrayList<List<String>>();
        for (List<String> row : rows) {
            boolean heading = out.isEmpty();
            out.add(row.stream()
                    .map(c -> heading
                            ? c
                            : (comma
                                            ? c.replaceAll("(?<=[0-9])\\.(?=[0-9]{3}(?![0-9]))", "")
                                                    .replaceAll("(?<=[0-9]),(?=[0-9])", ".")
                                            : c)
                                    .replaceAll("(?<=[0-9])[ '_\\u2019\\u00A0\\u202F\\u2009](?=[0-9]{3}(?![0-9]))", ""))
                    .toList());
        }
        return out;
    }

    /** {@code |---|:-:|} */
    private static boolean isRule(String line) {
        return line.contains("-") && line.chars().allMatch(c -> c == '-' || c == '|' || c == ':' || c <= ' ');
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.replaceAll("^\\||\\|$", "").split("\\|", -1))
                .map(c -> c.replaceAll("[*`]", "").strip())
                .toList();
    }

    private static Optional<Published> row(
            String tool, List<String> head, List<TableColumn> columns, List<String> cells) {
        int width = Math.min(head.size(), cells.size());
        var reads = new LinkedHashMap<String, List<Read>>();
        var numbers = new ArrayList<String>();
        for (int i = 0; i < width; i++) {
            String cell = cells.get(i).replaceAll("(?<=[0-9]),(?=[0-9]{3})", "");
            numbers.add(cell);
            TableColumn column = columns.get(i);
            // whatever the heading says
            if (column.kind() == Kind.GOOD && TableColumn.isShare(cell)) {
                column = new TableColumn(Kind.GOOD_SHARE, 0, column.sure(), 0);
            }
            if (column.kind() == Kind.FAILED && TableColumn.isShare(cell)) {
                column = new TableColumn(Kind.FAILED_SHARE, 0, column.sure(), 0);
            }
            OptionalDouble value = column.value(cell);
            if (value.isPresent()) {
                reads.computeIfAbsent(column.kind() + " " + column.percent(), k -> new ArrayList<>())
                        .add(new Read(i, column, value.getAsDouble()));
            }
        }
        var counted = new ArrayList<Read>();
        var alike = new TreeSet<Integer>();
        var read = new TreeSet<Integer>();
        reads.values().forEach(of -> choose(of, counted, alike, read));
        var label = new ArrayList<String>();
        for (int i = 0; i < width; i++) {
            if (!numbers.get(i).isEmpty() && !read.contains(i)) {
                label.add((i == 0 && !alike.contains(0) ? "" : head.get(i) + " ")
                        + numbers.get(i)
                        + (alike.contains(i) ? " (left out: another column is named alike)" : ""));
            }
        }
        if (counted.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(figures(Published.of(tool, String.join(", ", label)), counted, numbers));
    }

    /** Which of the cells of one kind counts. */
    private static void choose(List<Read> of, List<Read> counted, Set<Integer> alike, Set<Integer> read) {
        int sure = of.stream().mapToInt(r -> r.column().sure()).max().orElse(0);
        List<Read> best = of.stream().filter(r -> r.column().sure() == sure).toList();
        if (best.stream().mapToDouble(Read::value).distinct().count() == 1) {
            counted.add(best.getFirst());
            best.forEach(r -> read.add(r.at()));
        } else {
            best.forEach(r -> alike.add(r.at()));
        }
    }

    private static Published figures(Published none, List<Read> counted, List<String> cells) {
        Published p = none;
        double failed = Double.NaN;
        for (Read r : counted) {
            p = switch (r.column().kind()) {
                case MEAN -> Amounts.mean(p, cells.get(r.at()), r.column().unit());
                case PERCENTILE -> p.with(r.column().percent(), r.value());
                case FAILED_SHARE, GOOD_SHARE, GOOD, OTHER -> p;
                default -> p.with(figure(r.column().kind()), r.value());
            };
            failed = r.column().kind() == Kind.FAILED_SHARE
                    ? r.value()
                    : r.column().kind() == Kind.GOOD_SHARE && Double.isNaN(failed) ? 1 - r.value() : failed;
        }
        OptionalDouble good = counted.stream()
                .filter(r -> r.column().kind() == Kind.GOOD)
                .mapToDouble(Read::value)
                .findFirst();
        if (good.isPresent() && p.has(Figure.RESPONSES)) {
            double bad = Math.max(0, p.get(Figure.RESPONSES).getAsDouble() - good.getAsDouble());
            p = p.with(Figure.FAILED, Math.max(bad, p.get(Figure.FAILED).orElse(0)));
        } else if (good.isPresent()) {
            p = p.with(Figure.RESPONSES, good.getAsDouble());
            double lost = p.get(Figure.FAILED).orElse(0);
            p = lost > 0 ? p.with(Figure.LOST, lost) : p;
        }
        if (p.has(Figure.RESPONSES)
                && p.has(Figure.SECONDS)
                && !p.has(Figure.THROUGHPUT)
                && p.get(Figure.SECONDS).getAsDouble() > 0) {
            p = p.withDerived(
                    Figure.THROUGHPUT,
                    p.get(Figure.RESPONSES).getAsDouble()
                            / p.get(Figure.SECONDS).getAsDouble());
        }
        if (p.has(Figure.WRONG) && !p.has(Figure.FAILED)) {
            p = p.with(Figure.FAILED, p.get(Figure.WRONG).getAsDouble());
        }
        if (Double.isNaN(failed)) {
            return p;
        }
        if (!p.has(Figure.RESPONSES)) {
            boolean known = p.has(Figure.THROUGHPUT) && p.has(Figure.SECONDS);
            p = p.withDerived(
                    Figure.RESPONSES,
                    known
                            ? p.get(Figure.THROUGHPUT).getAsDouble()
                                    * p.get(Figure.SECONDS).getAsDouble()
                            : SOME);
        }
        return p.with(Figure.FAILED, failed * p.get(Figure.RESPONSES).getAsDouble());
    }

    private static Figure figure(Kind kind) {
        return switch (kind) {
            case CLIENTS -> Figure.CLIENTS;
            case RATE -> Figure.THROUGHPUT;
            case RESPONSES -> Figure.RESPONSES;
            case WRONG -> Figure.WRONG;
            case FAILED -> Figure.FAILED;
            case MAX -> Figure.MAX;
            case MIN -> Figure.MIN;
            case THINK -> Figure.THINK;
            case SECONDS -> Figure.SECONDS;
            case BANDWIDTH -> Figure.BYTES_PER_SECOND;
            default -> throw new IllegalArgumentException(kind + " is no figure of its own");
        };
    }
}
