package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;

/**
 * What one knob of a winner gives: the objective with it over the objective without it, all other knobs as the winner has them.
 *
 * @param value what the winner sets it to
 * @param ratio by the model of all trials, the duel's included, with its 95 % interval; above 1 is better for throughput
 * @param measured valid trials of the winner without this knob: with none, the model goes by other settings alone
 */
public record KnobShare(String knob, String value, Interval ratio, int measured) {}
