package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A finding as a rule writes it. */
final class Draft {
    private final String rule;
    private final Severity severity;
    private final String title;
    private final String sentence;
    private final List<String> evidence = new ArrayList<>();
    private OptionalDouble share = OptionalDouble.empty();
    private String remedy = "";
    private Optional<String> knob = Optional.empty();
    private String refutedBy = "";

    Draft(String rule, Severity severity, String title, String sentence) {
        this.rule = rule;
        this.severity = severity;
        this.title = title;
        this.sentence = sentence;
    }

    Draft seen(String phrase) {
        evidence.add(phrase);
        return this;
    }

    Draft seen(Optional<String> phrase) {
        phrase.ifPresent(evidence::add);
        return this;
    }

    Draft share(double explained) {
        share = OptionalDouble.of(Math.clamp(explained, 0, 1));
        return this;
    }

    /** The same, where it is known. */
    Draft share(OptionalDouble explained) {
        return explained.isPresent() ? share(explained.getAsDouble()) : this;
    }

    Draft remedy(String words) {
        remedy = words;
        return this;
    }

    Draft knob(String name) {
        knob = Optional.of(name);
        return this;
    }

    Draft refutedBy(String experiment) {
        refutedBy = experiment;
        return this;
    }

    Look found() {
        return new Look.Found(new Finding(
                rule,
                severity,
                title,
                sentence,
                evidence,
                share,
                remedy,
                knob,
                refutedBy,
                List.of(),
                Optional.empty()));
    }
}
