package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The values of a knob that a tune may try.
 *
 * <p>Either an interval or a list of choices: {@code choices} is empty for an interval.
 *
 * @param knob common name
 * @param from smallest value of an interval
 * @param to largest value of an interval
 * @param choices the values allowed, for a list
 */
public record KnobRange(String knob, long from, long to, List<String> choices) {
    public KnobRange {
        choices = List.copyOf(choices);
    }

    /** An interval of integers. */
    public static KnobRange interval(String knob, long from, long to) {
        return new KnobRange(knob, from, to, List.of());
    }

    public static KnobRange choices(String knob, List<String> choices) {
        return new KnobRange(knob, 0, 0, choices);
    }

    /** Whether this is an interval of integers. */
    @JsonIgnore
    public boolean isInterval() {
        return choices.isEmpty();
    }
}
