package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.trial.Signal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      1.382 | 1.351 | 1.410 | +38.2 % [35.1, 41.0]
      0.979 | 0.960 | 0.997 | -2.1 % [-4.0, -0.3]
      1.0   | 0.99999 | 1.02 | +0.0 % [0.0, 2.0]
      0.0151 | 0.0148 | 0.0154 | -98.49 % [-98.52, -98.46]
      14.2  | 13.9  | 14.6  | 14.2 × [13.9, 14.6]
      """)
    void changes(double ratio, double low, double high, String text) {
        assertThat(NumberText.change(new Interval(ratio, low, high, 0.95))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
      1.382 | 1.351     | 1.410    | 1.3 1.4       | 95 % interval [35.1, 41.0]
      1.17  | 0.042     | 32.85    | 0.96 1.43     | -4.0 % and +43.0 % in the two pairs
      1.17  | 0.042     | 32.85    | 0.9 1 2       | -10.0 %, +0.0 % and +100.0 % in the three pairs
      1.17  | 0.042     | 32.85    | 1 1.1 1.2 1.3 | not known to within a factor of 10
      14.2  | 2.4       | 400      | 3 14 68       | at least 2.40 ×
      1.17  | -Infinity | Infinity | 1.17          | only one pair
      """)
    void whatIsKnownOfARatio(double ratio, double low, double high, String each, String text) {
        List<Double> pairs = Arrays.stream(each.split(" ")).map(Double::valueOf).toList();
        assertThat(NumberText.known(new Interval(ratio, low, high, 0.95), pairs))
                .isEqualTo(text);
    }

    /** Two trials have an interval that may reach down to nothing; then it says nothing of the rate. */
    @ParameterizedTest
    @CsvSource({
        "3471, 3420, 3522, 2, '3,471/s [3,420, 3,522]'",
        "3471, 0, 9300, 2, '3,471/s'",
        "3471, 0, 9300, 3, '3,471/s [0, 9,300]'"
    })
    void aRateOfTwoTrialsMayHaveNoBounds(double rate, double low, double high, int trials, String text) {
        assertThat(NumberText.rate(Wording.rate(new Interval(rate, low, high, 0.95), trials)))
                .isEqualTo(text);
    }

    @Test
    void anUnboundedIntervalHasNoBounds() {
        assertThat(NumberText.rate(Interval.unbounded(4920))).isEqualTo("4,920/s");
        assertThat(NumberText.change(Interval.unbounded(1.2))).isEqualTo("+20.0 %");
    }

    @ParameterizedTest
    @CsvSource({
        "COUNT, 8, 8",
        "COUNT, 3.2, 3.2",
        "CPUS, 1.25, 1.25",
        "SHARE, 0.37, 37 %",
        "MILLIS, 0.9, 900 µs",
        "BYTES, 1048576, 1.00 MiB",
        "PER_SECOND, 812, 812/s",
        "BYTES_PER_SECOND, 2048, 2.00 KiB/s"
    })
    void figuresOfATimelineHaveTheirUnits(Signal.Unit unit, double v, String text) {
        assertThat(Quantities.text(unit, v)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "108000000, 73200000, 108 → 73.2 ms",
        "900000, 1200000, 900 µs → 1.20 ms",
        "61e9, 62e9, 1 min 01 s → 1 min 02 s"
    })
    void twoLatenciesOfOneUnitHaveItOnce(double from, double to, String text) {
        assertThat(NumberText.latencies(from, to)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.2, '+200 ns'", "-1.5, '-1.50 µs'", "0.0000001, '0'"})
    void whatALayerAdds(double estimate, String text) {
        assertThat(Wording.added(Optional.of(Interval.unbounded(estimate)))).isEqualTo(text);
    }
}
