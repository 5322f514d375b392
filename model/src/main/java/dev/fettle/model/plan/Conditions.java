package dev.fettle.model.plan;

import dev.fettle.model.trial.MeasuredValues;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One or more conditions: {@code p99<50ms, errors<0.1% and throughput>1000/s}.
 *
 * @param all in the given order, at least one
 */
public record Conditions(List<Condition> all) {
    private static final Pattern BETWEEN = Pattern.compile(",|(?<=\\s)and(?=\\s)", Pattern.CASE_INSENSITIVE);

    public Conditions {
        all = List.copyOf(all);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("no condition: write p99<50ms, errors<0.1% or throughput>1000/s");
        }
    }

    /**
     * Parses conditions joined by commas or {@code and}.
     *
     * @throws IllegalArgumentException naming the position (from 1) of what can't be read, and what would be right
     */
    public static Conditions parse(String text) {
        var all = new ArrayList<Condition>();
        Matcher between = BETWEEN.matcher(text);
        int begin = 0;
        boolean more = !text.isBlank();
        while (more) {
            more = between.find();
            int end = more ? between.start() : text.length();
            all.add(one(text, begin, end));
            begin = more ? between.end() : end;
        }
        return new Conditions(all);
    }

    private static Condition one(String text, int begin, int end) {
        int first = begin;
        while (first < end && Character.isWhitespace(text.charAt(first))) {
            first++;
        }
        if (first == end) {
            throw new IllegalArgumentException("a condition is missing at position " + (begin + 1));
        }
        try {
            return Condition.parse(text.substring(first, end).strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + " (at position " + (first + 1) + ")", e);
        }
    }

    /** Whether all hold. */
    public boolean hold(MeasuredValues figures) {
        return all.stream().allMatch(c -> c.holds(figures));
    }

    /** Those that do not hold. */
    public List<Condition> broken(MeasuredValues figures) {
        return all.stream().filter(c -> !c.holds(figures)).toList();
    }

    /** The text that {@link #parse} reads back: {@code p99<50ms,errors<0.1%}. */
    @Override
    public String toString() {
        return all.stream().map(Condition::toString).collect(Collectors.joining(","));
    }
}
