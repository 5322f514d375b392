package dev.fettle.report.html;

import dev.fettle.report.document.Medium;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import java.util.regex.Pattern;

/** Draws a table on a page: what is for terminals only is left out. */
final class HtmlTable {
    /** From this length on, in characters, a cell is prose and gets a wide column. */
    private static final int PROSE = 60;

    /** An address below or next to the page's own. */
    private static final Pattern WITHIN = Pattern.compile("^(?:(?:\\.\\./)*(?:[a-z0-9][a-z0-9./]*)?|#[-a-z0-9]+)$");

    private HtmlTable() {}

    static void write(Html html, Table table, String caption) {
        int[] shown = table.drawn(Medium.PAGE);
        html.in(
                "table",
                t -> {
                    t.el("caption", caption);
                    t.in(
                            "thead",
                            head -> head.in("tr", tr -> {
                                for (int i : shown) {
                                    Table.Column c = table.columns().get(i);
                                    tr.open("th", "scope", "col", "class", c.figures() ? "n" : "")
                                            .text(c.heading())
                                            .close();
                                }
                            }));
                    t.in("tbody", body -> table.rows().forEach(r -> row(body, table, r, shown)));
                },
                table.sortable() ? new String[] {"data-sortable", ""} : new String[0]);
    }

    private static void row(Html body, Table table, Table.Row row, int[] shown) {
        body.open("tr", "class", rowStyle(row.tone()));
        for (int i : shown) {
            Value v = row.values().get(i);
            boolean figures = table.columns().get(i).figures();
            String css = (figures ? "n " : v.text().length() > PROSE ? "prose " : "") + style(v.tone());
            body.in("td", td -> content(td, v), "class", css.strip(), "data-sort", sort(v));
        }
        body.close();
    }

    /** Text, and a link to a place of the same page or site. */
    private static void content(Html td, Value v) {
        if (!v.link().isEmpty() && WITHIN.matcher(v.link()).matches()) {
            td.el("a", v.text(), "href", v.link());
        } else {
            td.text(v.text());
        }
    }

    private static String sort(Value v) {
        return Double.isFinite(v.figure()) ? Double.toString(v.figure()) : "";
    }

    private static String rowStyle(Tone tone) {
        return switch (tone) {
            case STRONG -> "won";
            case QUIET -> "void";
            case PLAIN, CODE, CAUTION, GOOD, BAD -> "";
        };
    }

    /** The class of words in a tone. */
    static String style(Tone tone) {
        return switch (tone) {
            case PLAIN, STRONG -> "";
            case QUIET -> "quiet";
            case CODE -> "mono";
            case GOOD -> "ok";
            case CAUTION -> "differs";
            case BAD -> "no";
        };
    }
}
