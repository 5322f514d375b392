package dev.fettle.report.runs;

import dev.fettle.insight.history.MeasuredRun;
import dev.fettle.insight.history.TwoRuns;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import dev.fettle.report.document.Where;
import dev.fettle.report.history.HistoryWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Two runs next to each other: what is not the same, and how far their figures lie apart. */
public final class TwoRunsDocument {
    private final TwoRuns two;
    private final ListedRun one;
    private final ListedRun other;

    /** Whether there is more than one setting or program. */
    private final boolean several;

    /** What all settings have in common, which says nothing; empty if there is but one. */
    private final Set<String> shared;

    private TwoRunsDocument(TwoRuns two, ListedRun one, ListedRun other) {
        this.two = two;
        this.one = one;
        this.other = other;
        this.several = two.rows().stream().map(TwoRuns.Row::arm).distinct().count() > 1;
        this.shared = several ? shared(two) : Set.of();
    }

    /** The whole document. */
    public static Document of(TwoRuns two, ListedRun one, ListedRun other) {
        var d = new TwoRunsDocument(two, one, other);
        return new Document(d.head(), d.blocks(), Checks.NONE);
    }

    private Head head() {
        String brief = two.one().id() + " and " + two.other().id() + ", " + apart() + " apart";
        return two.refused().isEmpty()
                ? new Head("two runs", List.of(brief), badge(), "calm", headline(), List.of(), List.of(), notes())
                : new Head(
                        "two runs",
                        List.of(brief),
                        "Not comparable",
                        "warn",
                        "No difference is given: " + String.join("; ", two.refused()) + ".",
                        List.of(),
                        List.of(),
                        List.of());
    }

    private String apart() {
        return Format.time(
                Duration.between(two.one().started(), two.other().started()).abs());
    }

    private List<TwoRuns.Row> moved() {
        return two.rows().stream().filter(TwoRuns.Row::isApart).toList();
    }

    /** Figures that differ, of which no interval can be had however many trials there are: failures where there were none. */
    private List<TwoRuns.Row> withoutInterval() {
        return two.rows().stream()
                .filter(r -> r.trials() > 1 && r.otherTrials() > 1)
                .filter(r -> !r.ratio().bounded() && r.one() != r.other())
                .toList();
    }

    private String unbounded() {
        return withoutInterval().stream()
                .map(r -> " Without an interval: " + r.metric().label()
                        + (r.arm().isEmpty() ? "" : " of " + named(r.arm())) + " was "
                        + HistoryWords.figure(r.metric(), r.one())
                        + " and then " + HistoryWords.figure(r.metric(), r.other()) + ".")
                .limit(2)
                .collect(Collectors.joining());
    }

    private boolean isKnown() {
        return two.rows().stream().anyMatch(r -> r.ratio().bounded());
    }

    private String badge() {
        if (!moved().isEmpty()) {
            return "They differ";
        }
        return isKnown() && withoutInterval().isEmpty() ? "No difference shown" : "No interval";
    }

    private String headline() {
        if (moved().isEmpty()) {
            if (isKnown()) {
                return (withoutInterval().isEmpty() ? "No figure of " : "No figure with an interval of ")
                        + two.other().id() + " lies further from " + two.one().id() + " than the trials vary."
                        + unbounded();
            }
            return "Each figure was measured once in a run: whether the difference is more than chance is not known.";
        }
        TwoRuns.Row most = moved().stream()
                .max((a, b) -> Double.compare(
                        Math.abs(Math.log(a.ratio().estimate())),
                        Math.abs(Math.log(b.ratio().estimate()))))
                .orElseThrow();
        int more = moved().size() - 1;
        return "In " + two.other().id() + ", " + most.metric().label()
                + (most.arm().isEmpty() ? "" : " of " + named(most.arm()))
                + " is " + Value.change(most.ratio().estimate()).text()
                + (more == 0 ? "" : "; " + Wording.plural(more, "more figure") + (more == 1 ? " differs" : " differ"))
                + "." + unbounded();
    }

    private List<String> notes() {
        var notes = new ArrayList<String>();
        for (ListedRun run : List.of(one, other)) {
            if (run.state() != ListedRun.State.DONE) {
                notes.add(run.id() + " is not finished: its figures are those of its trials so far.");
            }
        }
        notes.add(
                "The runs were made at different times, so what the machine did in between is part of each difference."
                        + " A proof loads both in turn: fettle gate for two builds, fettle compare for settings.");
        return notes;
    }

    private List<Block> blocks() {
        var blocks = new ArrayList<Block>();
        if (!two.rows().isEmpty()) {
            blocks.add(new Block.Section("figures", "Figures", List.of(new Block.Figures("Figures", figures()))));
        }
        if (!two.differing().isEmpty()) {
            blocks.add(new Block.Section(
                    "conditions",
                    "Not the same",
                    List.of(new Block.Figures("Conditions that differ", differing(two.differing())))));
        }
        if (!two.facts().isEmpty()) {
            blocks.add(new Block.Section(
                    "facts",
                    "May be a reason",
                    List.of(new Block.Figures("What else differs", differing(two.facts())))));
        }
        blocks.add(new Block.Section(
                "answers", "What each of them says", List.of(new Block.Figures("Answers", answers()))));
        return blocks;
    }

    private Table figures() {
        var table = Table.<TwoRuns.Row>of(two.rows());
        if (several) {
            table.words("of", r -> named(r.arm()));
        }
        return table.words("metric", r -> r.metric().label())
                .figure(two.one().id(), r -> value(r.metric(), r.one()))
                .figure(two.other().id(), r -> value(r.metric(), r.other()))
                .figure("difference", TwoRunsDocument::difference)
                .figure("interval", r -> r.ratio().bounded() ? interval(r) : Value.NONE)
                .figure("trials", r -> Value.words(r.trials() + " and " + r.otherTrials()))
                .tone(r -> r.isApart() ? Tone.STRONG : Tone.PLAIN)
                .build();
    }

    private static Value value(GateMetric metric, double figure) {
        return new Value(HistoryWords.figure(metric, figure), figure);
    }

    private static Value difference(TwoRuns.Row row) {
        return Double.isFinite(row.ratio().estimate())
                ? Value.change(row.ratio().estimate())
                : Value.NONE;
    }

    private static Value interval(TwoRuns.Row row) {
        return new Value(
                Value.change(row.ratio().low()).text() + " to "
                        + Value.change(row.ratio().high()).text(),
                row.ratio().low());
    }

    private static Set<String> shared(TwoRuns two) {
        Set<String> shared = null;
        for (TwoRuns.Row row : two.rows()) {
            var parts = new LinkedHashSet<>(Arrays.asList(row.arm().split(", ")));
            if (shared == null) {
                shared = parts;
            } else {
                shared.retainAll(parts);
            }
        }
        return shared == null ? Set.of() : shared;
    }

    private String named(String arm) {
        String own = String.join(
                ", ",
                Arrays.stream(arm.split(", ")).filter(p -> !shared.contains(p)).toList());
        return own.isEmpty() ? "the settings that all have" : own;
    }

    private Table differing(List<TwoRuns.Differing> all) {
        return Table.<TwoRuns.Differing>of(all)
                .words("what", TwoRuns.Differing::name)
                .cells(two.one().id(), d -> known(d.one()))
                .cells(two.other().id(), d -> known(d.other()))
                .build();
    }

    private static Value known(String text) {
        return text.isEmpty() ? Value.words("not known", Tone.QUIET) : Value.words(text);
    }

    private Table answers() {
        record Answer(MeasuredRun run, ListedRun listed) {}
        return Table.<Answer>of(List.of(new Answer(two.one(), one), new Answer(two.other(), other)))
                .words("run", a -> a.run().id())
                .words("started", a -> HistoryWords.when(a.run().started()))
                .words("answer", a -> a.listed().headline())
                .remarks(
                        "tags",
                        Where.EVERYWHERE,
                        a -> String.join(" ", a.listed().marks().tags()))
                .remarks("note", Where.EVERYWHERE, a -> a.listed().marks().note())
                .build();
    }
}
