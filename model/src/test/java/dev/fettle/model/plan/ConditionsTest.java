package dev.fettle.model.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.trial.MeasuredValues;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionsTest {

    /** Latency is the percentile in milliseconds: p99 is 99 ms. */
    private record Linear(long responses, double errorShare, double throughput) implements MeasuredValues {
        @Override
        public double percentile(double percent) {
            return percent * 1e6;
        }

        @Override
        public double mean() {
            return 40e6;
        }
    }

    private static final MeasuredValues SEEN = new Linear(1000, 0.001, 500);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            p99<99ms              | false
            p99<=99ms             | true
            p99>98.9ms            | true
            p99>=99.1ms           | false
            p50<51ms              | true
            p75<76ms              | true
            p90<89ms              | false
            p95 < 96ms            | true
            p99.9<99.8ms          | false
            p99.9<99.95ms         | true
            p99.99<0.1s           | true
            max<=100ms            | true
            max<100ms             | false
            mean<41ms             | true
            P99 <= 99ms           | true
            errors<0.1%           | false
            errors<=0.1%          | true
            errors<0.002          | true
            throughput>499/s      | true
            throughput>0.5k/s     | false
            throughput>=500       | true
            throughput>=30000/m   | true
            """)
    void eachIsHeldAgainstItsFigure(String text, boolean holds) {
        assertThat(Conditions.parse(text).hold(SEEN)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                        | no condition: write p99<50ms
            p99                       | 'p99' has no comparison: write p99<50ms, errors<0.1% or throughput>1000/s (at position 1)
            p98<50ms                  | 'p98' is no figure: there are p50, p75, p90, p95, p99, p99.9, p99.99, max, mean, errors, throughput (at position 1)
            "p99<50ms, p98<1s"        | 'p98' is no figure: there are p50, p75, p90, p95, p99, p99.9, p99.99, max, mean, errors, throughput (at position 11)
            p99=50ms                  | '=' is no comparison: there are <, <=, > and >= (at position 1)
            p99<50                    | duration needs a unit: 50ms, 4s, 2m (at position 1)
            "p99<50ms,errors<120%"    | a share lies between 0 and 1 (0% and 100%), not '120%' (at position 10)
            throughput>fast           | 'fast' is not a rate: write 2500/s, 2.5k/s or 90/m (at position 1)
            "p99<50ms,"               | a condition is missing at position 10
            "p99<50ms and and max<1s" | a condition is missing at position 13
            """)
    void aBadTextIsToldWithItsPosition(String text, String message) {
        assertThatThrownBy(() -> Conditions.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void commasAndTheWordAndJoin() {
        Conditions c = Conditions.parse("p99<1s and max<50ms, errors<1% AND throughput>10/s");
        assertThat(c.all()).hasSize(4);
        assertThat(c.broken(SEEN)).extracting(Condition::toString).containsExactly("max<50ms");
        assertThat(c).hasToString("p99<1s,max<50ms,errors<1%,throughput>10/s");
    }

    @Test
    void withoutAnyResponseNoLatencyIsGoodOrBad() {
        var nothing = new Linear(0, 1, 0);
        assertThat(Conditions.parse("p99<1h").hold(nothing)).isFalse();
        assertThat(Conditions.parse("p99>0s").hold(nothing)).isFalse();
        assertThat(Conditions.parse("errors>50%").hold(nothing)).isTrue();
    }

    @Property
    void whatIsPrintedIsReadBack(@ForAll("conditions") Conditions some) {
        assertThat(Conditions.parse(some.toString())).isEqualTo(some);
    }

    @Provide
    Arbitrary<Conditions> conditions() {
        Arbitrary<Condition> one = Combinators.combine(
                        Arbitraries.of(Condition.Metric.values()),
                        Arbitraries.of(Condition.Comparison.values()),
                        Arbitraries.integers().between(1, 1_000_000))
                .as((metric, comparison, n) -> new Condition(
                        metric,
                        comparison,
                        switch (metric.unit()) {
                            case NANOS, PER_SECOND -> n;
                            case SHARE -> n / 1_000_000.0;
                        }));
        return one.list().ofMinSize(1).ofMaxSize(5).map(Conditions::new);
    }

    @Test
    void anSloAlwaysBoundsErrorsAndSaysWhatIsGood() {
        assertThat(Slo.parse("p99<50ms")).hasToString("p99<50ms,errors<0.1%");
        assertThat(Slo.parse("errors<=2%,p50<1ms")).hasToString("errors<=2%,p50<1ms");
        assertThat(Slo.parse("p99<50ms,throughput>10/s").throughput())
                .isEqualTo(List.of(new Condition(Condition.Metric.THROUGHPUT, Condition.Comparison.MORE, 10)));
        assertThat(Slo.parse("p50<1ms,p99<50ms,mean<3ms").longestLatency().optional())
                .hasValue(50e6);
        assertThat(Slo.parse("errors<1%").longestLatency().optional()).isEmpty();
        assertThatThrownBy(() -> Slo.parse("p99>50ms")).hasMessageContaining("an SLO says what is good, p99<50ms");
        assertThatThrownBy(() -> Slo.parse("throughput<5/s")).hasMessageContaining("throughput>5/s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"p99<50us", "p99<50ms", "p99<2s", "p99<2m", "max<1.5ms", "mean<999ns", "p50<1.25us", "p90<1500ms"
            })
    void aBoundKeepsTheUnitThatItWasGivenIn(String text) {
        assertThat(Conditions.parse(text)).hasToString(text);
    }
}
