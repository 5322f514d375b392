package dev.fettle.model.plan;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.Units;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.MeasuredValues;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A bound on one figure of a load: {@code p99<50ms}, {@code errors<=0.1%}, {@code throughput>1000/s}.
 *
 * @param bound in the metric's unit: nanoseconds, a share from 0 to 1, or per second
 */
public record Condition(Metric metric, Comparison comparison, double bound) {

    /** The unit of a figure. */
    public enum Unit {
        NANOS,
        SHARE,
        PER_SECOND
    }

    /** The figures that a condition can be about. */
    public enum Metric {
        P50("p50", Unit.NANOS, 50),
        P75("p75", Unit.NANOS, 75),
        P90("p90", Unit.NANOS, 90),
        P95("p95", Unit.NANOS, 95),
        P99("p99", Unit.NANOS, 99),
        P999("p99.9", Unit.NANOS, 99.9),
        P9999("p99.99", Unit.NANOS, 99.99),
        MAX("max", Unit.NANOS, 100),
        MEAN("mean", Unit.NANOS, 0),
        /** Share of the attempts that failed, were given up, or were due and never sent. */
        ERRORS("errors", Unit.SHARE, 0),
        /** Valid responses a second. */
        THROUGHPUT("throughput", Unit.PER_SECOND, 0);

        private final String id;
        private final Unit unit;
        private final double percentile;

        Metric(String id, Unit unit, double percentile) {
            this.id = id;
            this.unit = unit;
            this.percentile = percentile;
        }

        /** The name users write. */
        public String id() {
            return id;
        }

        /** The unit of {@link Condition#bound()}. */
        public Unit unit() {
            return unit;
        }

        /** A latency's percentile, 100 for the maximum; 0 for other metrics. */
        public double percentile() {
            return percentile;
        }

        /** All ids, in order. */
        public static List<String> ids() {
            return Arrays.stream(values()).map(Metric::id).toList();
        }

        /** The figure; empty for a latency if there was no valid response. */
        public OptionalFigure of(MeasuredValues figures) {
            if (unit == Unit.NANOS && figures.responses() == 0) {
                return OptionalFigure.empty();
            }
            return OptionalFigure.of(
                    switch (this) {
                        case ERRORS -> figures.errorShare();
                        case THROUGHPUT -> figures.throughput();
                        case MEAN -> figures.mean();
                        default -> figures.percentile(percentile);
                    });
        }

        /** The figure of some latencies, nanoseconds; only of a metric that is one. */
        public double of(LatencySummary latencies) {
            return this == MEAN ? latencies.mean() : latencies.percentile(percentile);
        }

        /** A value of this metric for people: {@code 50ms}, {@code 0.1%}, {@code 1000/s}. */
        public String text(double value) {
            return switch (unit) {
                case NANOS -> Units.shortest(Duration.ofNanos(Math.round(value)));
                case SHARE -> plain(BigDecimal.valueOf(value).movePointRight(2)) + "%";
                case PER_SECOND -> plain(BigDecimal.valueOf(value)) + "/s";
            };
        }

        private static String plain(BigDecimal value) {
            return value.stripTrailingZeros().toPlainString();
        }
    }

    /** How a figure is compared with the bound. */
    public enum Comparison {
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /** {@code <}, {@code <=}, {@code >} or {@code >=}. */
        public String sign() {
            return sign;
        }

        /** Whether it bounds from above. */
        public boolean upper() {
            return this == LESS || this == AT_MOST;
        }

        boolean holds(double value, double bound) {
            return switch (this) {
                case LESS -> value < bound;
                case AT_MOST -> value <= bound;
                case MORE -> value > bound;
                case AT_LEAST -> value >= bound;
            };
        }
    }

    /** Whether it holds for a value of its metric. */
    public boolean holds(double value) {
        return comparison.holds(value, bound);
    }

    /** Whether the condition holds. One on latency does not if there was no valid response. */
    public boolean holds(MeasuredValues figures) {
        OptionalFigure value = metric.of(figures);
        return value.isPresent() && holds(value.getAsDouble());
    }

    /** The text that {@link Conditions#parse} reads back. */
    @Override
    public String toString() {
        return metric.id() + comparison.sign() + metric.text(bound);
    }

    /** Parses one condition; the exception's message says what would be right. */
    static Condition parse(String text) {
        int sign = 0;
        while (sign < text.length() && "<>=!".indexOf(text.charAt(sign)) < 0) {
            sign++;
        }
        int value = sign;
        while (value < text.length() && "<>=!".indexOf(text.charAt(value)) >= 0) {
            value++;
        }
        if (sign == value) {
            throw new IllegalArgumentException(
                    "'%s' has no comparison: write p99<50ms, errors<0.1%% or throughput>1000/s".formatted(text));
        }
        Metric metric = metric(text.substring(0, sign).strip());
        Comparison comparison = comparison(text.substring(sign, value));
        return new Condition(
                metric, comparison, bound(metric, text.substring(value).strip()));
    }

    private static Metric metric(String id) {
        for (Metric m : Metric.values()) {
            if (m.id.equals(id.toLowerCase(Locale.ROOT))) {
                return m;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is no figure: there are %s".formatted(id, String.join(", ", Metric.ids())));
    }

    private static Comparison comparison(String sign) {
        for (Comparison c : Comparison.values()) {
            if (c.sign.equals(sign)) {
                return c;
            }
        }
        throw new IllegalArgumentException("'%s' is no comparison: there are <, <=, > and >=".formatted(sign));
    }

    private static double bound(Metric metric, String text) {
        return switch (metric.unit()) {
            case NANOS -> Units.duration(text).toNanos();
            case SHARE -> Units.share(text);
            case PER_SECOND -> Units.rate(text);
        };
    }
}
