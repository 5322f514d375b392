package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A finding as a rule writes it: with the rule's words, and the figures for them. */
final class FindingBuilder {
    private final RuleEntry rule;
    private final Severity severity;
    private final Map<String, Object> figures;
    private final List<String> evidence = new ArrayList<>();
    private OptionalFigure share = OptionalFigure.empty();
    private double weight;
    private String variant = "";
    private Optional<String> knob = Optional.empty();
    private final List<String> waitsFor = new ArrayList<>();
    private boolean explains = true;

    /**
     * @param figures names and values in turn, for the words of the rule
     */
    FindingBuilder(RuleEntry rule, Severity severity, Object... figures) {
        this.rule = rule;
        this.severity = severity;
        this.figures = RuleEntry.figures(figures);
    }

    /** Takes the rule's words for this case where it has any of its own for it. */
    FindingBuilder as(String which) {
        variant = which + "-";
        return this;
    }

    /** A figure for its words. */
    FindingBuilder with(String name, Object figure) {
        figures.put(name, figure);
        return this;
    }

    FindingBuilder seen(String phrase) {
        if (!phrase.isEmpty()) {
            evidence.add(phrase);
        }
        return this;
    }

    FindingBuilder seen(Optional<String> phrase) {
        phrase.ifPresent(evidence::add);
        return this;
    }

    /** What was seen makes it a symptom of a finding that limits one of these resources, if there is one. */
    FindingBuilder waitsFor(boolean seen, String... resources) {
        if (seen) {
            waitsFor.addAll(List.of(resources));
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

    FindingBuilder knob(String name) {
        knob = Optional.of(name);
        return this;
    }

    private String words(String which) {
        return rule.fill(rule.has(variant + which) ? variant + which : which, figures);
    }

    RuleResult found() {
        String title = words("title");
        figures.put("title", title);
        var finding = new Finding(
                rule.id(),
                severity,
                title,
                words("sentence"),
                evidence,
                share,
                words("remedy"),
                knob,
                words("refuted-by"),
                List.of(),
                Optional.empty());
        return new RuleResult.Found(finding, waitsFor, weight, explains);
    }
}
