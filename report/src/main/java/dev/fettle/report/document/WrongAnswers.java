package dev.fettle.report.document;

import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.WrongAnswerWords.Sample;
import java.util.ArrayList;
import java.util.List;

/** Samples of wrong answers, each in a block that unfolds: a page has room for them. */
public final class WrongAnswers {
    private WrongAnswers() {}

    /** The section; empty if there are none. */
    public static Block section(List<Sample> samples) {
        var all = new ArrayList<Block>();
        if (!samples.isEmpty()) {
            all.add(new Block.Paragraph("The first few that differ. What may be a secret is ***.", Tone.QUIET));
        }
        samples.forEach(s -> all.add(new Block.Folded(
                WrongAnswerWords.title(s), List.of(new Block.Snippet("", WrongAnswerWords.whole(s.answer()))))));
        return Block.on(Where.ON_PAGE, new Block.Section("wrong", "Wrong answers", all));
    }
}
