package dev.fettle.report.html;

import dev.fettle.report.WrongAnswerWords;
import dev.fettle.report.WrongAnswerWords.Sample;
import java.util.List;

/** Samples of wrong answers, each in a block that unfolds. */
final class HtmlWrongAnswers {
    private HtmlWrongAnswers() {}

    /** Writes the section, if there are any. */
    static void write(Html html, List<Sample> samples) {
        if (samples.isEmpty()) {
            return;
        }
        html.section("wrong", "Wrong answers", s -> {
            s.el("p", "The first few that differ. What may be a secret is ***.", "class", "quiet");
            for (Sample sample : samples) {
                s.in("details", d -> {
                    d.el("summary", WrongAnswerWords.title(sample));
                    d.in("pre", pre -> pre.verbatim(WrongAnswerWords.whole(sample.answer())));
                });
            }
        });
    }
}
