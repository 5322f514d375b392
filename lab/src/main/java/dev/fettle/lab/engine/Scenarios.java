package dev.fettle.lab.engine;

import dev.fettle.load.RequestTemplate.Header;
import dev.fettle.load.Scenario;
import dev.fettle.load.Scenario.Body;
import dev.fettle.load.Scenario.Condition;
import dev.fettle.load.Scenario.Extraction;
import dev.fettle.load.Scenario.Feed;
import dev.fettle.load.Scenario.Flow;
import dev.fettle.load.Scenario.Order;
import dev.fettle.load.Scenario.Source;
import dev.fettle.load.Scenario.Step;
import dev.fettle.load.Scenario.Think;
import dev.fettle.model.load.Csv;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Translates a plan's scenario into the engine's terms, and reads its data. */
final class Scenarios {
    private Scenarios() {}

    /** @throws IllegalArgumentException if the data can't be read; the message says why and contains no values */
    static Scenario of(dev.fettle.model.load.Scenario scenario) {
        return new Scenario(
                scenario.flows().stream()
                        .map(f -> new Flow(
                                f.name(),
                                f.weight(),
                                f.steps().stream().map(Scenarios::step).toList()))
                        .toList(),
                scenario.data().stream().map(Scenarios::feed).toList(),
                scenario.variables(),
                scenario.keepCookies(),
                scenario.seed());
    }

    private static Feed feed(dev.fettle.model.load.Scenario.Data data) {
        Path file = Path.of(data.file());
        Csv csv = Csv.read(file);
        return new Feed(
                String.valueOf(file.getFileName()),
                csv.columns(),
                csv.rows(),
                Order.valueOf(data.order().name()));
    }

    private static Step step(dev.fettle.model.load.Scenario.Step s) {
        if (s.isMessage()) {
            return Step.message(
                    s.name(),
                    s.body().orElse(""),
                    s.checks().stream().map(Scenarios::condition).toList(),
                    s.extractions().stream().map(Scenarios::extraction).toList(),
                    new Think(s.thinkFrom(), s.thinkTo()),
                    s.goOn());
        }
        return new Step(
                s.name(),
                s.method(),
                s.path(),
                fields(s.headers()),
                s.form().isEmpty() ? new Body.Text(s.body().orElse("")) : new Body.Form(fields(s.form())),
                s.statuses(),
                s.checks().stream().map(Scenarios::condition).toList(),
                s.extractions().stream().map(Scenarios::extraction).toList(),
                new Think(s.thinkFrom(), s.thinkTo()),
                s.goOn());
    }

    private static List<Header> fields(Map<String, String> values) {
        return values.entrySet().stream()
                .map(e -> new Header(e.getKey(), e.getValue()))
                .toList();
    }

    private static Condition condition(dev.fettle.model.load.Scenario.Check check) {
        return switch (check.kind()) {
            case HEADER_PRESENT -> new Condition.HeaderPresent(check.where());
            case HEADER_EQUALS -> new Condition.HeaderEquals(check.where(), check.text());
            case HEADER_MATCHES -> new Condition.HeaderMatches(check.where(), check.text());
            case BODY_CONTAINS -> new Condition.BodyContains(check.text());
            case BODY_LACKS -> new Condition.BodyLacks(check.text());
            case BODY_MATCHES -> new Condition.BodyMatches(check.text());
            case JSON_EQUALS -> new Condition.JsonEquals(check.where(), check.text());
        };
    }

    private static Extraction extraction(dev.fettle.model.load.Scenario.Extraction e) {
        Source source = switch (e.from()) {
            case JSON -> new Source.Json(e.where());
            case BODY -> new Source.Regex(e.regex().orElseThrow());
            case HEADER -> new Source.Header(e.where(), e.regex());
        };
        return new Extraction(e.variable(), source);
    }
}
