package dev.fettle.report.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * A metric and its samples, for any format.
 *
 * @param base its name without the unit and without {@code _total}: lower case, with lines
 * @param samples one for each set of labels
 */
record MetricFamily(String base, Kind kind, Unit unit, String help, List<Sample> samples) {
    /** What its samples are. */
    enum Kind {
        GAUGE,
        /** Counted from a beginning on. */
        COUNTER,
        /** Of times, nanoseconds. */
        HISTOGRAM
    }

    /** In what it is measured. */
    enum Unit {
        COUNT("", "{count}"),
        CPUS("_cpus", "{cpu}"),
        SHARE("_ratio", "1"),
        SECONDS("_seconds", "s"),
        BYTES("_bytes", "By"),
        PER_SECOND("_per_second", "{count}/s"),
        BYTES_PER_SECOND("_bytes_per_second", "By/s");

        private final String suffix;
        private final String ucum;

        Unit(String suffix, String ucum) {
            this.suffix = suffix;
            this.ucum = ucum;
        }

        /** As the Unified Code for Units of Measure has it, which OpenTelemetry's names are made with. */
        String ucum() {
            return ucum;
        }
    }

    /**
     * One figure, or a histogram.
     *
     * @param since when its counting began, milliseconds since 1970
     * @param value of a histogram: how many it has
     * @param times of a histogram, in nanoseconds
     */
    record Sample(Map<String, String> labels, long since, double value, Optional<Histogram> times) {}

    MetricFamily {
        samples = List.copyOf(samples);
    }

    /** Prometheus' name, without a prefix. */
    String name() {
        if (kind == Kind.COUNTER) {
            return base + MetricText.TOTAL;
        }
        return unit == Unit.COUNT && base.endsWith(MetricText.TOTAL)
                ? base.substring(0, base.length() - MetricText.TOTAL.length())
                : base + unit.suffix;
    }

    /** OpenTelemetry's name: the unit stands next to it. */
    String dotted() {
        return (unit == Unit.CPUS ? base + unit.suffix : base).replace('_', '.');
    }
}
