package dev.fettle.model.plan;

import dev.fettle.model.text.OptionalFigure;

/**
 * The request for a capacity search, beyond the plan: enough to resume it.
 *
 * @param label the loaded server as shown to the user, without secrets
 * @param atLeast the rate asked for, arrivals per second
 * @param whole whether the journalled plan is complete, with no secret removed
 */
public record CapacityAsked(String label, CapacityOptions options, OptionalFigure atLeast, boolean whole) {}
