package dev.fettle.junit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a plan's run.
 *
 * @param headline the answer in a sentence or two
 * @param runId the run in the journal: {@code fettle report RUN} writes its page
 * @param capacity the highest rate that meets the SLO, per second; NaN of another command
 * @param json all that the command reported; numbers are {@link Double}
 */
public record PlanResult(String headline, String runId, double capacity, Map<String, @Nullable Object> json) {

    static PlanResult of(Map<String, @Nullable Object> json) {
        Map<String, @Nullable Object> capacity = Json.asObject(json.get("capacity"));
        Map<String, @Nullable Object> conclusion = Json.asObject(json.get("conclusion"));
        String headline = Json.asText(capacity.get("headline"))
                .or(() -> Json.asText(conclusion.get("headline")))
                .orElse("no answer");
        return new PlanResult(
                headline, Json.asText(json.get("runId")).orElse(""), Json.number(capacity.get("ratePerSecond")), json);
    }

    /** The answer. */
    @Override
    public String toString() {
        return headline;
    }
}
