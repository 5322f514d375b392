package dev.fettle.model.plan;

import java.util.OptionalDouble;

/**
 * What a capacity search was asked, beside the plan: enough to go on with it.
 *
 * @param label what is loaded, as the user sees it, without secrets
 * @param atLeast the rate that was asked for, arrivals a second
 * @param whole whether the journalled plan is all of it: nothing in it was a secret
 */
public record CapacityAsked(String label, CapacityOptions options, OptionalDouble atLeast, boolean whole) {}
