package dev.fettle.insight.waits;

import java.util.List;

/**
 * A scheduler none of whose threads was idle.
 *
 * @param threads the names of its threads
 * @param count how many it has
 * @param site the application's method in which they were seen most often
 * @param does what it does there
 * @param calls the name of the library that it calls there; may be empty
 * @param fullAt the looks at which that was so, in seconds since measuring began
 * @param freeAt the others
 */
public record FullScheduler(
        String threads, int count, String site, Wait does, String calls, List<Double> fullAt, List<Double> freeAt) {
    /** The part of the looks at which none of its threads was idle, 0 to 1. */
    public double share() {
        return (double) fullAt.size() / (fullAt.size() + freeAt.size());
    }
}
