package dev.fettle.insight.surface;

/**
 * One observation.
 *
 * @param value what was seen
 * @param expected what a law predicts there, up to a constant; 0 without a law
 * @param time position in time, counted in trials; neighbours share the drift
 * @param blur deviation that it has beyond that of any other, 0 or more: for what is known only roughly
 */
public record Sample(Point at, double value, double expected, double time, double blur) {
    /** An observation like any other. */
    public Sample(Point at, double value, double expected, double time) {
        this(at, value, expected, time, 0);
    }
}
