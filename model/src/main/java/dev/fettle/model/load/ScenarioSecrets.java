package dev.fettle.model.load;

import dev.fettle.model.load.Scenario.Check;
import dev.fettle.model.load.Scenario.Flow;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.text.Secrets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Masks secrets in scenarios; see {@link Secrets}. A text that is only a placeholder is not a secret. */
public final class ScenarioSecrets {
    private ScenarioSecrets() {}

    public static Scenario redact(Scenario scenario) {
        return new Scenario(
                scenario.flows().stream()
                        .map(f -> new Flow(
                                f.name(),
                                f.weight(),
                                f.steps().stream().map(ScenarioSecrets::redact).toList()))
                        .toList(),
                scenario.data(),
                masked(scenario.variables()),
                scenario.keepCookies(),
                scenario.seed());
    }

    private static Step redact(Step step) {
        var headers = new LinkedHashMap<String, String>();
        step.headers().forEach((name, value) -> headers.put(name, Secrets.harmless(name) ? value : masked(value)));
        return step.with()
                .path(Secrets.path(step.path()))
                .headers(headers)
                .body(step.body().map(ScenarioSecrets::masked))
                .form(masked(step.form()))
                .checks(step.checks().stream().map(ScenarioSecrets::redact).toList())
                .build();
    }

    private static Check redact(Check check) {
        boolean secret = switch (check.kind()) {
            case HEADER_EQUALS, JSON_EQUALS -> Secrets.looksSecret(check.where());
            default -> false;
        };
        return secret ? new Check(check.kind(), check.where(), masked(check.text())) : check;
    }

    private static Map<String, String> masked(Map<String, String> values) {
        var out = new LinkedHashMap<String, String>();
        values.forEach((name, value) -> out.put(name, masked(value)));
        return out;
    }

    private static String masked(String value) {
        return Templates.isPlace(value) ? value : Secrets.MASK;
    }
}
