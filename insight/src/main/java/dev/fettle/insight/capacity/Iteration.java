package dev.fettle.insight.capacity;

import dev.fettle.model.load.Load;

/**
 * What one arrival of an open load asks of the server.
 *
 * @param requests on average: one, or the steps of a scenario
 * @param pauses for how long its user pauses between them, seconds, on average
 */
public record Iteration(double requests, double pauses) {
    /** An arrival of a load without a scenario. */
    public static final Iteration ONE_REQUEST = new Iteration(1, 0);

    public static Iteration of(Load load) {
        return load.scenario().map(s -> new Iteration(s.requests(), s.pauses())).orElse(ONE_REQUEST);
    }
}
