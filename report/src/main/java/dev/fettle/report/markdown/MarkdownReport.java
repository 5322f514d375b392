package dev.fettle.report.markdown;

import dev.fettle.report.Markdown;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A result as Markdown: the answer, its tables, why, and what to paste. It has the figures of the terminal and the page. */
public final class MarkdownReport {
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport() {}

    /** The whole run. */
    public static String of(RunReport run) {
        return of(RunDocument.of(run));
    }

    /** A result of any kind. */
    public static String of(Document document) {
        var report = new MarkdownReport();
        report.write(document);
        return report.out.toString();
    }

    private void write(Document document) {
        Head head = document.head();
        out.append("## ").append(text(head.brief().getFirst())).append("\n\n");
        strong(head.headline());
        head.brief().stream().skip(1).forEach(this::paragraph);
        Block.drawn(document.blocks(), Medium.MARKUP, true).forEach(this::draw);
        points("Notes", head.notes());
    }

    private void draw(Block block) {
        switch (block) {
            case Block.Section s -> {
                if (!s.blocks().getFirst().isTitled()) {
                    heading(s.title());
                }
                s.blocks().forEach(this::draw);
            }
            case Block.Heading h -> subheading(h.text());
            case Block.Paragraph p when p.tone() == Tone.STRONG -> strong(p.text());
            case Block.Paragraph p -> paragraph(p.text());
            case Block.Points p -> points(p.title(), p.points());
            case Block.Sides s ->
                out.append(Markdown.code(s.one()))
                        .append(" against ")
                        .append(Markdown.code(s.other()))
                        .append("\n\n");
            case Block.Facts f ->
                points(
                        "",
                        f.facts().stream()
                                .map(x -> x.name().strip() + ": " + x.value())
                                .toList());
            case Block.Figures f -> table(f.title(), f.table());
            case Block.Plot p -> table(p.heading(), p.table());
            case Block.Reason r -> {
                if (r.names().isEmpty()) {
                    heading(r.title());
                } else {
                    subheading(r.title());
                    paragraph(String.join(" · ", r.names()));
                }
                points("", r.points());
                if (!r.refutedBy().isBlank()) {
                    paragraph("It would be refuted by: " + r.refutedBy());
                }
            }
            case Block.Flame f -> {
                heading(f.title());
                paragraph(f.about());
                table("", f.table());
            }
            case Block.Snippet s -> {
                if (!s.title().isEmpty()) {
                    heading(s.title());
                }
                out.append(fenced(s.text()));
            }
            case Block.Part p -> p.blocks().forEach(this::draw);
            case Block.Abreast a -> a.blocks().forEach(this::draw);
            case Block.Folded f -> f.blocks().forEach(this::draw);
            case Block.Choice _, Block.Courses _ -> {} // a page's
        }
    }

    private void subheading(String title) {
        out.append("#### ").append(text(title)).append("\n\n");
    }

    private void strong(String sentence) {
        out.append("**").append(text(sentence)).append("**\n\n");
    }

    private void heading(String title) {
        out.append("### ").append(text(title)).append("\n\n");
    }

    private void paragraph(String sentence) {
        out.append(text(sentence)).append("\n\n");
    }

    private void points(String title, List<String> points) {
        if (!points.isEmpty()) {
            if (!title.isEmpty()) {
                heading(title);
            }
            points.forEach(p -> out.append("- ").append(text(p)).append('\n'));
            out.append('\n');
        }
    }

    private void table(String title, Table table) {
        if (table.rows().isEmpty()) {
            return;
        }
        if (!title.isEmpty()) {
            heading(title);
        }
        int[] shown = table.drawn(Medium.MARKUP);
        out.append(row(shown, i -> text(table.columns().get(i).heading())));
        out.append(IntStream.of(shown)
                .mapToObj(i -> table.columns().get(i).figures() ? "--:" : "---")
                .collect(Collectors.joining("|", "|", "|\n")));
        for (Table.Row r : table.rows()) {
            out.append(row(shown, i -> cell(r.values().get(i))));
        }
        out.append('\n');
    }

    private static String row(int[] shown, IntFunction<String> cell) {
        return Markdown.row(IntStream.of(shown).mapToObj(cell).toArray(String[]::new));
    }

    private static String cell(Value v) {
        if (v.tone() == Tone.CODE) {
            return Markdown.code(Wording.clean(v.text()));
        }
        return v.link().isEmpty() ? text(v.text()) : "[" + text(v.text()) + "](" + v.link() + ")";
    }

    /** A fence longer than any in the text. */
    private static String fenced(String code) {
        String fence = "```";
        while (code.contains(fence)) {
            fence += "`";
        }
        return fence + "\n" + code.stripTrailing() + "\n" + fence + "\n\n";
    }

    private static String text(String words) {
        return Markdown.text(Wording.clean(words));
    }
}
