package dev.fettle.model.plan;

import dev.fettle.model.plan.Condition.Comparison;
import dev.fettle.model.plan.Condition.Metric;
import dev.fettle.model.plan.Condition.Unit;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A service level objective: upper bounds on latency and errors, lower bounds on throughput. There is always a bound on errors,
 * because latency covers valid responses only: otherwise a server that refuses everything at once would be best.
 *
 * @param conditions all of them must hold
 */
public record Slo(Conditions conditions) {
    /** The default bound on errors, the same as an objective's. */
    private static final Condition ERRORS =
            new Condition(Metric.ERRORS, Comparison.LESS, Objective.DEFAULT.errorsAtMost());

    /** Checks the directions, and adds a bound on errors if there is none. */
    public Slo {
        for (Condition c : conditions.all()) {
            boolean upper = c.metric() != Metric.THROUGHPUT;
            if (c.comparison().upper() != upper) {
                throw new IllegalArgumentException("'%s' says what is bad: an SLO says what is good, %s%s%s"
                        .formatted(
                                c,
                                c.metric().id(),
                                upper ? "<" : ">",
                                c.metric().text(c.bound())));
            }
        }
        if (conditions.all().stream().noneMatch(c -> c.metric() == Metric.ERRORS)) {
            var all = new ArrayList<>(conditions.all());
            all.add(ERRORS);
            conditions = new Conditions(all);
        }
    }

    /**
     * Reads {@code p99<50ms,errors<0.1%}.
     *
     * @throws IllegalArgumentException with a message that says what is wrong where, and what would be right
     */
    public static Slo parse(String text) {
        return new Slo(Conditions.parse(text));
    }

    /** The limits of an objective; empty if it has none on latency. */
    public static Optional<Slo> of(Objective objective) {
        return objective
                .p99AtMost()
                .map(p99 -> new Slo(new Conditions(List.of(
                        new Condition(Metric.P99, Comparison.AT_MOST, p99.toNanos()),
                        new Condition(Metric.ERRORS, Comparison.AT_MOST, objective.errorsAtMost())))));
    }

    /** The tightest upper bound on a metric; empty without one. */
    public Optional<Double> atMost(Metric metric) {
        return conditions.all().stream()
                .filter(c -> c.metric() == metric && c.comparison().upper())
                .map(Condition::bound)
                .min(Double::compare);
    }

    /** The conditions on latency and errors, which apply at any rate. */
    public Conditions quality() {
        return new Conditions(conditions.all().stream()
                .filter(c -> c.metric() != Metric.THROUGHPUT)
                .toList());
    }

    public List<Condition> throughput() {
        return conditions.all().stream()
                .filter(c -> c.metric() == Metric.THROUGHPUT)
                .toList();
    }

    /** The longest latency in any condition, in nanoseconds; a later response is useless. Empty without one. */
    public OptionalFigure longestLatency() {
        return OptionalFigure.of(conditions.all().stream()
                .filter(c -> c.metric().unit() == Unit.NANOS)
                .mapToDouble(Condition::bound)
                .max());
    }

    /** The shortest latency in any condition, in nanoseconds. Empty without one. */
    public OptionalFigure shortestLatency() {
        return OptionalFigure.of(conditions.all().stream()
                .filter(c -> c.metric().unit() == Unit.NANOS)
                .mapToDouble(Condition::bound)
                .min());
    }

    /** The text that {@link #parse} reads back. */
    @Override
    public String toString() {
        return conditions.toString();
    }
}
