package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.trial.Sighting;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A JVM that ended itself and wrote why. */
final class CrashRule {
    private CrashRule() {}

    static RuleResult look(RuleEntry r, TrialFacts s) {
        Map<String, String> facts = s.sightings(Sighting.CRASH).stream()
                .collect(Collectors.toMap(Sighting::what, Sighting::detail, (a, _) -> a));
        if (!facts.containsKey("CAUSE")) {
            return new RuleResult.NotObserved("there is no report of a JVM's end (hs_err_pid.log)");
        }
        return new FindingBuilder(
                        r,
                        Severity.FAULT,
                        "what",
                        text(facts, "WHAT"),
                        "frame",
                        text(facts, "FRAME"),
                        "java",
                        text(facts, "JAVA"),
                        "thread",
                        text(facts, "THREAD"),
                        "compiling",
                        text(facts, "COMPILING"),
                        "asked",
                        number(facts, "ASKED"),
                        "limit",
                        number(facts, "LIMIT"),
                        "used",
                        number(facts, "USED"),
                        "free",
                        number(facts, "FREE"),
                        "threads",
                        number(facts, "THREADS"),
                        "seconds",
                        number(facts, "SECONDS"))
                .as(facts.get("CAUSE").toLowerCase(Locale.ROOT))
                .weight(1)
                .found();
    }

    private static Optional<Double> number(Map<String, String> facts, String name) {
        return text(facts, name).map(Double::parseDouble);
    }

    private static Optional<String> text(Map<String, String> facts, String name) {
        return Optional.ofNullable(facts.get(name)).filter(t -> !t.isEmpty());
    }
}
