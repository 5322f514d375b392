package dev.fettle.report.document;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.TradeOffWords;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Fact;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Head.Big;
import dev.fettle.report.recommend.ConfigSnippets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** A tune: the proof, why, what to paste, and the search. */
final class TuneDocument {
    private static final ObjectiveColumn P99 = new ObjectiveColumn(Metric.P99);
    /** Points of an explanation in an answer: what the limit is, and what else could be. */
    private static final int FIRST_POINTS = 2;

    private final RunReport run;
    private final TuneConclusion found;
    private final Setting hold;
    private final ObjectiveColumn judged;
    private final TuneTables tables;

    TuneDocument(RunReport run, TuneConclusion found) {
        this.run = run;
        this.found = found;
        this.hold = run.plan().hold();
        this.judged = ObjectiveColumn.of(run);
        this.tables = new TuneTables(run, found);
    }

    Head.Answer answer() {
        return switch (found.result()) {
            case IMPROVED -> new Head.Answer("Improvement shown", "good", bigs());
            case TRADE -> new Head.Answer("The same, and better in another metric", "good", bigs());
            case NO_IMPROVEMENT_SHOWN -> new Head.Answer("No improvement shown", "calm", bigs());
            case NOT_TRIED ->
                new Head.Answer(found.winner().equals(found.baseline()) ? "Not tried" : "Not proved", "bad", bigs());
            case NO_BASELINE -> new Head.Answer("No valid baseline", "bad", bigs());
        };
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        boolean byLatency = judged.metric() == Metric.P99;
        found.ratio()
                .ifPresent(r -> list.add(new Big(
                        byLatency ? "p99 latency" : judged.capital(),
                        NumberText.change(r.estimate()),
                        NumberText.known(r, judged.ratios(found)),
                        found.shown() ? "good" : "")));
        found.sides().ifPresent(sides -> {
            judged.heading()
                    .ifPresent(h -> list.add(new Big(
                            h,
                            judged.text(OptionalFigure.of(sides.baselineFigure())) + " → "
                                    + judged.text(OptionalFigure.of(sides.winnerFigure())),
                            "geometric mean over the pairs")));
            list.add(new Big(
                    "Requests per second",
                    Format.number(sides.baseline()) + " → " + Format.number(sides.winner()),
                    "default → " + (found.shown() ? "winner" : "best candidate")));
            list.add(new Big(
                    "p99 latency",
                    NumberText.latencies(sides.baselineP99(), sides.winnerP99()),
                    byLatency
                            ? "geometric mean over the pairs"
                            : found.p99Ratio()
                                    .map(r -> NumberText.change(r, P99.ratios(found)))
                                    .orElse("")));
        });
        if (found.pairs().isEmpty()) {
            list.add(new Big("Trials", Format.whole(run.outcomes().size()), Wording.voids(run)));
        }
        list.add(new Big(
                "Settings tried",
                Format.whole(found.candidates().size()),
                found.pairs().isEmpty()
                        ? "no duel"
                        : Wording.plural(run.outcomes().size(), "trial") + ", " + Wording.voids(run)));
        return list;
    }

    List<Block> blocks() {
        var all = new ArrayList<Block>();
        found.ratio().ifPresent(r -> all.add(duel(r)));
        all.add(new Block.Section("why", "Why", new Block.Abreast("columns", why())));
        all.add(new Block.Section(
                "paste",
                "The setting, ready to paste",
                ConfigSnippets.of(run).stream()
                        .map(s -> new Block.Snippet(s.title(), s.text()))
                        .toArray(Block[]::new)));
        found.tradeOff()
                .ifPresent(t -> all.add(Block.details(new Block.Section(
                        "tradeoff",
                        TradeOffWords.title(t),
                        Block.on(Where.NOT_ON_PAGE, new Block.Figures("", tables.tradeOff(t, true))),
                        new Paragraph(TradeOffWords.caution(t), Tone.QUIET),
                        Block.on(
                                Where.ON_PAGE,
                                new Block.Plot(
                                        "tradeoff",
                                        "Every setting within the limits; the line joins those that no other beats in both",
                                        TradeOffWords.title(t),
                                        "",
                                        tables.tradeOff(t, false)))))));
        if (!found.candidates().isEmpty()) {
            all.add(Block.details(search()));
        }
        return all;
    }

    private Block duel(Interval ratio) {
        String change = NumberText.change(ratio, judged.ratios(found));
        return new Block.Section(
                "duel",
                found.shown() ? "Winner against default" : "Best candidate against default",
                new Block.Sides(Wording.setting(found.winner(), hold), Wording.setting(found.baseline(), hold)),
                Block.on(Where.NOT_ON_PAGE, new Block.Facts(changes(change))),
                new Paragraph(Wording.basis(run, found, ratio), Tone.QUIET),
                Block.on(
                        Where.EVERYWHERE,
                        found.proof().filter(p -> p.lastHalf().bounded()).stream()
                                .map(p -> new Paragraph(
                                        judged.lastHalf() + ": " + NumberText.change(p.lastHalf()), Tone.QUIET))
                                .toArray(Block[]::new)),
                Block.on(
                        Where.ON_PAGE,
                        new Paragraph(
                                "None of it was used to choose the candidate. An improvement counts as shown when the whole"
                                        + " interval lies beyond " + NumberText.change(found.threshold())
                                        + (judged.metric() == Metric.CAPACITY
                                                ? ", and, " + judged.lastHalf() + ", a gain is left."
                                                : ", and the " + judged.lastHalf() + " shows a gain."))),
                new Block.Plot(
                        "duel",
                        "Change against the default, pair by pair and together",
                        "Change against the default: " + change,
                        "The duel, pair by pair",
                        tables.duel()));
    }

    /** What changed, by metric: the objective's first. */
    private List<Fact> changes(String change) {
        var all = new ArrayList<Fact>();
        all.add(new Fact(judged.metric().words(), change, found.shown() ? Tone.GOOD : Tone.CAUTION));
        // the p99 next to a capacity is that of clients who ask for all there is
        found.p99Ratio()
                .filter(r -> judged.metric() != Metric.P99 && judged.metric() != Metric.CAPACITY)
                .ifPresent(r -> all.add(new Fact("p99", NumberText.change(r, P99.ratios(found)))));
        found.beside().stream()
                .filter(s -> s.metric() != Metric.P99)
                .forEach(s -> all.add(new Fact(s.metric().words(), NumberText.change(s.ratio()))));
        return all;
    }

    private List<Block> why() {
        var all = new ArrayList<Block>();
        found.baselineWhy().ifPresent(w -> all.add(reason(Wording.ofDefault(found, w), w)));
        found.winnerWhy()
                .filter(w -> !found.winner().equals(found.baseline()))
                .ifPresent(w -> all.add(Block.details(
                        reason(found.shown() ? "What limits the winner" : "What limits the best candidate", w))));
        return all;
    }

    private static Block reason(String title, Explanation w) {
        return new Block.Reason(
                title,
                limit(w),
                List.of(),
                w.sentences(),
                FIRST_POINTS,
                List.of(
                        new Fact("throughput", Format.rate(w.throughput())),
                        new Fact("holding time", text(w.holdingSeconds(), v -> Format.time(v * 1e9))),
                        new Fact(
                                "busy threads",
                                text(w.busyThreads(), Format::number)
                                        + text(w.threadsMax(), n -> " of " + Format.number(n))),
                        new Fact("CPU per request", text(w.cpuSecondsPerRequest(), v -> Format.time(v * 1e9))),
                        new Fact("CPU in use", text(w.cpuUtilisation(), Format::share)),
                        new Fact("threads' ceiling", text(w.shownThreadCeiling(), Format::rate)),
                        new Fact("CPUs' ceiling", text(w.cpuCeiling(), Format::rate))),
                w.refutedBy());
    }

    private static String text(OptionalFigure figure, DoubleFunction<String> text) {
        return figure.isPresent() ? text.apply(figure.getAsDouble()) : "";
    }

    private static String limit(Explanation w) {
        Optional<String> name = switch (w.limit()) {
            case UNKNOWN -> Optional.empty();
            case BEHIND_THREADS -> Optional.of("behind the threads");
            case THREADS, CPU, CLIENTS, RATE, ACCEPT_QUEUE ->
                Optional.of(w.limit().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        };
        boolean shown = w.support() == Explanation.Support.SHOWN;
        return name.map(n -> (shown ? "limit: " : "consistent with the limit: ") + n)
                .orElse("limit not identified");
    }

    private Block search() {
        var blocks = new ArrayList<Block>();
        if (!found.pairs().isEmpty()) {
            blocks.add(Block.on(
                    Where.ON_PAGE,
                    new Paragraph(
                            "As the search measured them. Whether there is an improvement is judged by the duel alone,"
                                    + " which was measured anew.")));
        }
        blocks.add(new Block.Part(Where.ON_PAGE, false, KnobPlots.of(KnobCurves.of(run, found))));
        String title = "Settings tried, best first";
        blocks.add(new Block.Figures(
                title + (found.pairs().isEmpty() ? "" : ", as the search measured them"), title, tables.candidates()));
        return new Block.Section("search", "Settings tried", blocks);
    }
}
