package dev.fettle.load;

import dev.fettle.load.api.Ranges;

/**
 * Which part of a load is sent here, where several processes send one load together. All have the same {@link LoadSpec}: of its
 * connections, requests, arrivals, users and rows of data, each number belongs to the part that it is modulo {@link #of}. So together they
 * are what one process would have sent, and nothing is left over.
 *
 * @param index from 0
 * @param of how many parts there are, 1 to 1,000
 * @param waits whether it waits for {@link LoadRun#beginAt}; else it begins at once
 */
public record Part(int index, int of, boolean waits) {
    /** All of a load, at once. */
    public static final Part WHOLE = new Part(0, 1, false);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of the range given above
     */
    public Part {
        Ranges.range("parts of a load", of, 1, 1_000);
        Ranges.range("part", index, 0, of - 1);
    }

    /** How many of so many belong to it. */
    public long share(long whole) {
        return whole / of + (index < whole % of ? 1 : 0);
    }

    /** The number, in the whole, of the one that has this number here, both from 0. */
    public long number(long own) {
        return own * of + index;
    }
}
