package dev.fettle.report.document;

import dev.fettle.model.trial.Measurement;
import dev.fettle.report.Histograms;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/** Tables of what was measured, of the trials of a run or of a bench: latency by percentile, and throughput over time. */
public final class MeasuredTables {
    private MeasuredTables() {}

    /** A distribution under a name. */
    public record Latency(String name, Histogram histogram) {}

    /**
     * The percentiles familiar from ab and wrk.
     *
     * @param of what the names are
     */
    public static Table percentiles(String of, List<Latency> all) {
        var table = Table.<Latency>of(all).words(of, Latency::name);
        for (double p : Histograms.FAMILIAR) {
            String heading =
                    p == 100 ? "max" : (p == Math.rint(p) ? Long.toString((long) p) : Double.toString(p)) + " %";
            table.figure(heading, l -> Value.time(l.histogram().getValueAtPercentile(p)));
        }
        return table.build();
    }

    /** A load over time. */
    public record Course(String name, Optional<Duration> warmUp, Measurement measured, boolean valid) {
        private double rate(ToDoubleFunction<DoubleStream> of) {
            return of.applyAsDouble(measured.windows().stream()
                    .filter(Measurement.Window::measured)
                    .mapToDouble(Measurement.Window::throughput));
        }
    }

    /**
     * The lowest, mean and highest throughput of each.
     *
     * @param of what the names are
     */
    public static Table overTime(String of, List<Course> all) {
        return Table.<Course>of(all)
                .words(of, Course::name)
                .known("warm-up", c -> c.warmUp().map(Value::time).orElse(Value.NONE))
                .figure("least /s", c -> Value.number(c.rate(s -> s.min().orElse(Double.NaN))))
                .figure("mean /s", c -> Value.number(c.measured().throughput()))
                .figure("most /s", c -> Value.number(c.rate(s -> s.max().orElse(Double.NaN))))
                .tone(c -> c.valid() ? Tone.PLAIN : Tone.QUIET)
                .build();
    }
}
