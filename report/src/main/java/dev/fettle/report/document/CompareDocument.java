package dev.fettle.report.document;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Figures;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Head.Big;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A comparison: the variants or layers, or what a spike did to them, and every pair; in a terminal by condition. */
final class CompareDocument {
    private final RunReport run;
    private final CompareConclusion found;
    private final CompareTables tables;
    private final boolean spike;
    private final boolean layered;

    CompareDocument(RunReport run, CompareConclusion found) {
        this.run = run;
        this.found = found;
        this.tables = new CompareTables(found, found.conditions());
        this.spike = found.spike().isPresent();
        this.layered = found.conditions().stream().anyMatch(c -> !c.layers().isEmpty());
    }

    Head.Answer answer() {
        return !found.compared()
                ? new Head.Answer("Nothing compared", "warn", bigs())
                : shown() == 0
                        ? new Head.Answer("No difference shown", "calm", bigs())
                        : new Head.Answer("Difference shown", "good", bigs());
    }

    private Stream<Contrast> contrasts() {
        return found.conditions().stream().flatMap(c -> c.contrasts().stream());
    }

    private long shown() {
        return contrasts().filter(Contrast::differenceShown).count();
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        var judged = new ObjectiveColumn(found.metric());
        boolean low = found.metric().low() && !spike;
        for (var condition : found.conditions()) {
            condition.variants().stream()
                    .filter(v -> v.trials() > 0 && !Double.isNaN(judged.of(v)) && mayBeBetter(v, condition))
                    .max(Comparator.comparingDouble(
                            v -> spike ? CompareTables.compared(v).estimate() : low ? -judged.of(v) : judged.of(v)))
                    .filter(v -> list.size() < 3)
                    .ifPresent(v -> list.add(new Big(
                            (spike ? "Most good answers in the spike" : low ? "Lowest estimate" : "Highest estimate")
                                    + Wording.at(condition.point()),
                            v.name(),
                            spike
                                    ? NumberText.rate(CompareTables.compared(v))
                                    : switch (found.metric()) {
                                        case THROUGHPUT -> NumberText.rate(CompareTables.compared(v));
                                        case P99 -> Format.time(v.p99());
                                        case CAPACITY, CPU_PER_REQUEST, MEMORY -> judged.whole(judged.of(v));
                                    })));
        }
        list.add(new Big("Differences shown", shown() + " of " + contrasts().count(), "pairs of variants"));
        return list;
    }

    /** Whether a variant's figures may be put first: it never failed, breaks no limit, and gives the answers of those next to it. */
    private static boolean mayBeBetter(VariantResult v, Condition condition) {
        return v.failed().isEmpty()
                && v.broken().isEmpty()
                && condition.contrasts().stream()
                        .filter(x -> x.a().equals(v.name()) || x.b().equals(v.name()))
                        .allMatch(
                                x -> x.otherAnswers().isEmpty() && x.withheld().isEmpty());
    }

    List<Block> blocks() {
        var all = new ArrayList<Block>();
        ProgramDifferences.of(run).ifPresent(all::add);
        found.conditions().forEach(c -> all.add(new Block.Part(Where.IN_TERMINALS, false, under(c))));
        all.add(new Block.Part(Where.NOT_IN_TERMINALS, false, together()));
        return all;
    }

    private List<Block> under(Condition c) {
        String at = Wording.at(c.point());
        var of = new CompareTables(found, List.of(c));
        var all = new ArrayList<Block>();
        all.add(new Figures(
                found.spike()
                                .map(s -> "The spike: " + Format.rate(s.rate()) + " for "
                                        + Format.time(s.seconds() * 1e9))
                                .orElse(c.layers().isEmpty() ? "Variants" : "Layers")
                        + at,
                of.variants()));
        remarks(all, c.variants().stream().flatMap(v -> v.problems().stream().map(p -> v.name() + ": " + p)));
        remarks(all, c.variants().stream().flatMap(v -> v.failed().stream().map(f -> v.name() + " " + f)));
        remarks(
                all,
                c.variants().stream()
                        .filter(v -> !v.broken().isEmpty())
                        .map(v -> v.name() + " is not within the limits: " + String.join(", ", v.broken())));
        if (!c.layers().isEmpty()) {
            all.add(new Figures("What each layer adds" + at, of.layers()));
        } else if (!c.contrasts().isEmpty()) {
            all.add(new Figures("Differences" + at, of.contrasts()));
        }
        remarks(all, c.contrasts().stream().flatMap(x -> x.otherAnswers().or(x::withheld).stream()));
        return List.of(new Block.Section("", "", all));
    }

    private static void remarks(List<Block> to, Stream<String> texts) {
        texts.forEach(t -> to.add(new Paragraph(t, Tone.CAUTION)));
    }

    private List<Block> together() {
        boolean bounded = found.conditions().stream()
                .flatMap(c -> c.variants().stream())
                .anyMatch(v -> v.trials() > 0 && CompareTables.compared(v).bounded());
        boolean any =
                found.conditions().stream().flatMap(c -> c.variants().stream()).anyMatch(v -> v.trials() > 0);
        var variants = new ArrayList<Block>();
        if (any) {
            variants.add(new Block.Plot(
                    "dots",
                    (spike ? "Good answers per second in the spike" : "Throughput per second")
                            + (bounded ? ", with 95 % intervals" : ""),
                    (spike ? "Good answers" : "Throughput") + " of each variant" + (bounded ? " with intervals" : ""),
                    "",
                    tables.variants()));
        }
        variants.addAll(
                HeatMap.of(found, run.plan().compare().map(Plan.Compare::grid).orElse(List.of()))
                        .blocks());
        var all = new ArrayList<Block>();
        all.add(new Block.Section(
                "variants",
                layered ? "The layers" : "The variants",
                new Block.Part(Where.ON_PAGE, false, variants),
                new Figures(
                        "", spike ? "What the spike did" : "The variants under each condition", tables.variants())));
        if (layered) {
            all.add(new Block.Section(
                    "layers",
                    "What each layer adds",
                    new Paragraph(
                            "Each layer against the one before it, paired within blocks. Throughput is a ratio; CPU is time of the"
                                    + " server; waiting is the time that a request holds its worker, less its CPU time."),
                    new Figures("", "What each layer adds to the one before it", tables.layers())));
        }
        boolean ratios = contrasts()
                .anyMatch(x -> x.pairs() > 0
                        && Double.isFinite(x.ratio().estimate())
                        && x.ratio().estimate() > 0);
        if (ratios && found.compared()) {
            String metric = spike ? "Good answers in the spike," : new ObjectiveColumn(found.metric()).capital();
            all.add(new Block.Section(
                    "differences",
                    "Differences",
                    new Paragraph(
                            "Paired within blocks. A difference counts as shown only when the whole interval lies outside the"
                                    + " smallest difference worth reporting. Where none is shown, the last column says how large it"
                                    + " would have had to be for four runs of five to show it."),
                    new Block.Plot(
                            "contrasts",
                            metric + " ratio of each pair, with intervals that hold together at 95 %",
                            metric + " ratio of each pair of variants with intervals",
                            "",
                            tables.contrasts())));
        }
        return all;
    }
}
