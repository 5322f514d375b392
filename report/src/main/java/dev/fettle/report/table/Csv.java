package dev.fettle.report.table;

import dev.fettle.report.document.Table;
import dev.fettle.report.document.Value;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table as CSV (RFC 4180): the columns that have a name in JSON, under that name in CSV's spelling ({@code p99_ms} for
 * {@code p99Millis}). Lines end with CR LF, decimals use a point, unknown values are empty.
 */
public final class Csv {
    private static final int DECIMALS = 6;

    private Csv() {}

    /** The heading, and a line for each row. */
    public static String of(Table table) {
        return IntStream.of(table.named())
                        .mapToObj(i -> field(name(table.columns().get(i).json())))
                        .collect(Collectors.joining(",", "", "\r\n"))
                + rows(table);
    }

    /** A line for each row. */
    static String rows(Table table) {
        return table.rows().stream()
                .map(r -> IntStream.of(table.named())
                        .mapToObj(i -> cell(table.columns().get(i), r.values().get(i)))
                        .collect(Collectors.joining(",", "", "\r\n")))
                .collect(Collectors.joining());
    }

    /** A name with dots is that of a knob or a dimension. */
    private static String name(String json) {
        return json.contains(".")
                ? json
                : json.replace("Millis", "Ms").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static String cell(Table.Column column, Value value) {
        double figure = column.scaled(value.figure());
        return Double.isFinite(figure)
                ? BigDecimal.valueOf(figure)
                        .setScale(DECIMALS, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                : value.isMissing() ? "" : field(value.text());
    }

    /** Quotes if needed; text that a spreadsheet would run as a formula gets a leading apostrophe. */
    private static String field(String value) {
        boolean number = value.matches("-?[0-9]+(\\.[0-9]+)?");
        String safe = !number && !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean quote = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quote ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }
}
