package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;

/**
 * What one knob of a winner contributes: the objective with it over the objective without it, all other knobs being as
 * in the winner.
 *
 * @param value what the winner sets it to
 * @param ratio by the model of all trials, the duel's included, with its 95 % interval; above 1 is better for
 *     throughput
 * @param measured valid trials of the winner without this knob; with none, the model infers it from other settings
 *     alone
 */
public record KnobShare(String knob, String value, Interval ratio, int measured) {}
