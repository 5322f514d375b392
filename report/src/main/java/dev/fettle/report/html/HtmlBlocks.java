package dev.fettle.report.html;

import dev.fettle.report.document.Block;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Watches;
import java.util.List;
import java.util.stream.Stream;

/** Draws the blocks of a document on a page. */
final class HtmlBlocks {
    private final List<Block> blocks;
    private final Watches watch;
    private final List<String> courses;

    /** Asks for the courses that the document shows, which are drawn later. */
    HtmlBlocks(List<Block> document, Watches watch) {
        this.blocks = Block.drawn(document, Medium.PAGE, true);
        this.watch = watch;
        this.courses = watch.isEmpty() ? List.of() : watch.mark(signals(blocks));
    }

    private static List<String> signals(List<Block> blocks) {
        return blocks.stream()
                .flatMap(b -> switch (b) {
                    case Block.Courses c -> c.signals().stream();
                    case Block.Section s -> signals(s.blocks()).stream();
                    default -> Stream.empty();
                })
                .toList();
    }

    /** The markup of each. */
    List<String> each() {
        return blocks.stream()
                .map(b -> {
                    var html = new Html();
                    draw(html, b);
                    return html.toString();
                })
                .toList();
    }

    private void draw(Html html, Block block) {
        switch (block) {
            case Block.Section s ->
                html.section(s.id(), s.title(), in -> s.blocks().forEach(b -> draw(in, b)));
            case Block.Heading h -> html.el("h3", h.text());
            case Block.Paragraph p when p.tone() == Tone.STRONG -> html.in("p", in -> in.el("strong", p.text()));
            case Block.Paragraph p -> html.el("p", p.text(), "class", HtmlTable.style(p.tone()));
            case Block.Points p -> {
                if (!p.title().isEmpty()) {
                    html.el("h3", p.title());
                }
                list(html, p.points());
            }
            case Block.Sides s ->
                html.in("p", p -> p.el("code", s.one()).text(" against ").el("code", s.other()));
            case Block.Facts f -> facts(html, f.facts());
            case Block.Figures f -> html.table(f.label(), f.table());
            case Block.Plot p -> html.plot(p.chart(), p.title(), p.label(), p.table());
            case Block.Flame f ->
                html.in("figure", "plot", in -> {
                    in.el("figcaption", f.title());
                    in.el("p", f.about(), "class", "quiet");
                    in.el("div", "", "class", "flame", "data-flame", Integer.toString(f.place()));
                    in.unfolded("The heaviest frames as a table", f.title(), f.table());
                });
            case Block.Choice c -> choose(html, c);
            case Block.Reason r -> html.in("article", a -> reason(a, r));
            case Block.Snippet s -> snippet(html, s);
            case Block.Abreast a -> html.in("div", a.css(), in -> a.blocks().forEach(b -> draw(in, b)));
            case Block.Folded f ->
                html.in("details", d -> {
                    d.el("summary", f.summary());
                    f.blocks().forEach(b -> draw(d, b));
                });
            case Block.Courses _ -> courses.forEach(c -> draw(html, watch.marked(c)));
            case Block.Part p -> p.blocks().forEach(b -> draw(html, b));
        }
    }

    /** A selector; without names, which the page's script has, a place for them. */
    private static void choose(Html html, Block.Choice c) {
        if (c.names().isEmpty()) {
            html.in("fieldset", f -> f.el("legend", c.label()), "class", "chips", "data-chips", c.what(), "hidden", "");
            return;
        }
        html.in(
                "p",
                "choose",
                p -> p.in(
                        "label",
                        l -> l.text(c.label())
                                .in(
                                        "select",
                                        select -> {
                                            for (int i = 0; i < c.names().size(); i++) {
                                                select.el("option", c.names().get(i), "value", Integer.toString(i));
                                            }
                                        },
                                        "data-choose",
                                        c.what())));
    }

    private static void list(Html html, List<String> points) {
        html.in("ul", ul -> points.forEach(p -> ul.el("li", p)));
    }

    private static void facts(Html html, List<Block.Fact> facts) {
        html.in("dl", "facts", dl -> {
            for (Block.Fact f : facts) {
                if (!f.value().isBlank()) {
                    dl.in("div", d -> d.el("dt", f.name()).el("dd", f.value(), "class", HtmlTable.style(f.tone())));
                }
            }
        });
    }

    private static void reason(Html html, Block.Reason r) {
        html.in("h3", h -> {
            h.text(r.title());
            if (!r.badge().isEmpty()) {
                h.text(" ").el("span", r.badge(), "class", "badge calm");
            }
        });
        if (!r.names().isEmpty()) {
            html.el("p", String.join(" · ", r.names()), "class", "quiet");
        }
        list(html, r.points());
        if (!r.facts().isEmpty()) {
            facts(html, r.facts());
        }
        if (!r.refutedBy().isBlank()) {
            html.in(
                    "p",
                    "quiet",
                    p -> p.el("strong", "It would be refuted by: ").text(r.refutedBy()));
        }
    }

    private static void snippet(Html html, Block.Snippet s) {
        if (s.title().isEmpty()) {
            html.in("pre", pre -> pre.verbatim(s.text()));
            return;
        }
        html.in("div", "snippet", d -> {
            d.in("div", "bar", bar -> {
                bar.el("h3", s.title());
                bar.el("button", "Copy", "type", "button", "data-copy", "", "hidden", "");
            });
            d.in("pre", pre -> pre.in("code", c -> c.verbatim(s.text())), "tabindex", "0");
        });
    }
}
