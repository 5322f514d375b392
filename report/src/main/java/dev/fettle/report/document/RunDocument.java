package dev.fettle.report.document;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Causes;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Head.Big;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a run says, finished or not. Each kind of result has one place that says what its document holds. */
public final class RunDocument {
    /** On each page of a result that isn't finished. */
    public static final String NOT_FINAL = "Not final: it is still being measured, and what is said here may change.";

    private final RunReport run;

    private RunDocument(RunReport run) {
        this.run = run;
    }

    /** The whole document. */
    public static Document of(RunReport run) {
        var d = new RunDocument(run);
        if (run.conclusion().isEmpty()) {
            return d.unfinished();
        }
        return switch (run.conclusion().get()) {
            case TuneConclusion t -> {
                var tune = new TuneDocument(run, t);
                yield d.document(
                        t,
                        tune.answer(),
                        tune.blocks(),
                        t.candidates().isEmpty()
                                ? List.of()
                                : List.of("all " + Wording.plural(t.candidates().size(), "setting") + " tried"));
            }
            case SweepConclusion s -> {
                var sweep = new SweepDocument(run, s);
                yield d.document(s, sweep.answer(), d.withReasons(sweep.blocks()), sweep.more());
            }
            case CompareConclusion c -> {
                var compare = new CompareDocument(run, c);
                yield d.document(c, compare.answer(), d.withReasons(compare.blocks()), List.of());
            }
            case GateConclusion g -> {
                var gate = new GateDocument(run, g);
                yield d.document(g, gate.answer(), d.withReasons(gate.blocks()), List.of());
            }
            case DiagnoseConclusion x -> {
                var diagnose = new DiagnoseDocument(run.outcomes(), x);
                yield d.document(x, diagnose.answer(), diagnose.blocks(), diagnose.more());
            }
            case CapacityConclusion _ -> d.capacity();
        };
    }

    /**
     * A run that goes on.
     *
     * @param run its conclusion is what would be concluded if nothing more came; of what must be proved, only plots and tables are shown
     */
    public static Document soFar(RunReport run) {
        var d = new RunDocument(run);
        Document all = of(run);
        if (run.conclusion().isEmpty()
                || run.conclusion().get() instanceof DiagnoseConclusion
                || run.conclusion().get() instanceof CapacityConclusion) {
            return all.soFar(NOT_FINAL);
        }
        var answer = new Head.Answer("So far", "calm", d.progress());
        String headline = Wording.plural(run.valid().size(), "valid trial")
                + " so far; no verdict before the pairs are complete.";
        return new Document(
                        d.head(answer, headline, List.of()),
                        measured(all.blocks()),
                        all.noted(),
                        List.of(),
                        all.checks())
                .soFar(NOT_FINAL);
    }

    /** Plots and tables, without what is said about them. */
    private static List<Block> measured(List<Block> blocks) {
        return blocks.stream()
                .<Block>mapMulti((b, to) -> {
                    switch (b) {
                        case Block.Section s -> to.accept(new Block.Section(s.id(), s.title(), measured(s.blocks())));
                        case Block.Part p -> to.accept(new Block.Part(p.where(), p.details(), measured(p.blocks())));
                        case Block.Abreast a -> to.accept(new Block.Abreast(a.css(), measured(a.blocks())));
                        case Block.Folded f -> to.accept(new Block.Folded(f.summary(), measured(f.blocks())));
                        case Block.Figures _, Block.Plot _, Block.Choice _, Block.Heading _ -> to.accept(b);
                        default -> {} // words about an answer that is none yet
                    }
                })
                .toList();
    }

    private Document document(Conclusion found, Head.Answer answer, List<Block> blocks, List<String> more) {
        Head head = head(answer, found.headline(), found.notes());
        return new Document(
                head,
                blocks,
                run.outcomes().stream()
                        .flatMap(o -> o.evidence().stream())
                        .flatMap(e -> e.notes().stream())
                        .toList(),
                more,
                RunChecks.of(run, head));
    }

    private Document capacity() {
        Document d = CapacityDocument.of(CapacityReport.of(run));
        return new Document(d.head(), d.blocks(), RunChecks.of(run, d.head()));
    }

    private Document unfinished() {
        if (CapacityReport.is(run)) {
            return capacity();
        }
        var answer = new Head.Answer(run.complete() ? "No conclusion" : "Not finished", "warn", progress());
        String headline = run.outcomes().isEmpty()
                ? "No trial has ended yet."
                : run.valid().isEmpty()
                        ? "Every trial so far is void: there is nothing to draw a conclusion from."
                        : "Not finished: " + Wording.plural(run.valid().size(), "valid trial")
                                + " so far, no conclusion yet.";
        Head head = head(answer, headline, List.of());
        return new Document(head, withReasons(List.of()), RunChecks.of(run, head));
    }

    private Head head(Head.Answer answer, String headline, List<String> notes) {
        return new Head(
                run.kind() + " · " + run.plan().name(),
                brief(),
                answer.badge(),
                answer.tone(),
                headline,
                answer.bigs(),
                List.of(
                        "Run " + run.runId(),
                        Head.WHEN.format(run.started()),
                        "took " + Format.time(run.took()),
                        targets(),
                        Wording.plural(run.outcomes().size(), "trial") + ", " + Wording.voids(run)),
                notes);
    }

    private List<String> brief() {
        var target = run.plan().target();
        long voids = run.voids().size();
        int early = run.early().size();
        var lines = new ArrayList<String>();
        lines.add(run.kind() + " " + run.plan().name());
        lines.add("run " + run.runId() + " · " + target.label() + " · "
                + Wording.plural(run.outcomes().size(), "trial")
                + (voids == 0 ? "" : ", " + voids + " of them void")
                + (early == 0 ? "" : ", " + early + " ended early") + " · " + Format.time(run.took()));
        if (!target.configured().isDefault()) {
            lines.add("default: what it is configured to, " + target.configured());
        }
        return lines;
    }

    /** The targets that were run: a comparison's variants may have their own. */
    private String targets() {
        var labels = run.outcomes().stream()
                .map(o -> o.spec().target().label())
                .distinct()
                .sorted()
                .toList();
        if (labels.isEmpty()) {
            return "target " + run.plan().target().label();
        }
        return labels.size() > 4
                ? Wording.plural(labels.size(), "target")
                : (labels.size() == 1 ? "target " : "targets ") + String.join(", ", labels);
    }

    private List<Big> progress() {
        var list = new ArrayList<Big>();
        list.add(new Big("Trials", Format.whole(run.outcomes().size()), Wording.voids(run)));
        run.valid().stream()
                .max(Comparator.comparingDouble(RunDocument::throughput))
                .ifPresent(o -> list.add(new Big(
                        "Fastest so far",
                        Format.rate(throughput(o)),
                        Wording.trial(o.spec(), run.plan().hold()))));
        return list;
    }

    private static double throughput(TrialOutcome o) {
        return o.measurement().orElseThrow().throughput();
    }

    /** These, and what limits each cell or variant, by cause. */
    private List<Block> withReasons(List<Block> blocks) {
        var all = new ArrayList<>(blocks);
        List<Causes.Group> groups = Causes.groups(run);
        if (!groups.isEmpty()) {
            all.add(new Block.Section(
                    "why",
                    "Why",
                    groups.stream()
                            .<Block>map(g -> new Block.Reason(
                                    g.title(),
                                    "",
                                    g.names(),
                                    g.shown().brief().sentences(),
                                    0,
                                    List.of(),
                                    g.shown().brief().refutedBy()))
                            .toList()));
        }
        return all;
    }
}
