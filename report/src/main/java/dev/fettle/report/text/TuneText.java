package dev.fettle.report.text;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.TradeOffWords;
import dev.fettle.report.Wording;
import dev.fettle.report.document.TuneTables;
import dev.fettle.report.recommend.ConfigSnippets;
import java.util.List;

/** A tune's result for a terminal: the duel, the explanation, the setting to paste, and every setting tried. */
final class TuneText {
    /** Points of an explanation on the first screen: what the limit is, and what else could be. */
    private static final int FIRST_POINTS = 2;

    private final TextReport text;
    private final RunReport run;
    private final TuneConclusion found;
    private final Setting hold;
    private final ObjectiveColumn judged;
    private final TuneTables tables;

    TuneText(TextReport text, RunReport run, TuneConclusion found) {
        this.text = text;
        this.run = run;
        this.found = found;
        this.hold = run.plan().hold();
        this.judged = ObjectiveColumn.of(run);
        this.tables = new TuneTables(run, found);
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

    /** The first screen: the proof, why in a few sentences, and what to paste. */
    String answer() {
        var out = new StringBuilder(versus()).append(duel());
        found.baselineWhy()
                .ifPresent(w -> out.append(
                                text.section(improved() ? Wording.ofDefault(found, w) : "What limits the default"))
                        .append(text.why(
                                w.sentences().stream().limit(FIRST_POINTS).toList(), "")));
        return out.append(text.snippets(ConfigSnippets.of(run))).toString();
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
        return text.section(
                        "Settings tried, best first" + (found.pairs().isEmpty() ? "" : ", as the search measured them"))
                + text.table(tables.candidates());
    }

    private String tradeOff() {
        if (found.tradeOff().isEmpty()) {
            return "";
        }
        TradeOff t = found.tradeOff().get();
        return text.section(TradeOffWords.title(t))
                + text.table(tables.tradeOff(t, true))
                + text.note("  ", TradeOffWords.caution(t), TerminalStyle.DIM);
    }

    private String duel() {
        if (found.pairs().isEmpty()) {
            return "";
        }
        return text.section("The duel, pair by pair") + text.table(tables.duel());
    }

    private String why(String title, Explanation why) {
        return text.section(title) + text.why(why.sentences(), why.refutedBy());
    }
}
