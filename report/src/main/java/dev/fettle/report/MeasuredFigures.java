package dev.fettle.report;

import dev.fettle.model.Measurement;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** A measurement as the {@link dev.fettle.model.Figures} that conditions are held against. */
public final class MeasuredFigures implements dev.fettle.model.Figures {
    private final Measurement m;
    private final Optional<Histogram> histogram;

    /** Reads the measurement's histogram once. */
    public MeasuredFigures(Measurement m) {
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

    /** Attempts given up because the load ended are no errors: nobody waited for them. */
    @Override
    public double errorShare() {
        long unsent = m.detail().offered().map(Measurement.Offered::unsent).orElse(0L);
        long all = m.responses() + m.failed() + unsent;
        return all == 0 ? 0 : (double) (m.failed() + unsent) / all;
    }

    @Override
    public double throughput() {
        return m.throughput();
    }
}
