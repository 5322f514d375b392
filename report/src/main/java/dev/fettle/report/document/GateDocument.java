package dev.fettle.report.document;

import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Measured;
import dev.fettle.insight.GateConclusion.Reach;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.GateWhy;
import dev.fettle.insight.GateWhy.Figure;
import dev.fettle.insight.GateWhy.Found;
import dev.fettle.insight.GateWhy.Method;
import dev.fettle.insight.builds.GateFigure;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Figures;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Points;
import dev.fettle.report.document.Head.Big;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

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
                Format.time(Duration.ofMillis((long) (found.seconds() * 1000))),
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
        found.why().ifPresent(w -> all.add(new Block.Section("why", "Why", new WhyBlocks(w).blocks())));
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
        return (m.metric() == GateMetric.THROUGHPUT ? "-" : "+") + Format.share(m.allowed());
    }

    private Table reach() {
        return Table.<Reach>of(found.reach())
                .figure("minutes", r -> Value.number(r.minutes()))
                .words("metric", r -> r.metric().label())
                .figure("a loss of", r -> Value.share(r.loss()))
                .build();
    }

    /** Where the difference of two builds lies: methods, waits, findings of one side, new warnings. */
    private static final class WhyBlocks {
        private final GateWhy why;

        WhyBlocks(GateWhy why) {
            this.why = why;
        }

        List<Block> blocks() {
            var all = new ArrayList<Block>();
            all.add(new Paragraph(summary(), Tone.PLAIN));
            if (!why.methods().isEmpty()) {
                all.add(new Figures("Methods whose cost per request differs", methods()));
            }
            if (!why.figures().isEmpty()) {
                all.add(new Figures("Per request, in the pairs that decided", figures()));
            }
            List<Found> head = why.found().stream().filter(Found::ofHead).toList();
            List<Found> base = why.found().stream().filter(f -> !f.ofHead()).toList();
            if (!head.isEmpty()) {
                all.add(new Points(
                        "Found of the head, not of the base",
                        head.stream().map(WhyBlocks::found).toList()));
            }
            if (!base.isEmpty()) {
                all.add(new Points(
                        "Found of the base, not of the head",
                        base.stream().map(WhyBlocks::found).toList()));
            }
            if (!why.warnings().isEmpty()) {
                all.add(new Points(
                        "New in the head's output",
                        why.warnings().stream()
                                .map(w -> w.text() + (w.times() > 1 ? " (" + Format.count(w.times()) + " times)" : ""))
                                .toList()));
            }
            return all;
        }

        private String summary() {
            if (why.pairs() == 0) {
                return "No pair could be recorded on both sides, so no method was compared.";
            }
            String recorded = "Of " + Wording.plural(why.pairs(), "pair") + " recorded after the answer: ";
            return recorded + why.compared().stream().map(this::kind).collect(Collectors.joining("; ")) + ".";
        }

        private String kind(GateWhy.Compared c) {
            List<Method> of =
                    why.methods().stream().filter(m -> m.kind() == c.kind()).toList();
            return what(c.kind()) + " per request "
                    + (of.isEmpty()
                            ? "differs in none of " + Wording.plural(c.methods(), "method") + " (a difference of "
                                    + text(c.kind(), c.least()) + " of one that has 1 % would be reported)"
                            : "differs most in " + of.getFirst().method() + ", "
                                    + change(c.kind(), of.getFirst().change()));
        }

        private static String what(Profile.Kind kind) {
            return switch (kind) {
                case CPU -> "CPU time";
                case ALLOC -> "allocation";
                case LOCK -> "waiting for locks";
                case WALL -> "time";
            };
        }

        private static String text(Profile.Kind kind, double value) {
            return kind == Profile.Kind.ALLOC ? Format.bytes(value) : Format.seconds(value);
        }

        /** {@code +8.1 µs [+6.9 µs to +9.3 µs]}. */
        private static String change(Profile.Kind kind, Interval c) {
            return signed(kind, c.estimate()) + " [" + signed(kind, c.low()) + " to " + signed(kind, c.high()) + "]";
        }

        private static String signed(Profile.Kind kind, double value) {
            return (value < 0 ? "-" : "+") + text(kind, Math.abs(value));
        }

        private Table methods() {
            return Table.<Method>of(why.methods())
                    .words("per request", m -> what(m.kind()))
                    .words("method", Method::method)
                    .remarks("called from", Where.NOT_IN_TERMINALS, Method::calledFrom)
                    .figure("base", m -> new Value(text(m.kind(), m.base()), m.base()))
                    .figure("head", m -> new Value(text(m.kind(), m.head()), m.head()))
                    .figure(
                            "change",
                            m -> new Value(
                                    change(m.kind(), m.change()), m.change().estimate()))
                    .build();
        }

        private Table figures() {
            return Table.<Figure>of(why.figures())
                    .words("", Figure::what)
                    .figure("base", f -> new Value(text(f, f.base()), f.base()))
                    .figure("head", f -> new Value(text(f, f.head()), f.head()))
                    .figure(
                            "change",
                            f -> new Value(
                                    signed(f, f.change().estimate()) + " ["
                                            + signed(f, f.change().low()) + " to "
                                            + signed(f, f.change().high()) + "]",
                                    f.change().estimate()))
                    .build();
        }

        private static String text(Figure f, double value) {
            return f.unit().isEmpty() ? Format.number(value) : Format.seconds(value);
        }

        private static String signed(Figure f, double value) {
            return (value < 0 ? "-" : "+") + text(f, Math.abs(value));
        }

        private static String found(Found f) {
            String one = f.ofHead() ? "head" : "base";
            String other = f.ofHead() ? "base" : "head";
            return f.title() + " (" + f.rule() + "; in " + f.in() + " of " + f.of() + " trials of the " + one + ", "
                    + f.otherIn() + " of " + f.otherOf() + " of the " + other + "). " + f.sentence();
        }
    }
}
