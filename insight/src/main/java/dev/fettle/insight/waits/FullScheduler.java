package dev.fettle.insight.waits;

/**
 * A scheduler none of whose threads was idle.
 *
 * @param threads the names of its threads
 * @param count how many it has
 * @param site the application's method in which they were seen most often
 * @param does what it does there
 * @param calls the name of the library that it calls there; may be empty
 * @param share of the looks at which that was so, 0 to 1
 */
public record FullScheduler(String threads, int count, String site, Wait does, String calls, double share) {}
