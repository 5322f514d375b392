package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A finding as a rule writes it. */
final class FindingBuilder {
    private final String rule;
    private final Severity severity;
    private final String title;
    private final String sentence;
    private final List<String> evidence = new ArrayList<>();
    private OptionalFigure share = OptionalFigure.empty();
    private double weight;
    private String remedy = "";
    private Optional<String> knob = Optional.empty();
    private String refutedBy = "";
    private final List<String> becauseOf = new ArrayList<>();
    private boolean explains = true;

    FindingBuilder(String rule, Severity severity, String title, String sentence) {
        this.rule = rule;
        this.severity = severity;
        this.title = title;
        this.sentence = sentence;
    }

    FindingBuilder seen(String phrase) {
        evidence.add(phrase);
        return this;
    }

    FindingBuilder seen(Optional<String> phrase) {
        phrase.ifPresent(evidence::add);
        return this;
    }

    /** What was seen makes it a symptom of another rule's finding, if there is one. */
    FindingBuilder becauseOf(boolean seen, String otherRule) {
        return becauseOf(seen, List.of(otherRule));
    }

    /** The same of several rules. */
    FindingBuilder becauseOf(boolean seen, List<String> otherRules) {
        if (seen) {
            becauseOf.addAll(otherRules);
        }
        return this;
    }

    /** Whether other findings may be its symptoms: what costs next to nothing is the cause of none. */
    FindingBuilder explains(boolean others) {
        explains = others;
        return this;
    }

    /** How much of a request's time, or of that in its worker, it explains. */
    FindingBuilder share(double explained) {
        share = OptionalFigure.of(Math.clamp(explained, 0, 1));
        return weight(explained);
    }

    /** The same, where it is known. */
    FindingBuilder share(OptionalFigure explained) {
        return explained.isPresent() ? share(explained.getAsDouble()) : this;
    }

    /** Its place among the findings of its stage, where it is no share of a request's time: of whatever else it is one, 0 to 1. */
    FindingBuilder weight(double of) {
        weight = Math.clamp(of, 0, 1);
        return this;
    }

    FindingBuilder remedy(String words) {
        remedy = words;
        return this;
    }

    FindingBuilder knob(String name) {
        knob = Optional.of(name);
        return this;
    }

    FindingBuilder refutedBy(String experiment) {
        refutedBy = experiment;
        return this;
    }

    RuleResult found() {
        var finding = new Finding(
                rule, severity, title, sentence, evidence, share, remedy, knob, refutedBy, List.of(), Optional.empty());
        return new RuleResult.Found(finding, becauseOf, weight, explains);
    }
}
