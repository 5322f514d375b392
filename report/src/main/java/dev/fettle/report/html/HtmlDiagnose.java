package dev.fettle.report.html;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.report.SecondOpinionWords;
import dev.fettle.report.Wording;
import java.util.List;

/** A diagnosis on the page: what limits the server, what to do, and everything else that was examined. */
final class HtmlDiagnose {
    private final DiagnoseConclusion found;
    private final HtmlWatch watch;
    private final List<String> plots;

    /** Asks for the plots that show the first finding, which are drawn later. */
    HtmlDiagnose(DiagnoseConclusion found, HtmlWatch watch) {
        this.found = found;
        this.watch = watch;
        plots = watch.isEmpty()
                ? List.of()
                : found.bottleneck()
                        .map(f -> watch.mark(Diagnosis.signals(f.rule())))
                        .orElse(List.of());
    }

    void write(Html html) {
        found.bottleneck()
                .ifPresent(f -> html.section("finding", "What limits it, or is wrong", s -> {
                    finding(s, f);
                    plots.forEach(p -> watch.show(s, p));
                }));
        if (!found.others().isEmpty()) {
            html.section(
                    "others",
                    "Also found",
                    s -> found.others().forEach(f -> {
                        s.el("h3", f.title());
                        finding(s, f);
                    }));
        }
        if (!found.laws().isEmpty()) {
            html.section("laws", "The laws", s -> {
                list(s, found.laws());
                found.ramp().ifPresent(r -> KnobPlots.ramp(s, r));
            });
        }
        if (!found.secondOpinion().isEmpty()) {
            html.section("second-opinion", SecondOpinionWords.TITLE, s -> {
                s.el("p", SecondOpinionWords.WHOSE);
                list(
                        s,
                        found.secondOpinion().stream()
                                .map(SecondOpinionWords::of)
                                .toList());
            });
        }
        looked(html, "healthy", "Checked and in order", found.healthy());
        looked(html, "unseen", "Not observed", found.notObserved());
    }

    private static void finding(Html s, Finding f) {
        s.el("p", f.sentence());
        s.facts(List.of(
                new String[] {"Seen", String.join("; ", f.evidence())},
                new String[] {"What to do", f.remedy()},
                new String[] {"Knob", f.knob().orElse("")},
                new String[] {"Tested", f.test().map(Finding.Test::sentence).orElse("not tested")},
                new String[] {"What would refute it", f.test().isPresent() ? "" : f.refutedBy()},
                new String[] {"Rule", f.rule()}));
        if (!f.symptoms().isEmpty()) {
            s.el("p", "What follows from it:");
            list(s, f.symptoms());
        }
    }

    private static void list(Html s, List<String> all) {
        s.in("ul", u -> all.forEach(x -> u.el("li", x)));
    }

    private static void looked(Html html, String id, String title, List<Looked> all) {
        if (!all.isEmpty()) {
            html.section(
                    id,
                    title,
                    s -> s.in(
                            "details",
                            d -> d.el("summary", Wording.plural(all.size(), "thing"))
                                    .in("ul", u -> all.forEach(l -> u.el("li", l.what() + ": " + l.words())))));
        }
    }
}
