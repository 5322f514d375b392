package dev.fettle.report.text;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A comparison for a terminal: for each condition the variants, then every pair. */
final class CompareText {
    private final TextReport text;
    private final CompareConclusion found;

    CompareText(TextReport text, RunReport run, CompareConclusion found) {
        this.text = text;
        this.found = found;
    }

    String render() {
        var out = new StringBuilder();
        for (Condition c : found.conditions()) {
            String at = Wording.at(c.point());
            found.spike()
                    .ifPresentOrElse(
                            s -> out.append(text.section("The spike: " + NumberText.rate(s.rate()) + " for "
                                            + NumberText.latency(s.seconds() * 1e9) + at))
                                    .append(text.table(spiked(c, s))),
                            () -> out.append(text.section((c.layers().isEmpty() ? "Variants" : "Layers") + at))
                                    .append(text.table(variants(c))));
            c.variants()
                    .forEach(v -> v.problems()
                            .forEach(p -> out.append(text.note("  ", v.name() + ": " + p, TerminalStyle.WARN))));
            c.variants()
                    .forEach(v -> v.failed()
                            .ifPresent(f -> out.append(text.note("  ", v.name() + " " + f, TerminalStyle.WARN))));
            c.variants().stream()
                    .filter(v -> !v.broken().isEmpty())
                    .forEach(v -> out.append(text.note(
                            "  ",
                            v.name() + " is not within the limits: " + String.join(", ", v.broken()),
                            TerminalStyle.WARN)));
            if (!c.layers().isEmpty()) {
                out.append(text.section("What each layer adds" + at)).append(text.table(layers(c)));
            } else if (!c.contrasts().isEmpty()) {
                out.append(text.section("Differences" + at)).append(text.table(contrasts(c)));
            }
            c.contrasts()
                    .forEach(x -> x.otherAnswers()
                            .or(x::withheld)
                            .ifPresent(o -> out.append(text.note("  ", o, TerminalStyle.WARN))));
        }
        return out.toString();
    }

    private static TextTable spiked(Condition c, CompareConclusion.Spike spike) {
        var table = new TextTable()
                .words("variant")
                .figures("good answers", "p99", "back to normal", "failed")
                .words("how")
                .extra("trials", "void");
        for (var v : c.variants()) {
            boolean any = v.trials() > 0 && v.spike().isPresent();
            table.row(
                    any ? TerminalStyle.PLAIN : TerminalStyle.WARN,
                    v.name(),
                    v.spike()
                            .filter(s -> any)
                            .map(s -> NumberText.rate(Wording.goodput(s)))
                            .orElse("void"),
                    v.spike()
                            .filter(s -> any)
                            .map(s -> NumberText.latency(s.p99()))
                            .orElse(""),
                    v.spike()
                            .filter(s -> any)
                            .map(s -> Wording.recovery(s, spike.watched()))
                            .orElse(""),
                    v.spike()
                            .filter(s -> any)
                            .map(s -> NumberText.share(s.errorShare()))
                            .orElse(""),
                    v.spike().map(s -> Wording.errors(s.errors())).orElse(""),
                    Integer.toString(v.trials()),
                    Integer.toString(v.voids()));
        }
        return table;
    }

    private TextTable variants(Condition c) {
        // CPU time has a column anyway
        Optional<ObjectiveColumn> own = Optional.of(new ObjectiveColumn(found.metric()))
                .filter(m -> m.own() && m.metric() != Metric.CPU_PER_REQUEST);
        var table = new TextTable()
                .words(c.layers().isEmpty() ? "variant" : "layer")
                .figures(own.flatMap(ObjectiveColumn::heading).stream().toArray(String[]::new))
                .figures("throughput", "p50", "p99")
                .extra("errors", "CPU/req", "trials", "void");
        for (var v : c.variants()) {
            boolean any = v.trials() > 0;
            var row = new ArrayList<String>(List.of(v.name()));
            own.ifPresent(m -> row.add(m.text(v.figure())));
            row.addAll(List.of(
                    any ? NumberText.rate(Wording.rate(v.throughput(), v.trials())) : "void",
                    any ? NumberText.latency(v.p50()) : "",
                    any ? NumberText.latency(v.p99()) : "",
                    any ? NumberText.share(v.errorShare()) : "",
                    NumberText.latency(v.cpuMicrosPerRequest() * 1e3),
                    Integer.toString(v.trials()),
                    Integer.toString(v.voids())));
            table.row(any ? TerminalStyle.PLAIN : TerminalStyle.WARN, row);
        }
        return table;
    }

    private static TextTable layers(Condition c) {
        var table = new TextTable()
                .words("layer")
                .figures("throughput", "CPU/req", "waiting/req")
                .words("")
                .extra("blocks");
        for (var l : c.layers()) {
            table.row(
                    l.shown() ? TerminalStyle.BOLD : TerminalStyle.PLAIN,
                    l.name(),
                    l.blocks() == 0 ? NumberText.NONE : NumberText.change(l.throughput()),
                    Wording.added(l.cpuMicros()),
                    Wording.added(l.waitingMicros()),
                    c.withheld(l).isPresent() ? "withheld" : Wording.shown(l.shown(), l.blocks()),
                    Integer.toString(l.blocks()));
        }
        return table;
    }

    private TextTable contrasts(Condition c) {
        var table = new TextTable()
                .words("pair")
                .figures(Wording.metric(found))
                .words("")
                .figures(found.spike().isPresent() ? new String[] {"takes longer"} : new String[0])
                .extra("pairs", "could show");
        for (var x : c.contrasts()) {
            var row = new ArrayList<String>(List.of(
                    x.a() + " over " + x.b(),
                    x.pairs() == 0 ? NumberText.NONE : NumberText.change(x.ratio(), x.each()),
                    Wording.shown(x.differenceShown(), x.pairs())));
            found.spike().ifPresent(s -> row.add(Wording.recovery(x, s.watched())));
            row.add(Integer.toString(x.pairs()));
            row.add(Wording.leastShown(x));
            table.row(x.differenceShown() ? TerminalStyle.BOLD : TerminalStyle.PLAIN, row);
        }
        return table;
    }
}
