package dev.fettle.cli.option;

import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Figures of a load test, given as options. */
public final class FigureOptions {
    @Option(names = "--clients", paramLabel = "N", description = "Clients, users or connections that load at once.")
    private @Nullable Double clients;

    @Option(names = "--rate", paramLabel = "RATE", description = "Responses a second: 6926/s.")
    private @Nullable String rate;

    @Option(names = "--mean", paramLabel = "TIME", description = "Mean latency: 201ms.")
    private @Nullable String mean;

    @Option(names = "--max", paramLabel = "TIME", description = "Longest latency.")
    private @Nullable String max;

    @Option(
            names = "--percentile",
            paramLabel = "P=TIME",
            description = "A percentile, may be repeated: --percentile 99=1105ms.")
    private Map<Double, String> percentiles = new LinkedHashMap<>();

    @Option(names = "--think", paramLabel = "TIME", description = "Pause of a client between two requests: 500ms.")
    private @Nullable String think;

    @Option(names = "--duration", paramLabel = "TIME", description = "How long it was measured: 30s.")
    private @Nullable String duration;

    @Option(names = "--responses", paramLabel = "N", description = "All responses, wrong ones included.")
    private @Nullable Double responses;

    @Option(names = "--failed", paramLabel = "N", description = "Requests that failed, wrong responses included.")
    private @Nullable Double failed;

    @Option(names = "--non-2xx", paramLabel = "N", description = "Responses with another status than 2xx.")
    private @Nullable Double wrong;

    @Option(names = "--bandwidth", paramLabel = "BYTES", description = "Bytes received a second: 80k.")
    private @Nullable String bandwidth;

    /** The figures given, with missing ones taken from others. */
    public Published over(Published others) {
        Published p = figures().or(others);
        // wrong responses have failed, and others may have, too
        return wrong != null && failed == null
                ? p.with(Figure.FAILED, Math.max(p.get(Figure.FAILED).orElse(0), wrong))
                : p;
    }

    private Published figures() {
        Published p = Published.of("given", "");
        p = number(p, Figure.CLIENTS, "--clients", clients);
        p = rate == null ? p : p.with(Figure.THROUGHPUT, Parse.rate("--rate", rate));
        p = time(p, Figure.MEAN, "--mean", mean);
        p = time(p, Figure.MAX, "--max", max);
        p = time(p, Figure.THINK, "--think", think);
        p = duration == null
                ? p
                : p.with(Figure.SECONDS, Parse.seconds("--duration", duration).toNanos() / 1e9);
        p = number(p, Figure.RESPONSES, "--responses", responses);
        p = number(p, Figure.FAILED, "--failed", failed);
        p = number(p, Figure.WRONG, "--non-2xx", wrong);
        if (bandwidth != null) {
            String text = bandwidth.replaceAll("(?i)b?(/s)?$", "");
            p = p.with(
                    Figure.BYTES_PER_SECOND,
                    Parse.tried("--bandwidth", text, Units::size).doubleValue());
        }
        for (var e : percentiles.entrySet()) {
            if (!(e.getKey() > 0 && e.getKey() < 100)) {
                throw Parse.usage("--percentile " + e.getKey() + ": a percentile lies between 0 and 100");
            }
            p = p.with(e.getKey(), seconds("--percentile", e.getValue()));
        }
        return p;
    }

    private static Published number(Published p, Figure figure, String option, @Nullable Double value) {
        if (value != null && !(value >= 0 && value < 1e15)) {
            throw Parse.usage(option + " " + value + ": a number from 0 on is wanted");
        }
        return value == null ? p : p.with(figure, value);
    }

    private static Published time(Published p, Figure figure, String option, @Nullable String text) {
        return text == null ? p : p.with(figure, seconds(option, text));
    }

    private static double seconds(String option, String text) {
        Duration d = Parse.time(option, text);
        return d.toNanos() / 1e9;
    }
}
