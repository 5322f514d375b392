package dev.fettle.model.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The request for a comparison, beyond the plan's file: enough to resume it.
 *
 * @param programs the programs in place of the target's own, absolute, by the names of their variants and in order; empty: the variants are the plan's
 * @param failIfSlower the loss, a share of the first variant's figure, from which another one is too slow; empty: that is not asked
 */
public record CompareAsked(Map<String, String> programs, Optional<Double> failIfSlower) {
    public CompareAsked {
        programs = Collections.unmodifiableMap(new LinkedHashMap<>(programs));
    }
}
