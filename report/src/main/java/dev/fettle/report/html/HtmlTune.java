package dev.fettle.report.html;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.TradeOffWords;
import dev.fettle.report.Wording;
import dev.fettle.report.document.TuneTables;
import dev.fettle.report.recommend.ConfigSnippets;
import java.util.ArrayList;
import java.util.Locale;

/** The sections of a tune: the duel, the setting to paste, the explanation, and the search. */
final class HtmlTune {
    private final RunReport run;
    private final TuneConclusion found;
    private final JsonFields data;
    private final Setting hold;
    private final ObjectiveColumn judged;
    private final TuneTables tables;

    HtmlTune(RunReport run, TuneConclusion found, JsonFields data) {
        this.run = run;
        this.found = found;
        this.data = data;
        this.hold = run.plan().hold();
        this.judged = ObjectiveColumn.of(run);
        this.tables = new TuneTables(run, found);
    }

    void write(Html html) {
        duel(html);
        paste(html);
        why(html);
        tradeOff(html);
        search(html);
    }

    private boolean improved() {
        return found.shown();
    }

    private void duel(Html html) {
        if (found.ratio().isEmpty()) {
            return;
        }
        var ratio = found.ratio().get();
        String change = NumberText.change(ratio, judged.ratios(found));
        html.section("duel", improved() ? "Winner against default" : "Best candidate against default", s -> {
            s.in(
                    "p",
                    p -> p.el("code", Wording.setting(found.winner(), hold))
                            .text(" against ")
                            .el("code", Wording.setting(found.baseline(), hold))
                            .text(": ")
                            .el("strong", change)
                            .text(". " + Wording.plural(found.pairs().size(), "interleaved pair")
                                    + Wording.where(run.plan())
                                    + Wording.tooWide(ratio)
                                            .map(w -> " (" + w + ")")
                                            .orElse("") + ", none of it"
                                    + " used to choose the candidate. An improvement counts as shown when the whole interval lies beyond "
                                    + NumberText.change(found.threshold())
                                    + (judged.metric() == Objective.Metric.CAPACITY
                                            ? ", and, " + judged.lastHalf() + ", a gain is left"
                                            : ", and the " + judged.lastHalf() + " shows a gain")
                                    + found.proof()
                                            .filter(x -> x.lastHalf().bounded())
                                            .map(x -> " (" + NumberText.change(x.lastHalf()) + ")")
                                            .orElse("")
                                    + "."));
            s.plot(
                    "duel",
                    "Change against the default, pair by pair and together",
                    "Change against the default: " + change,
                    tables.duel());
        });
    }

    private void paste(Html html) {
        var snippets = ConfigSnippets.of(run);
        if (snippets.isEmpty()) {
            return;
        }
        html.section(
                "paste",
                "The setting, ready to paste",
                s -> snippets.forEach(snippet -> s.in("div", "snippet", d -> {
                    d.in("div", "bar", bar -> {
                        bar.el("h3", snippet.title());
                        bar.el("button", "Copy", "type", "button", "data-copy", "", "hidden", "");
                    });
                    d.in("pre", pre -> pre.in("code", c -> c.verbatim(snippet.text())), "tabindex", "0");
                })));
    }

    private void why(Html html) {
        if (found.baselineWhy().isEmpty() && found.winnerWhy().isEmpty()) {
            return;
        }
        html.section(
                "why",
                "Why",
                s -> s.in("div", "columns", d -> {
                    found.baselineWhy().ifPresent(w -> explanation(d, Wording.ofDefault(found, w), w));
                    found.winnerWhy()
                            .filter(w -> !found.winner().equals(found.baseline()))
                            .ifPresent(w ->
                                    explanation(d, improved() ? "What limits the winner" : "The best candidate", w));
                }));
    }

    private static void explanation(Html html, String title, Explanation w) {
        html.in("article", a -> {
            a.in("h3", h -> h.text(title + " ").el("span", limit(w), "class", "badge calm"));
            a.in("ul", ul -> w.sentences().forEach(x -> ul.el("li", x)));
            var facts = new ArrayList<String[]>();
            facts.add(new String[] {"throughput", NumberText.rate(w.throughput())});
            facts.add(new String[] {"holding time", seconds(w.holdingSeconds())});
            facts.add(new String[] {
                "busy threads",
                number(w.busyThreads()) + (w.threadsMax().isPresent() ? " of " + number(w.threadsMax()) : "")
            });
            facts.add(new String[] {"CPU per request", seconds(w.cpuSecondsPerRequest())});
            facts.add(new String[] {
                "CPU in use",
                w.cpuUtilisation().isPresent()
                        ? NumberText.share(w.cpuUtilisation().getAsDouble())
                        : ""
            });
            facts.add(new String[] {"threads' ceiling", rate(w.shownThreadCeiling())});
            facts.add(new String[] {"CPUs' ceiling", rate(w.cpuCeiling())});
            a.facts(facts);
            HtmlCauses.refuted(a, w.refutedBy());
        });
    }

    private static String limit(Explanation w) {
        String name = switch (w.limit()) {
            case UNKNOWN -> "";
            case BEHIND_THREADS -> "behind the threads";
            case THREADS, CPU, CLIENTS, RATE, ACCEPT_QUEUE ->
                w.limit().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
        boolean shown = w.support() == Explanation.Support.SHOWN;
        return name.isEmpty() ? "limit not identified" : (shown ? "limit: " : "consistent with the limit: ") + name;
    }

    private static String seconds(OptionalFigure v) {
        return v.isPresent() ? NumberText.latency(v.getAsDouble() * 1e9) : "";
    }

    private static String number(OptionalFigure v) {
        return v.isPresent() ? NumberText.number(v.getAsDouble()) : "";
    }

    private static String rate(OptionalFigure v) {
        return v.isPresent() ? NumberText.rate(v.getAsDouble()) : "";
    }

    private void tradeOff(Html html) {
        found.tradeOff()
                .ifPresent(t -> html.section("tradeoff", TradeOffWords.title(t), s -> {
                    s.el("p", TradeOffWords.caution(t));
                    s.plot(
                            "tradeoff",
                            "Every setting within the limits; the line joins those that no other beats in both",
                            TradeOffWords.title(t),
                            tables.tradeOff(t, false));
                }));
    }

    private void search(Html html) {
        if (found.candidates().isEmpty()) {
            return;
        }
        html.section("search", "Settings tried", s -> {
            if (!found.pairs().isEmpty()) {
                s.el(
                        "p",
                        "As the search measured them. Whether there is an improvement is judged by the duel alone, which was measured anew.");
            }
            KnobPlots.write(s, data, KnobCurves.of(run, found));
            s.table("Settings tried, best first", tables.candidates());
        });
    }
}
