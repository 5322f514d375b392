package dev.fettle.insight.surface;

/**
 * One coordinate of a {@link Point}.
 *
 * @param ordered whether near coordinates behave alike; if not, they are names of values, equal or different
 */
public record Axis(boolean ordered) {}
