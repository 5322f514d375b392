package dev.fettle.lab.measure;

import dev.fettle.insight.stats.Latencies;
import dev.fettle.load.Window;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.Measurement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the steps of a load gave, each by itself.
 *
 * @param names of a scenario's steps; empty for a load that has none
 * @param samples of wrong answers
 */
record StepTotals(List<String> names, WrongAnswers samples) {
    StepTotals {
        names = List.copyOf(names);
    }

    /** What answers each step got, the commonest first, with samples of wrong ones. */
    List<Answers> answers(Window all) {
        var named = new ArrayList<Answers>();
        for (int i = 0; i < all.answers().size(); i++) {
            var seen = all.answers().get(i);
            String step = i < names.size() ? names.get(i) : "";
            var shapes = new ArrayList<Answers.Shape>();
            seen.shapes().forEach((s, n) -> shapes.add(new Answers.Shape(s.status(), s.shortest(), s.longest(), n)));
            shapes.sort(Comparator.comparingLong(Answers.Shape::count)
                    .reversed()
                    .thenComparing(Answers.Shape::status)
                    .thenComparing(Answers.Shape::shortest));
            var contents = new ArrayList<Answers.Content>();
            seen.contents()
                    .forEach((c, n) -> contents.add(new Answers.Content(
                            c.status(), c.length(), String.format("%08x", c.hash()), n, c.unzipped())));
            contents.sort(
                    Comparator.comparingLong(Answers.Content::count).reversed().thenComparing(Answers.Content::hash));
            named.add(new Answers(
                    step,
                    shapes,
                    contents,
                    seen.otherContents(),
                    samples.of(seen.wrong()),
                    seen.traced(),
                    seen.slowest().stream()
                            .map(t -> new Answers.Traced(t.id(), t.nanos(), t.valid()))
                            .toList()));
        }
        return named;
    }

    /** The latencies and failures of each step. */
    List<Measurement.Step> figures(Window all) {
        var named = new ArrayList<Measurement.Step>();
        for (int i = 0; i < all.steps().size(); i++) {
            var step = all.steps().get(i);
            String name = i < names.size() ? names.get(i) : "step " + (i + 1);
            named.add(new Measurement.Step(name, Latencies.summary(step.latency()), step.failed()));
        }
        return named;
    }
}
