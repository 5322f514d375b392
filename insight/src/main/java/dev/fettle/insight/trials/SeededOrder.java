package dev.fettle.insight.trials;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Random orders that a seed fixes. */
public final class SeededOrder {
    private SeededOrder() {}

    /**
     * A random order of its own for each seed and place. Neighbouring seeds and places must not resemble each other: of {@code
     * java.util.Random} the first draws of neighbouring seeds do, so that a slot would nearly always stand in the same place.
     *
     * @param places what the order is of: a repeat, say, or a condition and a block
     */
    public static <T> List<T> of(List<T> all, long seed, int... places) {
        long mixed = seed;
        for (int place : places) {
            mixed = new SplittableRandom(mixed).nextLong() + place;
        }
        var order = new ArrayList<>(all);
        Collections.shuffle(order, new SplittableRandom(mixed));
        return order;
    }
}
