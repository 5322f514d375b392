package dev.fettle.report.html;

import dev.fettle.insight.diagnose.Cause;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Causes;
import dev.fettle.report.RunReport;

/** What limited the cells of a sweep, the variants of a comparison, or a bench. */
final class HtmlCauses {
    private HtmlCauses() {}

    static void write(Html html, RunReport run) {
        var groups = Causes.groups(run);
        if (groups.isEmpty()) {
            return;
        }
        html.section(
                "why",
                "Why",
                s -> groups.forEach(g -> s.in("article", a -> {
                    a.el("h3", g.title());
                    a.el("p", String.join(" · ", g.names()), "class", "quiet");
                    sentences(a, g.shown());
                })));
    }

    static void write(Html html, BenchReport bench) {
        Causes.of(bench)
                .ifPresent(c -> html.section("why", "Why", s -> {
                    s.el("h3", c.title());
                    sentences(s, c);
                }));
    }

    private static void sentences(Html html, Cause cause) {
        html.in("ul", ul -> cause.sentences().forEach(x -> ul.el("li", x)));
        refuted(html, cause.refutedBy());
    }

    /** What would refute an explanation, if that is known. */
    static void refuted(Html html, String by) {
        if (!by.isBlank()) {
            html.in(
                    "p",
                    "quiet",
                    p -> p.el("strong", "It would be refuted by: ").text(by));
        }
    }
}
