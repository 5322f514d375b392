package dev.fettle.report.table;

import dev.fettle.report.Wording;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Writes samples in Prometheus' text format 0.0.4, or in that of OpenMetrics 1.0, where a counter's name has its {@code _total} in the
 * samples only, and a line ends all.
 */
final class MetricText {
    /** Upper bounds of the buckets in seconds: 1, 2, 5 from 100 µs to 100 s. */
    private static final double[] BOUNDS = {
        1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };

    /** How the name of a counter ends. */
    static final String TOTAL = "_total";

    private final String prefix;
    private final boolean open;
    private final StringBuilder out = new StringBuilder();

    /** @param prefix of all names */
    MetricText(String prefix) {
        this(prefix, false);
    }

    /** @param open whether it is OpenMetrics */
    MetricText(String prefix, boolean open) {
        this.prefix = prefix;
        this.open = open;
    }

    /**
     * What the samples that follow are.
     *
     * @param type gauge, counter, summary or histogram
     */
    void head(String name, String type, String help) {
        String family = open && name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
        out.append("# HELP ").append(prefix).append(family).append(' ');
        out.append(escaped(help)).append('\n');
        out.append("# TYPE ").append(prefix).append(family).append(' ');
        out.append(type).append('\n');
    }

    void sample(String name, Map<String, String> labels, double value) {
        sample(name, labels, BigDecimal.valueOf(value));
    }

    void sample(String name, Map<String, String> labels, long value) {
        sample(name, labels, BigDecimal.valueOf(value));
    }

    private void sample(String name, Map<String, String> labels, BigDecimal value) {
        out.append(prefix).append(name);
        if (!labels.isEmpty()) {
            out.append(new TreeMap<>(labels)
                    .entrySet().stream()
                            .map(l -> l.getKey() + "=\"" + label(l.getValue()) + "\"")
                            .collect(Collectors.joining(",", "{", "}")));
        }
        out.append(' ').append(value.stripTrailingZeros().toPlainString()).append('\n');
    }

    /** The samples of a histogram of times, whose name ends with the unit. */
    void histogram(String name, Map<String, String> labels, Histogram nanos) {
        for (double bound : BOUNDS) {
            bucket(name, labels, plain(bound), nanos.getCountBetweenValues(0, Math.round(bound * 1e9)));
        }
        bucket(name, labels, "+Inf", nanos.getTotalCount());
        sample(name + "_sum", labels, nanos.getTotalCount() == 0 ? 0 : nanos.getMean() * nanos.getTotalCount() / 1e9);
        sample(name + "_count", labels, nanos.getTotalCount());
    }

    private void bucket(String name, Map<String, String> labels, String bound, long below) {
        var all = new TreeMap<>(labels);
        all.put("le", bound);
        sample(name + "_bucket", all, below);
    }

    /** A number as this format has it. */
    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static String label(String value) {
        return escaped(value).replace("\"", "\\\"");
    }

    private static String escaped(String text) {
        return Wording.clean(text).replace("\\", "\\\\");
    }

    /** All lines so far, each ended. */
    String text() {
        return open ? out + "# EOF\n" : out.toString();
    }
}
