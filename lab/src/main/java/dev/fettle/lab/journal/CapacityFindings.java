package dev.fettle.lab.journal;

import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.OverloadResult;
import java.util.List;
import java.util.Optional;

/**
 * What came of it.
 *
 * @param idleMillis median latency of a single client, before any other load
 * @param result of the search, if there was one
 * @param overload of the spike, if there was one
 * @param notes what the user should know of how it was done
 */
public record CapacityFindings(
        double idleMillis, Optional<CapacityResult> result, Optional<OverloadResult> overload, List<String> notes) {
    public CapacityFindings {
        notes = List.copyOf(notes);
    }
}
