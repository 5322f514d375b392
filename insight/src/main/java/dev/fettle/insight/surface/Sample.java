package dev.fettle.insight.surface;

/**
 * One observation.
 *
 * @param value what was seen
 * @param expected what a law predicts there, up to a constant; 0 without a law
 * @param time position in time, counted in trials; neighbours share the drift
 */
public record Sample(Point at, double value, double expected, double time) {}
