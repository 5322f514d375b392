package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import java.util.Optional;

/**
 * What one knob of a winner contributes: the objective with it over the objective without it, all other knobs being as
 * in the winner, but for those that can't be set without it.
 *
 * @param value what the winner sets it to
 * @param ratio of the means of all trials, the duel's included, with its interval, which holds together with those of the other knobs at
 *     95 %; without trials to measure it by, what the model of all trials expects, without an interval; above 1 is better for throughput
 * @param measured trials of the winner without this knob that have figures to compare; with none, the model infers it from other
 *     settings alone
 * @param trouble why the winner can't do without it, in words: {@code the target crashed}, {@code it breaks the limit on p99 (812 ms, at
 *     most 500 ms)}; empty if it can, or that was not tried
 */
public record KnobShare(String knob, String value, Interval ratio, int measured, Optional<String> trouble) {}
