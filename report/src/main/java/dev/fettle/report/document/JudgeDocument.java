package dev.fettle.report.document;

import dev.fettle.insight.judge.Judgement;
import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.insight.judge.Judgement.Outcome;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.text.Format;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.Checks.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether published figures can be true, and what would have to be known about them. */
public final class JudgeDocument {
    private JudgeDocument() {}

    /** All judgements. */
    public static Document of(List<Judgement> all) {
        var blocks = new ArrayList<Block>();
        for (int i = 0; i < all.size(); i++) {
            blocks.add(new Section("result-" + (i + 1), subject(all.get(i).figures()), judged(all.get(i))));
        }
        blocks.add(new Section(
                "unknown",
                "",
                new Block.Points(
                        "To believe " + (all.size() == 1 ? "them" : "any of them") + ", one would have to know",
                        all.stream()
                                .flatMap(j -> j.unknown().stream())
                                .distinct()
                                .toList())));
        boolean refused = has(all, Outcome.REFUSED);
        boolean sound = has(all, Outcome.NOT_REFUTED);
        var head = new Head(
                "judge",
                List.of("judge"),
                refused ? "Refused" : sound ? "Not refuted" : "Too few figures",
                refused ? "bad" : sound ? "good" : "warn",
                headline(all),
                List.of(),
                List.of(),
                List.of());
        return new Document(
                head,
                blocks,
                Checks.of("judge", "", all.stream().map(JudgeDocument::check).toList()));
    }

    private static boolean has(List<Judgement> all, Outcome outcome) {
        return all.stream().anyMatch(j -> j.outcome() == outcome);
    }

    private static String headline(List<Judgement> all) {
        return Arrays.stream(Outcome.values())
                .filter(o -> has(all, o))
                .map(o -> Wording.plural(
                                all.stream().filter(j -> j.outcome() == o).count(), "result")
                        + switch (o) {
                            case REFUSED -> " refused";
                            case NOT_REFUTED -> " not refuted";
                            case TOO_FEW -> " with too few figures";
                        })
                .collect(Collectors.joining(", "));
    }

    private static List<Block> judged(Judgement j) {
        var all = new ArrayList<Block>();
        all.add(
                switch (j.outcome()) {
                    case REFUSED -> new Paragraph("REFUSED: these figures can't be used", Tone.BAD);
                    case NOT_REFUTED ->
                        new Paragraph("Not refuted: nothing that could be checked speaks against them", Tone.GOOD);
                    case TOO_FEW -> new Paragraph("Too few figures: no law could be checked", Tone.CAUTION);
                });
        j.refusals().forEach(f -> all.add(new Paragraph("✗ " + words(f))));
        j.cautions().forEach(f -> all.add(new Paragraph("! " + words(f))));
        if (!j.checked().isEmpty()) {
            all.add(new Paragraph("checked and sound: " + String.join(", ", j.checked()), Tone.QUIET));
        }
        return all;
    }

    private static String words(Finding f) {
        return f.rule() + ": " + f.message();
    }

    private static Check check(Judgement j) {
        List<Finding> against =
                Stream.concat(j.refusals().stream(), j.cautions().stream()).toList();
        String name = subject(j.figures());
        return switch (j.outcome()) {
            case NOT_REFUTED -> Check.passed(name);
            case TOO_FEW ->
                new Check(name, Checks.Outcome.SKIPPED, "too-few", "too few figures: no law could be checked");
            case REFUSED ->
                Check.unless(
                        name,
                        Checks.Outcome.FAILED,
                        "refused",
                        against.stream().map(JudgeDocument::words).toList());
        };
    }

    private static String subject(Published p) {
        var parts = new ArrayList<String>();
        parts.add(p.tool() + (p.label().isEmpty() ? "" : ", " + p.label()));
        p.get(Figure.CLIENTS).ifPresent(n -> parts.add(Format.whole(Math.round(n)) + " clients"));
        p.get(Figure.THROUGHPUT).ifPresent(x -> parts.add(Format.rate(x)));
        p.get(Figure.MEAN).ifPresent(r -> parts.add("mean " + (p.rounded() ? "at most " : "") + Format.time(r * 1e9)));
        return String.join(" · ", parts);
    }
}
