package dev.fettle.insight.stats;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Caches a pure function of a count and a number: quantiles take some microseconds, and an experiment recomputes the same few
 * after every trial.
 */
final class QuantileCache {
    private final Map<Of, Double> known = Collections.synchronizedMap(new HashMap<>());
    private final Function function;

    private record Of(int count, double number) {}

    @FunctionalInterface
    interface Function {
        double of(int count, double number);
    }

    QuantileCache(Function function) {
        this.function = function;
    }

    double of(int count, double number) {
        return known.computeIfAbsent(new Of(count, number), o -> function.of(o.count, o.number));
    }
}
