package dev.fettle.report.document;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.SecondOpinionWords;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Points;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.Head.Big;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/** A diagnosis: what limits the server, what to do, and everything else that was examined. */
final class DiagnoseDocument {
    private final List<TrialOutcome> trials;
    private final DiagnoseConclusion found;

    /** @param trials those that it was made from; none of what was observed without load */
    DiagnoseDocument(List<TrialOutcome> trials, DiagnoseConclusion found) {
        this.trials = trials;
        this.found = found;
    }

    Head.Answer answer() {
        String tone = found.bottleneck()
                .map(f -> switch (f.severity()) {
                    case LIMIT -> "calm";
                    case WARNING -> "warn";
                    case FAULT -> "bad";
                })
                .orElse(found.result() == DiagnoseConclusion.Result.NOT_VALID ? "bad" : "good");
        return new Head.Answer(
                switch (found.result()) {
                    case FOUND -> "Found";
                    case NOTHING_FOUND -> "Nothing found";
                    case NOT_VALID -> "Nothing concluded";
                },
                tone,
                bigs());
    }

    private List<Big> bigs() {
        var list = new ArrayList<Big>();
        trials.stream()
                .flatMap(o -> o.measurement().stream())
                .findFirst()
                .ifPresent(m -> list.add(new Big(
                        "Throughput",
                        Format.rate(m.throughput()),
                        "p99 " + Format.time(m.latency().known(LatencySummary::p99)))));
        found.bottleneck()
                .filter(f -> f.share().isPresent())
                .ifPresent(f -> list.add(new Big(
                        "Explained by it",
                        Format.share(f.share().getAsDouble()),
                        "of a request's time, or of that in its worker")));
        list.add(new Big(
                "Checked",
                Format.whole(found.healthy().size()
                        + found.others().size()
                        + found.bottleneck().stream().count()),
                found.notObserved().size() + " not observed"));
        return list;
    }

    List<Block> blocks() {
        var all = new ArrayList<Block>();
        found.bottleneck().ifPresent(f -> {
            var blocks = new ArrayList<>(finding(f));
            blocks.add(Block.on(
                    Where.ON_PAGE,
                    new Paragraph("Rule: " + f.rule(), Tone.QUIET),
                    new Block.Courses(Diagnosis.signals(f.rule()))));
            all.add(new Section("finding", "What limits it, or is wrong", blocks));
        });
        all.add(new Section(
                "others",
                "Also found",
                found.others().stream()
                        .flatMap(f -> {
                            List<Block> of = finding(f);
                            return Stream.of(
                                    new Block.Heading(f.title() + " [" + f.rule() + "]", tone(f)),
                                    of.getFirst(),
                                    new Block.Part(Where.EVERYWHERE, true, of.subList(1, of.size())));
                        })
                        .toList()));
        all.add(Block.details(rest().toArray(Block[]::new)));
        return all;
    }

    /** What there is beyond the findings. */
    List<String> more() {
        var more = new ArrayList<String>();
        if (!found.healthy().isEmpty()) {
            more.add(Wording.plural(found.healthy().size(), "check") + " in order");
        }
        if (!found.notObserved().isEmpty()) {
            more.add(found.notObserved().size() + " not observed");
        }
        return more;
    }

    private List<Block> rest() {
        var all = new ArrayList<Block>();
        if (!found.laws().isEmpty()) {
            all.add(new Section(
                    "laws",
                    "Laws",
                    new Points("", found.laws()),
                    new Block.Part(
                            Where.ON_PAGE,
                            false,
                            found.ramp().map(KnobPlots::ramp).orElse(List.of()))));
        }
        if (!found.secondOpinion().isEmpty()) {
            all.add(new Section(
                    "second-opinion",
                    SecondOpinionWords.TITLE,
                    new Paragraph(SecondOpinionWords.WHOSE, Tone.QUIET),
                    new Points(
                            "",
                            found.secondOpinion().stream()
                                    .map(SecondOpinionWords::of)
                                    .toList())));
        }
        looked(all, "healthy", "Checked and in order", found.healthy());
        looked(all, "unseen", "Not observed", found.notObserved());
        return all;
    }

    private static List<Block> finding(Finding f) {
        var all = new ArrayList<Block>();
        all.add(new Paragraph(f.sentence()));
        if (!f.evidence().isEmpty()) {
            all.add(new Paragraph("Seen: " + String.join("; ", f.evidence()) + ".", Tone.QUIET));
        }
        if (!f.symptoms().isEmpty()) {
            all.add(new Points(
                    "", f.symptoms().stream().map(s -> "Follows from it: " + s).toList()));
        }
        if (!f.remedy().isBlank()) {
            all.add(new Paragraph(
                    "What to do: " + f.remedy() + "."
                            + f.knob().map(k -> " Knob: " + k + ".").orElse(""),
                    Tone.STRONG));
        }
        all.add(f.test()
                .map(t -> new Paragraph("Tested " + t.sentence(), Tone.GOOD))
                .orElseGet(() -> new Paragraph("Not tested. What would refute it: " + f.refutedBy(), Tone.QUIET)));
        return all;
    }

    private static Tone tone(Finding f) {
        return f.severity() == Severity.LIMIT ? Tone.PLAIN : f.severity() == Severity.WARNING ? Tone.CAUTION : Tone.BAD;
    }

    /** Grouped by reason: one missing source keeps many rules from looking. */
    private static void looked(List<Block> to, String id, String title, List<Looked> all) {
        var byWords = new LinkedHashMap<String, List<String>>();
        all.forEach(
                l -> byWords.computeIfAbsent(l.words(), _ -> new ArrayList<>()).add(l.what()));
        if (!all.isEmpty()) {
            to.add(new Section(
                    id,
                    title + " (" + all.size() + ")",
                    new Block.Folded(
                            Wording.plural(all.size(), "thing"),
                            List.of(new Points(
                                    "",
                                    byWords.entrySet().stream()
                                            .map(e -> String.join("; ", e.getValue()) + ": " + e.getKey())
                                            .toList())))));
        }
    }
}
