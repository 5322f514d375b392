package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Latencies;
import dev.fettle.model.plan.Condition.Unit;
import dev.fettle.model.plan.Slo;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;

class ProbeOutlookProperties {

    /** What is called lost early is broken when the probe has gone its full length. */
    @Property(tries = 500)
    void whatIsLostStaysLost(
            @ForAll @IntRange(min = 1, max = 300) int rate,
            @ForAll @IntRange(min = 1, max = 5) int seconds,
            @ForAll @Size(max = 600) List<@IntRange(max = 200) Integer> millis,
            @ForAll @DoubleRange(max = 1) double shareSeen,
            @ForAll("slos") Slo slo) {
        List<Integer> all = millis.subList(0, Math.min(millis.size(), rate * seconds));
        Histogram soFar = histogram(all.subList(0, (int) (shareSeen * all.size())));
        if (ProbeOutlook.isLost(slo, rate, 1, seconds, soFar, 0)) {
            Histogram whole = histogram(all);
            assertThat(slo.quality().all())
                    .anyMatch(c -> c.metric().unit() == Unit.NANOS
                            && Latencies.summary(whole).percentile(c.metric().percentile()) > c.bound());
        }
    }

    @Provide
    Arbitrary<Slo> slos() {
        return Arbitraries.of("p50<100ms", "p99<20ms", "p95<150ms,p99.9<180ms", "max<150ms")
                .map(Slo::parse);
    }

    @Example
    void aServerThatIsFarTooSlowIsLostSoon() {
        var latency = new Histogram(3);
        latency.recordValueWithCount(200_000_000, 80);
        Slo slo = Slo.parse("p99<50ms");
        assertThat(ProbeOutlook.isLost(slo, 1000, 1, 5, latency, 0)).isTrue();
        assertThat(ProbeOutlook.isLost(slo, 10_000, 1, 5, latency, 0)).isFalse();
        // ten times as many requests may come if each arrival is a scenario of ten
        assertThat(ProbeOutlook.isLost(slo, 1000, 10, 5, latency, 0)).isFalse();
        assertThat(ProbeOutlook.isLost(Slo.parse("p95<50ms"), 1000, 1, 5, latency, 0))
                .isFalse();
    }

    @Example
    void failuresBeyondTheBoundAreLost() {
        Slo slo = Slo.parse("p99<50ms,errors<1%");
        assertThat(ProbeOutlook.isLost(slo, 1000, 1, 1, new Histogram(3), 11)).isFalse();
        assertThat(ProbeOutlook.isLost(slo, 1000, 1, 1, new Histogram(3), 14)).isTrue();
    }

    private static Histogram histogram(List<Integer> millis) {
        var h = new Histogram(3);
        millis.forEach(m -> h.recordValue(m * 1_000_000L));
        return h;
    }
}
