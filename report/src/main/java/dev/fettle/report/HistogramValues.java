package dev.fettle.report;

import dev.fettle.model.trial.Measurement;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * A measurement in the form of the {@link dev.fettle.model.trial.MeasuredValues} that conditions are checked against.
 */
public final class HistogramValues implements dev.fettle.model.trial.MeasuredValues {
    private final Measurement m;
    private final Optional<Histogram> histogram;

    /** Reads the measurement's histogram once. */
    public HistogramValues(Measurement m) {
        this.m = m;
        this.histogram = Histograms.decode(m);
    }

    @Override
    public long responses() {
        return m.responses();
    }

    @Override
    public double percentile(double percent) {
        return histogram.map(h -> (double) h.getValueAtPercentile(percent)).orElse(Double.NaN);
    }

    @Override
    public double mean() {
        return m.latency().mean();
    }

    @Override
    public double errorShare() {
        return m.errorShare();
    }

    @Override
    public double throughput() {
        return m.throughput();
    }
}
