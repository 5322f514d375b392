package dev.fettle.insight;

import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Optional;

/**
 * The result of a capacity search.
 *
 * @param idleMillis median latency of a single client, before any other load; empty if it got no answer
 * @param result of the search, if there was one
 * @param overload of the spike, if there was one
 * @param launches what was found in each process; empty if there was one
 * @param notes what the user should know about how it was done
 */
public record CapacityConclusion(
        OptionalFigure idleMillis,
        Optional<CapacityResult> result,
        Optional<OverloadResult> overload,
        List<CapacityResult> launches,
        List<String> notes)
        implements Conclusion {
    public CapacityConclusion {
        launches = List.copyOf(launches);
        notes = List.copyOf(notes);
    }

    @Override
    public String headline() {
        return result.map(CapacityResult::headline)
                .or(() -> overload.map(OverloadResult::headline))
                .orElse("Nothing was searched.");
    }
}
