package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.trial.LatencySummary;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    /** The histogram's own figures, one by one. */
    private static LatencySummary own(Histogram h) {
        return new LatencySummary(
                h.getTotalCount(),
                h.getMean(),
                h.getValueAtPercentile(50),
                h.getValueAtPercentile(75),
                h.getValueAtPercentile(90),
                h.getValueAtPercentile(95),
                h.getValueAtPercentile(99),
                h.getValueAtPercentile(99.9),
                h.getValueAtPercentile(99.99),
                h.getMaxValue());
    }

    @Property(tries = 200)
    void onePassGivesTheHistogramsOwnFigures(
            @ForAll @Size(min = 1, max = 300) List<@LongRange(min = 0, max = 60_000_000_000L) Long> values,
            @ForAll @LongRange(min = 1, max = 20_000) long times) {
        var h = new Histogram(3);
        h.setAutoResize(true);
        h.recordValueWithCount(values.getFirst(), times);
        values.forEach(h::recordValue);
        assertThat(Latencies.summary(h)).isEqualTo(own(h));
    }

    @Test
    void anEmptyOneHasNone() {
        assertThat(Latencies.summary(new Histogram(3))).isEqualTo(LatencySummary.NONE);
    }
}
