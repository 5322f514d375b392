package dev.fettle.cli.option;

import dev.fettle.cli.option.Converters.Time;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Figures of a load test, given as options. */
public final class FigureOptions {
    @Option(names = "--clients", paramLabel = "N", description = "Clients, users or connections that load at once.")
    private @Nullable Double clients;

    @Option(names = "--rate", paramLabel = "RATE", description = "Responses a second: 6926/s.")
    private OptionalFigure rate = OptionalFigure.empty();

    @Option(names = "--mean", paramLabel = "TIME", converter = Time.class, description = "Mean latency: 201ms.")
    private @Nullable Duration mean;

    @Option(names = "--max", paramLabel = "TIME", converter = Time.class, description = "Longest latency.")
    private @Nullable Duration max;

    @Option(
            names = "--percentile",
            paramLabel = "P=TIME",
            converter = {Percent.class, Time.class},
            description = "A percentile, may be repeated: --percentile 99=1105ms.")
    private Map<Double, Duration> percentiles = new LinkedHashMap<>();

    @Option(
            names = "--think",
            paramLabel = "TIME",
            converter = Time.class,
            description = "Pause of a client between two requests: 500ms.")
    private @Nullable Duration think;

    @Option(names = "--duration", paramLabel = "TIME", description = "How long it was measured: 30s.")
    private @Nullable Duration duration;

    @Option(names = "--responses", paramLabel = "N", description = "All responses, wrong ones included.")
    private @Nullable Double responses;

    @Option(names = "--failed", paramLabel = "N", description = "Requests that failed, wrong responses included.")
    private @Nullable Double failed;

    @Option(names = "--non-2xx", paramLabel = "N", description = "Responses with another status than 2xx.")
    private @Nullable Double wrong;

    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            converter = Bandwidth.class,
            description = "Bytes received a second: 80k.")
    private @Nullable Double bandwidth;

    /** The figures given, with missing ones taken from others. */
    public Published over(Published others) {
        Published p = figures().or(others);
        // wrong responses have failed, and others may have, too
        return wrong != null && failed == null
                ? p.with(Figure.FAILED, Math.max(p.get(Figure.FAILED).orElse(0), wrong))
                : p;
    }

    private Published figures() {
        Published p = Published.of("given", "").with(Figure.THROUGHPUT, rate.optional());
        p = with(p, Figure.CLIENTS, clients);
        p = with(p, Figure.MEAN, mean);
        p = with(p, Figure.MAX, max);
        p = with(p, Figure.THINK, think);
        p = with(p, Figure.SECONDS, duration);
        p = with(p, Figure.RESPONSES, responses);
        p = with(p, Figure.FAILED, failed);
        p = with(p, Figure.WRONG, wrong);
        p = with(p, Figure.BYTES_PER_SECOND, bandwidth);
        for (var e : percentiles.entrySet()) {
            p = p.with(e.getKey(), e.getValue().toNanos() / 1e9);
        }
        return p;
    }

    private static Published with(Published p, Figure figure, @Nullable Object value) {
        return value == null ? p : p.with(figure, value instanceof Duration d ? d.toNanos() / 1e9 : (double) value);
    }

    /** {@code 80k}, {@code 80kB/s}. */
    static final class Bandwidth implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return (double) Units.size(text.replaceAll("(?i)b?(/s)?$", ""));
        }
    }

    /** Of a percentile: {@code 99.9}. */
    static final class Percent implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            if (text.matches("[0-9]{1,2}(\\.[0-9]{1,15})?") && Double.parseDouble(text) > 0) {
                return Double.valueOf(text);
            }
            throw new IllegalArgumentException("a percentile lies between 0 and 100");
        }
    }
}
