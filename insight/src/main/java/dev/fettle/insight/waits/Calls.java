package dev.fettle.insight.waits;

/**
 * Calls that are over by themselves, as statements of a database or requests to another service, from one method of the application.
 *
 * @param site that method
 * @param does what they do
 * @param calls the name of the library that makes them; may be empty
 * @param share of the threads at work that wait for no other thread, 0 to 1
 * @param seen how many stacks that is, over all moments
 * @param lazy the part of those threads in which a mapper of objects loads what another object refers to, 0 to 1
 * @param virtual whether virtual threads make them
 */
public record Calls(String site, Wait does, String calls, double share, double seen, double lazy, boolean virtual) {}
