package dev.fettle.report.document;

import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Measured;
import dev.fettle.insight.GateConclusion.Reach;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.builds.GateFigure;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Figures;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Head.Big;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A gate: first what the head answers otherwise, then each metric with its answer, next to what base against base shows. */
final class GateDocument {
    private final RunReport run;
    private final GateConclusion found;

    GateDocument(RunReport run, GateConclusion found) {
        this.run = run;
        this.found = found;
    }

    Head.Answer answer() {
        return switch (found.result()) {
            case NO_WORSE -> new Head.Answer("No worse", "good", bigs());
            case WORSE -> new Head.Answer("Worse", "bad", bigs());
            case CANT_TELL -> new Head.Answer("Can't tell", "warn", bigs());
            case NOT_VALID -> new Head.Answer("Nothing compared", "bad", bigs());
            case MACHINE_ONLY -> new Head.Answer("Base against base", "calm", bigs());
        };
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        found.metrics().stream()
                .filter(m -> m.decides() && m.pairs() > 0 && m.metric() != GateMetric.ERRORS)
                .limit(3)
                .forEach(m -> list.add(new Big(
                        capital(m.metric().label()),
                        new GateFigure(m.metric()).changeText(m.change().estimate()),
                        bounds(m, m.change()),
                        m.answer() == Answer.WORSE ? "bad" : m.answer() == Answer.NO_WORSE ? "good" : "")));
        list.add(new Big(
                "Took",
                NumberText.duration(Duration.ofMillis((long) (found.seconds() * 1000))),
                Wording.plural(found.pairs(), "pair") + " and " + found.aaPairs() + " of base and base"));
        return list;
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    List<Block> blocks() {
        var all = new ArrayList<Block>();
        run.plan()
                .gate()
                .ifPresent(g -> all.add(new Block.Section(
                        "programs",
                        "Programs",
                        new Block.Facts(List.of(
                                new Block.Fact("base", g.base()),
                                new Block.Fact("head", found.aa() ? "" : g.head()))))));
        found.answers()
                .ifPresent(a -> all.add(new Block.Section(
                        "answers",
                        "Other answers",
                        new Paragraph("The head answers otherwise than the base: " + a + ".", Tone.BAD))));
        if (found.failure().isPresent()) {
            all.add(new Paragraph(
                    "The head " + found.failure().get() + ", the base in "
                            + found.base().failed() + " of " + found.base().started() + ".",
                    Tone.BAD));
        }
        all.add(new Block.Section("metrics", "Figures", new Figures("Figures", table())));
        if (!found.reach().isEmpty()) {
            all.add(new Block.Section(
                    "reach",
                    "What this machine shows",
                    new Figures("What a gate of this plan shows here, in four gates of five", reach())));
        }
        return all;
    }

    private Table table() {
        boolean told = found.result() != Result.MACHINE_ONLY;
        return Table.<Measured>of(found.metrics())
                .words("metric", m -> m.metric().label())
                .cells("answer", m -> told ? answer(m) : Value.EMPTY)
                .figure("base", m -> figure(m, true))
                .figure(told ? "head" : "base again", m -> figure(m, false))
                .figure("change", m -> change(m, m.change(), m.pairs()))
                .figure("allowed", m -> Value.words(allowed(m)))
                .figure("base itself", Where.IN_TERMINALS, GateDocument::farthest)
                .figure(
                        "base against base",
                        Where.NOT_IN_TERMINALS,
                        m -> m.same()
                                .map(s -> change(m, s, m.sameEach().size()))
                                .orElse(Value.NONE))
                .known("pairs", m -> Value.count(m.pairs()))
                .known("could show", m -> Value.share(m.couldShow()))
                .remarks(
                        "why not",
                        Where.NOT_IN_TERMINALS,
                        m -> m.withheld().orElse(m.base().why()))
                .tone(m -> m.decides() || m.answer() == Answer.WORSE ? Tone.PLAIN : Tone.QUIET)
                .build();
    }

    /** How far base lies from itself at most, in a pair of base and base. */
    private static Value farthest(Measured m) {
        double none = m.metric() == GateMetric.ERRORS ? 0 : 1;
        return m.sameEach().stream()
                .max(Comparator.comparingDouble(c -> Math.abs(c - none)))
                .map(c -> new Value(new GateFigure(m.metric()).changeText(c), c))
                .orElse(Value.NONE);
    }

    private static Value answer(Measured m) {
        return switch (m.answer()) {
            case NO_WORSE -> Value.words("no worse", Tone.GOOD);
            case WORSE -> Value.words("worse", Tone.BAD);
            case CANT_TELL ->
                m.pairs() == 0 ? Value.words("not observed", Tone.QUIET) : Value.words("can't tell", Tone.CAUTION);
        };
    }

    private static Value figure(Measured m, boolean ofBase) {
        var figure = new GateFigure(m.metric());
        return Value.of(ofBase ? m.base() : m.head(), figure::text);
    }

    private static Value change(Measured m, Interval change, int pairs) {
        if (pairs == 0) {
            return Value.NONE;
        }
        String bounds = bounds(m, change);
        return new Value(
                new GateFigure(m.metric()).changeText(change.estimate())
                        + (bounds.isEmpty() ? "" : " [" + bounds + "]"),
                change.estimate());
    }

    private static String bounds(Measured m, Interval change) {
        var figure = new GateFigure(m.metric());
        return change.bounded() ? figure.changeText(change.low()) + " to " + figure.changeText(change.high()) : "";
    }

    private static String allowed(Measured m) {
        return (m.metric() == GateMetric.THROUGHPUT ? "-" : "+") + NumberText.share(m.allowed());
    }

    private Table reach() {
        return Table.<Reach>of(found.reach())
                .figure("minutes", r -> Value.number(r.minutes()))
                .words("metric", r -> r.metric().label())
                .figure("a loss of", r -> Value.share(r.loss()))
                .build();
    }
}
