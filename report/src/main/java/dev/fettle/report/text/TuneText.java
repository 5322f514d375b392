package dev.fettle.report.text;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.TradeOffWords;
import dev.fettle.report.Wording;
import dev.fettle.report.recommend.ConfigSnippets;
import java.util.ArrayList;
import java.util.List;

/** A tune's result for a terminal: the duel, the explanation, the setting to paste, and every setting tried. */
final class TuneText {
    private final TextReport text;
    private final RunReport run;
    private final TuneConclusion found;
    private final Setting hold;
    private final ObjectiveColumn judged;

    TuneText(TextReport text, RunReport run, TuneConclusion found) {
        this.text = text;
        this.run = run;
        this.found = found;
        this.hold = run.plan().hold();
        this.judged = ObjectiveColumn.of(run);
    }

    String render() {
        var out = new StringBuilder();
        out.append(versus()).append(candidates()).append(tradeOff()).append(duel());
        found.winnerWhy()
                .filter(w -> improved())
                .ifPresentOrElse(
                        w -> {
                            found.baselineWhy().ifPresent(b -> out.append(why(Wording.ofDefault(found, b), b)));
                            out.append(why("What limits the winner", w));
                        },
                        () -> found.baselineWhy().ifPresent(b -> out.append(why("What limits the default", b))));
        out.append(text.snippets(ConfigSnippets.of(run)));
        return out.toString();
    }

    private boolean improved() {
        return found.shown();
    }

    private String versus() {
        if (found.ratio().isEmpty()) {
            return "";
        }
        var ratio = found.ratio().get();
        var style = improved() ? TerminalStyle.GOOD : TerminalStyle.WARN;
        var out = new StringBuilder(text.section((improved() ? "Winner" : "Best candidate") + " against default"));
        out.append("  ")
                .append(text.styled(TerminalStyle.BOLD, Wording.clean(Wording.setting(found.winner(), hold))))
                .append("  against  ")
                .append(Wording.clean(Wording.setting(found.baseline(), hold)))
                .append('\n');
        String of = judged.metric().words();
        List<SecondFigure> beside = found.beside().stream()
                .filter(s -> s.metric() != Objective.Metric.P99)
                .toList();
        int width = beside.stream()
                        .mapToInt(s -> s.metric().words().length())
                        .reduce(Math.max("throughput".length(), of.length()), Math::max)
                + 2;
        out.append("  ")
                .append(of)
                .repeat(' ', width - of.length())
                .append(text.styled(style, NumberText.change(ratio, judged.ratios(found))))
                .append('\n');
        var p99 = new ObjectiveColumn(Objective.Metric.P99);
        // the p99 beside a capacity is that of clients who ask for all there is
        if (judged.metric() != Objective.Metric.P99 && judged.metric() != Objective.Metric.CAPACITY) {
            found.p99Ratio()
                    .ifPresent(r -> out.append("  p99")
                            .repeat(' ', width - 3)
                            .append(NumberText.change(r, p99.ratios(found)))
                            .append('\n'));
        }
        beside.forEach(s -> out.append("  ")
                .append(s.metric().words())
                .repeat(' ', width - s.metric().words().length())
                .append(NumberText.change(s.ratio()))
                .append('\n'));
        out.append(text.note("  ", Wording.basis(run, found, ratio), TerminalStyle.DIM));
        found.proof()
                .filter(p -> p.lastHalf().bounded())
                .ifPresent(p -> out.append(text.note(
                        "  ", judged.lastHalf() + ": " + NumberText.change(p.lastHalf()), TerminalStyle.DIM)));
        return out.toString();
    }

    private String candidates() {
        if (found.candidates().isEmpty()) {
            return "";
        }
        var table = new TextTable()
                .words("setting")
                .words("from")
                .figures(judged.heading().stream().toArray(String[]::new))
                .figures("throughput", "p99")
                .extra("errors", "trials", "void")
                .words("");
        for (Candidate c : found.candidates()) {
            boolean won = improved() && c.setting().equals(found.winner());
            String remark = Wording.problem(c)
                    .or(() -> c.otherAnswers())
                    .orElse(c.meetsLimits() ? won ? "◂ winner" : "" : "breaks a limit");
            var row = new ArrayList<String>(List.of(Wording.setting(c.setting(), hold), c.origin()));
            if (judged.own()) {
                row.add(judged.text(c.figure()));
            }
            row.addAll(List.of(
                    c.trials() == 0 ? judged.throughputAtBest(c) : NumberText.rate(c.throughput()),
                    c.trials() == 0 ? judged.p99AtBest(c) : NumberText.latency(c.p99()),
                    c.trials() == 0 ? NumberText.NONE : NumberText.share(c.errorShare()),
                    NumberText.count(c.trials()),
                    NumberText.count(c.voids()),
                    remark));
            table.row(
                    won ? TerminalStyle.BOLD : c.problem().isPresent() ? TerminalStyle.DIM : TerminalStyle.PLAIN, row);
        }
        return text.section(
                        "Settings tried, best first" + (found.pairs().isEmpty() ? "" : ", as the search measured them"))
                + text.table(table);
    }

    private String tradeOff() {
        if (found.tradeOff().isEmpty()) {
            return "";
        }
        TradeOff t = found.tradeOff().get();
        var one = new ObjectiveColumn(t.metric());
        var other = new ObjectiveColumn(t.against());
        var table = new TextTable()
                .words("setting")
                .figures(t.metric().words(), t.against().words())
                .extra("trials")
                .words("");
        for (TradeOff.Point p : t.front()) {
            table.row(
                    TerminalStyle.PLAIN,
                    List.of(
                            Wording.setting(p.setting(), hold),
                            one.whole(p.figure()),
                            other.whole(p.against()),
                            NumberText.count(p.trials()),
                            improved() && p.setting().equals(found.winner()) ? "◂ winner" : ""));
        }
        return text.section(TradeOffWords.title(t))
                + text.table(table)
                + text.note("  ", TradeOffWords.caution(t), TerminalStyle.DIM);
    }

    private String duel() {
        if (found.pairs().isEmpty()) {
            return "";
        }
        String challenger = improved() ? "winner" : "candidate";
        var table = new TextTable()
                .figures("pair", "default", challenger, "change")
                .figures(judged.own() ? new String[] {"default /s", challenger + " /s"} : new String[0])
                .figures("default p99", challenger + " p99");
        for (var p : found.pairs()) {
            boolean own = judged.own();
            var row = new ArrayList<String>(List.of(
                    Integer.toString(p.block() + 1),
                    own ? judged.whole(p.baselineFigure()) : NumberText.rate(p.baseline()),
                    own ? judged.whole(p.winnerFigure()) : NumberText.rate(p.winner()),
                    NumberText.change(judged.ratio(p))));
            if (own) {
                row.addAll(List.of(NumberText.number(p.baseline()), NumberText.number(p.winner())));
            }
            row.addAll(List.of(NumberText.latency(p.baselineP99()), NumberText.latency(p.winnerP99())));
            table.row(TerminalStyle.PLAIN, row);
        }
        return text.section("The duel, pair by pair") + text.table(table);
    }

    private String why(String title, Explanation why) {
        return text.section(title) + text.why(why.sentences(), why.refutedBy());
    }
}
