package dev.fettle.insight.surface;

/**
 * One observation.
 *
 * @param value what was seen
 * @param expected what a law expects there, up to a constant; 0 where there is no law
 * @param time when, in trials: neighbours in time share what drifts
 */
public record Sample(Point at, double value, double expected, double time) {}
